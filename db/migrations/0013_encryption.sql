-- The key pair that protects what flows exchange with a number.
-- +goose Up
create table encryption_keys (
    phone_number_id bigint primary key references phone_numbers on delete cascade,
    public_key      text        not null check (char_length(public_key) between 1 and 8192), -- PEM
    private_key     bytea, -- sealed PKCS #8 PEM; null where the partner keeps the pair
    created_at      timestamptz not null default now()
);
