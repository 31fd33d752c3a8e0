-- Addresses of ours that take callbacks of an organisation for an hour, and what came in.
-- Contents are sealed, because they have the headers of requests and the words of
-- recipients.
-- +goose Up
create table webhook_ranges (
    organisation_id bigint      primary key references organisations on delete cascade,
    token_hash      bytea       not null unique check (octet_length(token_hash) = 32),
    token           bytea, -- sealed; null when no key opens it
    status          smallint    not null default 200 check (status between 200 and 599),
    delay_ms        integer     not null default 0 check (delay_ms between 0 and 20000),
    answer          text        not null default '' check (octet_length(answer) <= 4096),
    taken           bigint      not null default 0, -- requests ever
    expires_at      timestamptz not null
);
create index webhook_ranges_expires_at on webhook_ranges (expires_at);

create table webhook_range_requests (
    id              uuid        primary key,
    organisation_id bigint      not null references webhook_ranges on delete cascade,
    number          bigint      not null, -- in the order in which they came
    method          text        not null check (octet_length(method) <= 32),
    content         bytea, -- sealed; null when no key opens it
    size            integer     not null, -- of the body in bytes
    inside          boolean     not null, -- relayed by us, not posted from outside
    delivery_id     bigint, -- of the callback of the organisation that it names
    event           text        not null default '',
    event_at        timestamptz, -- when the event of the callback was stored
    first_number    bigint, -- of the first request with the same webhook-id
    replay_of       bigint, -- number of the request that was taken again
    status          smallint    not null, -- of the answer
    delay_ms        integer     not null,
    kept            boolean     not null default false,
    taken_at        timestamptz not null default now(),
    unique (organisation_id, number)
);

-- What was seen before, also after its request has made room for others.
create table webhook_range_ids (
    organisation_id bigint not null references webhook_ranges on delete cascade,
    key             bytea  not null check (octet_length(key) = 16), -- of the webhook-id
    number          bigint not null, -- of the first request with it
    primary key (organisation_id, key)
);
