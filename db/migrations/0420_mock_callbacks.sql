-- Callbacks that a caller of a mock asked for, until they are sent. A caller waits for
-- them, so they are worth nothing after some minutes.
-- +goose Up
create table mock_callbacks (
    id              uuid        primary key,
    organisation_id bigint      not null references organisations on delete cascade,
    method          text        not null check (char_length(method) between 1 and 16),
    url             text        not null check (char_length(url) between 1 and 2048),
    headers         jsonb       not null, -- of the signature; the key that signed is not stored
    body            bytea       not null check (octet_length(body) <= 65536),
    created_at      timestamptz not null default now()
);
create index mock_callbacks_organisation_id on mock_callbacks (organisation_id);
create index mock_callbacks_created_at on mock_callbacks (created_at);
