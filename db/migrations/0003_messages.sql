-- A message from acceptance to its last status, and the callbacks about it.
-- +goose Up
-- No foreign keys from here to organisations or phone_numbers: a check per row
-- would lock the same parent row from every accepting transaction.
create table messages (
    id              uuid primary key, -- version 7: ordered by time
    organisation_id bigint      not null,
    channel         text        not null check (channel in ('messaging', 'sms', 'rcs')),
    sender_id       bigint      not null, -- messaging: the phone number
    recipient       text        not null check (char_length(recipient) between 1 and 32), -- digits with country code
    kind            text        not null check (char_length(kind) between 1 and 40),
    payload         json        not null, -- the send request as accepted
    reference       text        not null default '' check (char_length(reference) <= 512), -- the partner's own, echoed in statuses
    state           text        not null default 'accepted' check (state in ('accepted', 'sent', 'delivered', 'read', 'failed')),
    provider_id     text        not null default '',
    failure         json,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
) with (fillfactor = 80); -- room for the status updates to stay on their page
create index messages_log on messages (organisation_id, created_at desc, id desc);
create index messages_recipient on messages (organisation_id, recipient, created_at desc);

create table message_events (
    message_id  uuid        not null references messages on delete cascade,
    state       text        not null check (state in ('accepted', 'sent', 'delivered', 'read', 'failed')),
    occurred_at timestamptz not null,
    failure     json,
    recorded_at timestamptz not null default now(),
    primary key (message_id, state) -- a duplicate report changes nothing
);

create table webhooks (
    id              bigint generated always as identity primary key,
    organisation_id bigint      not null references organisations on delete cascade,
    channel         text        not null check (channel in ('messaging', 'sms', 'rcs')),
    subject         text        not null check (char_length(subject) between 1 and 64), -- messaging: the phone number id
    url             text        not null check (char_length(url) <= 2048), -- empty once cleared: its deliveries stay
    headers         bytea       not null, -- sealed JSON object
    failures        integer     not null default 0, -- in a row
    failing_since   timestamptz,
    open_until      timestamptz, -- the circuit is open: nothing is posted before
    disabled_at     timestamptz,
    disabled_reason text        not null default '',
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now(),
    unique (channel, subject)
);
create index on webhooks (organisation_id);

create table deliveries (
    id              bigint generated always as identity primary key,
    webhook_id      bigint      not null references webhooks on delete cascade,
    organisation_id bigint      not null,
    message_id      uuid,
    event           text        not null check (char_length(event) between 1 and 60),
    body            bytea       not null, -- the same bytes at every attempt
    state           text        not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    attempts        smallint    not null default 0 check (attempts >= 0),
    next_attempt_at timestamptz,
    created_at      timestamptz not null default now(),
    finished_at     timestamptz
);
create index on deliveries (webhook_id, created_at desc);
create index on deliveries (organisation_id, created_at desc, id desc);
create index on deliveries (message_id) where message_id is not null;

create table delivery_attempts (
    delivery_id bigint      not null references deliveries on delete cascade,
    number      smallint    not null check (number > 0),
    started_at  timestamptz not null,
    latency_ms  integer     not null check (latency_ms >= 0),
    url         text        not null,
    status      integer, -- null when no answer came
    error       text        not null default '',
    response    text        not null default '' check (octet_length(response) <= 8192), -- first 2 kB, made printable
    primary key (delivery_id, number)
);

create table idempotency_keys (
    organisation_id bigint      not null,
    key             text        not null check (char_length(key) between 1 and 255),
    route           text        not null,
    fingerprint     bytea       not null check (octet_length(fingerprint) = 32),
    status          smallint    not null,
    response        bytea       not null,
    created_at      timestamptz not null default now(),
    primary key (organisation_id, key)
);
create index on idempotency_keys (created_at);
