-- Links that set a new password for a user of an organisation. An owner or a Super
-- Admin sends them to users without a mobile number.
-- +goose Up
create table user_links (
    hash        bytea primary key check (octet_length(hash) = 32), -- SHA-256 of the token
    user_id     bigint      not null references organisation_users on delete cascade,
    created_at  timestamptz not null default now(),
    expires_at  timestamptz not null check (expires_at > created_at),
    consumed_at timestamptz
);
create index on user_links (user_id);
create index on user_links (expires_at);
