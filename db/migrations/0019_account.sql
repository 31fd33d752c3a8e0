-- Invitations into an organisation. An accepted or withdrawn one is deleted, so
-- its link works once at most.
-- +goose Up
create table invitations (
    id              bigint generated always as identity primary key,
    organisation_id bigint      not null references organisations on delete cascade,
    email           text        not null check (email = lower(email) and char_length(email) between 3 and 254),
    role            text        not null check (role in ('owner', 'developer', 'viewer')),
    token_hash      bytea       not null unique check (octet_length(token_hash) = 32),
    created_at      timestamptz not null default now(),
    expires_at      timestamptz not null,
    unique (organisation_id, email)
);
create index on invitations (expires_at);
