-- Who may do what: organisations and their users, administrators, sessions, API keys.
-- +goose Up
create table organisations (
    id          bigint generated always as identity primary key,
    name        text        not null check (char_length(name) between 1 and 200),
    status      text        not null default 'inactive' check (status in ('inactive', 'active', 'suspended')),
    sandbox     boolean     not null default false,
    verified_at timestamptz,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);

create table organisation_users (
    id              bigint generated always as identity primary key,
    organisation_id bigint      not null references organisations on delete cascade,
    name            text        not null default '' check (char_length(name) <= 200),
    email           text        not null unique check (email = lower(email) and char_length(email) between 3 and 254),
    mobile          text        check (mobile ~ '^\+[1-9][0-9]{6,14}$'),
    password_hash   text        not null,
    role            text        not null check (role in ('owner', 'developer', 'viewer')),
    active          boolean     not null default false,
    session_version integer     not null default 1,
    failed_sign_ins integer     not null default 0 check (failed_sign_ins >= 0),
    locked_until    timestamptz,
    last_sign_in_at timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);
create index on organisation_users (organisation_id);

create table admin_users (
    id              bigint generated always as identity primary key,
    name            text        not null default '' check (char_length(name) <= 200),
    email           text        not null unique check (email = lower(email) and char_length(email) between 3 and 254),
    password_hash   text        not null,
    role            text        not null check (role in ('super_admin', 'editor', 'viewer')),
    active          boolean     not null default true,
    session_version integer     not null default 1,
    failed_sign_ins integer     not null default 0 check (failed_sign_ins >= 0),
    locked_until    timestamptz,
    last_sign_in_at timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);

-- The cookie holds the session id; only its hash is kept here.
create table sessions (
    id_hash              bytea primary key check (octet_length(id_hash) = 32),
    surface              text        not null check (surface in ('account', 'admin')),
    organisation_user_id bigint references organisation_users on delete cascade,
    admin_user_id        bigint references admin_users on delete cascade,
    session_version      integer     not null,
    user_agent           text        not null default '' check (char_length(user_agent) <= 400),
    ip_hash              bytea,
    created_at           timestamptz not null default now(),
    last_seen_at         timestamptz not null default now(),
    expires_at           timestamptz not null,
    revoked_at           timestamptz,
    check ((surface = 'account') = (organisation_user_id is not null)),
    check ((surface = 'admin') = (admin_user_id is not null))
);
create index on sessions (organisation_user_id) where organisation_user_id is not null;
create index on sessions (admin_user_id) where admin_user_id is not null;
create index on sessions (expires_at);

-- An organisation has two places for active keys, so that one can be rotated
-- while the other works. The key itself is shown once and never stored.
create table api_keys (
    id              bigint generated always as identity primary key,
    organisation_id bigint      not null references organisations on delete cascade,
    slot            smallint    not null check (slot in (1, 2)),
    name            text        not null check (char_length(name) between 1 and 100),
    prefix          text        not null check (char_length(prefix) between 8 and 20),
    hash            bytea       not null unique check (octet_length(hash) = 32),
    channels        text[]      not null default '{messaging,sms,rcs}' check (channels <@ '{messaging,sms,rcs}' and channels <> '{}'),
    created_at      timestamptz not null default now(),
    last_used_at    timestamptz,
    revoked_at      timestamptz
);
create unique index api_keys_active_slot on api_keys (organisation_id, slot) where revoked_at is null;
