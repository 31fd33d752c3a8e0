-- What callers of mocks created with the preference state. Records live for an
-- hour, and deleted ones keep their id until then.
-- +goose Up
create table mock_records (
    scope      bytea       not null, -- HMAC of the version, the address and the credentials of the caller
    client     bytea       not null, -- HMAC of the address
    collection text        not null check (char_length(collection) <= 2000),
    id         text        not null check (char_length(id) between 1 and 200),
    value      text        not null check (octet_length(value) <= 16384), -- JSON
    deleted    boolean     not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '1 hour',
    primary key (scope, id)
);
create index mock_records_client on mock_records (client);
create index mock_records_expires_at on mock_records (expires_at);
