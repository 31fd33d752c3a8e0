-- QR codes that open a chat with a prefilled message.
-- +goose Up
create table qr_codes (
    code            text primary key check (code ~ '^[A-Z0-9]{14}$'),
    phone_number_id bigint      not null references phone_numbers on delete cascade,
    message         text        not null check (char_length(message) between 1 and 140),
    position        bigint generated always as identity, -- newest has the highest
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);
create unique index qr_codes_page on qr_codes (phone_number_id, position);
