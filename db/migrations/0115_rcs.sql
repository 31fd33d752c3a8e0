-- Bots of the RCS channel, what reviewers see of them, test devices, templates
-- and the message ids that partners choose.
-- +goose Up
create table rcs_bots (
    id              text        primary key check (char_length(id) between 16 and 64),
    organisation_id bigint      not null references organisations on delete cascade,
    name            text        not null check (char_length(name) between 1 and 40),
    profile         json        not null, -- the fields as they were sent
    verification    text        not null default 'UNVERIFIED' check (verification in ('UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED')),
    launch          text        not null default 'UNLAUNCHED' check (launch in ('UNLAUNCHED', 'PENDING', 'LAUNCHED', 'REJECTED', 'SUSPENDED', 'PENDING_UNLAUNCH')),
    reason          text        not null default '' check (char_length(reason) <= 500), -- of a rejection or suspension
    client_id       text        unique, -- from verification on
    client_secret   bytea       check (octet_length(client_secret) = 32), -- SHA-256
    transform       text        not null default 'DEFAULT' check (transform in ('DEFAULT', 'GOOGLE_RBM', 'MAAP')),
    submission      json, -- what the reviewers were given
    submitted_at    timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now(),
    unique (organisation_id, name),
    check (launch = 'UNLAUNCHED' or verification = 'VERIFIED')
);
create index on rcs_bots (created_at desc, id);

-- Few and small, so that they change together with their bot: at most 90 KB,
-- 360 KB, and 2 MB for each of ten screens.
create table rcs_images (
    bot_id     text        not null references rcs_bots on delete cascade,
    name       text        not null check (name ~ '^(logo|banner|brand|screen-[0-9]{2})$'),
    media_type text        not null check (media_type in ('image/png', 'image/jpeg')),
    content    bytea       not null check (octet_length(content) between 1 and 2097152),
    created_at timestamptz not null default now(),
    primary key (bot_id, name)
);

create table rcs_devices (
    bot_id      text        not null references rcs_bots on delete cascade,
    number      text        not null check (number ~ '^[1-9][0-9]{6,14}$'),
    name        text        not null default '' check (char_length(name) <= 100),
    state       text        not null default 'PENDING' check (state in ('PENDING', 'ACCEPTED', 'DECLINED')),
    invited_at  timestamptz not null default now(),
    answered_at timestamptz,
    primary key (bot_id, number)
);

create table rcs_templates (
    id              text        primary key check (char_length(id) between 16 and 64),
    bot_id          text        not null references rcs_bots on delete cascade,
    organisation_id bigint      not null,
    name            text        not null check (name ~ '^[A-Za-z0-9_]{1,20}$'),
    type            text        not null check (type in ('TEXT', 'STANDALONE', 'CAROUSEL')),
    content         json        not null, -- the fields of its type as they were sent
    state           text        not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REJECTED')),
    reason          text        not null default '' check (char_length(reason) <= 500),
    revision        integer     not null default 1, -- counts its contents
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now(),
    unique (bot_id, name)
);
create index on rcs_templates (organisation_id, created_at desc, id);
create index on rcs_templates (created_at, id) where state = 'PENDING';

-- Small and never partitioned, so that an id is unique across processes. Rows are
-- deleted after 30 days by housekeeping.
create table rcs_message_ids (
    bot_id      text        not null,
    message_id  text        not null check (char_length(message_id) between 1 and 64),
    fingerprint bytea       not null check (octet_length(fingerprint) = 32),
    id          uuid        not null,
    created_at  timestamptz not null default now(),
    primary key (bot_id, message_id)
);
create index on rcs_message_ids (created_at);

create trigger changed after insert or update or delete on rcs_bots for each statement execute function notify_changed();
create trigger changed after insert or update or delete on rcs_devices for each statement execute function notify_changed();
create trigger changed after insert or update or delete on rcs_templates for each statement execute function notify_changed();
