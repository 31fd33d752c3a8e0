-- Messages to people: one-time passwords by SMS and letters by email, what
-- providers answered, and the settings that say how they are sent.
-- +goose Up
create table settings (
    name       text primary key check (name in ('email', 'sms')),
    value      jsonb       not null,
    updated_at timestamptz not null default now()
);
create trigger changed after insert or update or delete on settings for each statement execute function notify_changed();

-- Keys and passwords of providers, each sealed for its own row.
create table setting_secrets (
    name       text primary key check (char_length(name) between 1 and 60), -- for instance sms.api_key
    sealed     bytea       not null,
    updated_at timestamptz not null default now()
);
create trigger changed after insert or update or delete on setting_secrets for each statement execute function notify_changed();

create table notifications (
    id          uuid primary key, -- version 7: in order of time
    kind        text        not null check (kind in ('sms', 'email')),
    purpose     text        not null check (char_length(purpose) between 1 and 60), -- for instance registration
    recipient   text        not null check (char_length(recipient) between 3 and 254), -- E.164 or an email address
    subject     text        not null default '' check (char_length(subject) <= 200),
    body        bytea, -- sealed; null once nobody needs it
    topic       text        not null default '' check (char_length(topic) <= 200), -- a newer message of a topic replaces older ones
    state       text        not null default 'queued' check (state in ('queued', 'sent', 'failed', 'expired', 'cancelled')),
    virtual     boolean     not null default false, -- went to the inbox of the administration
    charged     boolean     not null default false, -- counts for the budget of its day
    attempts    integer     not null default 0,
    created_at  timestamptz not null default now(),
    expires_at  timestamptz not null,
    finished_at timestamptz, -- when it left the state queued
    check (expires_at > created_at),
    check ((state = 'queued') = (finished_at is null))
);
create index on notifications (topic) where state = 'queued' and topic <> '';
create index notifications_queued on notifications (kind, expires_at) where state = 'queued';
create index notifications_inbox on notifications (id) where virtual;
create index notifications_readable on notifications (created_at) where body is not null;

create table notification_attempts (
    notification_id uuid        not null references notifications on delete cascade,
    number          smallint    not null check (number >= 1),
    started_at      timestamptz not null,
    latency_ms      integer     not null check (latency_ms >= 0),
    provider        text        not null check (char_length(provider) <= 300), -- host that was asked
    outcome         text        not null check (outcome in ('accepted', 'rejected', 'unavailable')),
    answer          text        not null default '', -- of the provider, without what the message says
    primary key (notification_id, number)
);

-- How many SMS were handed over on a day (UTC).
create table sms_budgets (
    day        date primary key,
    used       integer not null check (used >= 0),
    alerted_at timestamptz -- when administrators were told that nothing is left
);
