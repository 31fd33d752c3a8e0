-- One pipeline for every channel: senders are text, a message may have parts and
-- a time at which it is sent, and each hand-over to a carrier has a row where
-- the message alone cannot say how it stands.
-- +goose Up
-- Code of before writes sender_id alone; this code writes both and reads either.
alter table messages add column sender text check (char_length(sender) between 1 and 64);
alter table messages alter column sender_id set default 0; -- messaging: the phone number
alter table messages add column subject text not null default '' check (char_length(subject) <= 64); -- of the webhook; empty: the sender
alter table messages add column parts smallint not null default 1 check (parts between 1 and 255);
alter table messages add column scheduled_at timestamptz; -- null: at once
-- The states of before are among the new ones, so that no row has to be looked at.
alter table messages drop constraint messages_state_check;
alter table messages add constraint messages_state_check
    check (state in ('accepted', 'sent', 'enroute', 'delivered', 'read', 'failed', 'undelivered', 'expired', 'rejected', 'unknown')) not valid;
alter table message_events drop constraint message_events_state_check;
alter table message_events add constraint message_events_state_check
    check (state in ('accepted', 'sent', 'enroute', 'delivered', 'read', 'failed', 'undelivered', 'expired', 'rejected', 'unknown')) not valid;
-- Failures of every channel are few and what people look for (see 0018).
drop trigger failed on message_events;
create trigger failed before insert on message_events
    for each row when (new.state in ('failed', 'undelivered', 'expired', 'rejected', 'unknown')) execute function message_failed();
drop index message_events_failed;
create index message_events_failed on message_events (organisation_id, message_id desc)
    where state in ('failed', 'undelivered', 'expired', 'rejected', 'unknown');

-- A carriage is the hand-over of one part of a message to one carrier. Leg 1 is
-- the first channel of a message, leg 2 its fallback.
create table carriages (
    message_id  uuid        not null references messages on delete cascade,
    leg         smallint    not null check (leg > 0),
    part        smallint    not null check (part > 0),
    channel     text        not null check (channel in ('messaging', 'sms', 'rcs')),
    carrier     text        not null check (char_length(carrier) between 1 and 60),
    provider_id text        not null default '' check (char_length(provider_id) <= 200),
    -- dialling: the carrier was called and its answer is not known; waiting: it
    -- refused for now; the others are those of the message.
    state       text        not null check (state in ('dialling', 'waiting', 'sent', 'enroute', 'delivered', 'read', 'failed', 'undelivered', 'expired', 'rejected', 'unknown')),
    attempts    smallint    not null default 1 check (attempts > 0),
    failure     json,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    primary key (message_id, leg, part)
) with (fillfactor = 80);

-- Which carriage a carrier's own id means, for as long as reports may come.
create table carrier_ids (
    carrier     text        not null,
    provider_id text        not null check (char_length(provider_id) between 1 and 200),
    message_id  uuid        not null,
    leg         smallint    not null,
    part        smallint    not null,
    created_at  timestamptz not null default now(),
    primary key (carrier, provider_id)
);
create index on carrier_ids (created_at);

-- An endpoint may have a secret and a format of its own.
alter table webhooks add column secret bytea; -- sealed; null: that of the subject
alter table webhooks add column format text not null default '' check (char_length(format) <= 40); -- in the channel's words

-- The carriers that operators set up, and which messages each one takes.
create table carriers (
    id          bigint generated always as identity primary key,
    name        text        not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,39}$' and name <> 'virtual'),
    kind        text        not null check (char_length(kind) between 1 and 40),
    url         text        not null default '' check (char_length(url) <= 2048),
    settings    json        not null default '{}',
    secret      bytea, -- sealed
    disabled_at timestamptz,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);

-- The most specific route decides: sender and organisation, sender, organisation,
-- channel.
create table carrier_routes (
    id              bigint generated always as identity primary key,
    channel         text   not null check (channel in ('messaging', 'sms', 'rcs')),
    sender          text   not null default '' check (char_length(sender) <= 64), -- empty: every sender
    organisation_id bigint not null default 0, -- 0: every organisation
    carrier_id      bigint not null references carriers on delete cascade,
    created_at      timestamptz not null default now(),
    unique (channel, sender, organisation_id)
);
create index on carrier_routes (carrier_id);
create trigger changed after insert or update or delete on carriers for each statement execute function notify_changed();
create trigger changed after insert or update or delete on carrier_routes for each statement execute function notify_changed();
