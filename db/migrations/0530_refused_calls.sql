-- Requests to the channel APIs that were refused, for the developers of a partner and
-- for administrators. No row has a query, a header or a body. Each organisation has a
-- bounded number of them.
-- +goose Up
create table refused_calls (
    id              bigint      generated always as identity primary key,
    organisation_id bigint      references organisations on delete cascade, -- null for keys that were never issued
    key_prefix      text        not null check (char_length(key_prefix) <= 20), -- empty without a key
    channel         text        not null check (channel in ('messaging', 'sms', 'rcs')),
    method          text        not null check (char_length(method) <= 10),
    path            text        not null check (char_length(path) <= 200),
    status          smallint    not null,
    code            int         not null, -- of the channel's table of errors
    request_id      text        not null check (char_length(request_id) <= 64), -- of the last one
    repeats         int         not null default 1 check (repeats > 0), -- that were alike within seconds
    at              timestamptz not null -- of the last one
);
create index on refused_calls (organisation_id, id desc);
create index on refused_calls (at);
