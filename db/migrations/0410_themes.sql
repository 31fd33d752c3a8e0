-- The appearance of the surfaces. The newest revision of a surface is shown; a surface
-- without one has the default theme. Code of before shows that one.
-- +goose Up
create table theme_revisions (
    id         bigint generated always as identity primary key,
    surface    text        not null check (surface in ('public', 'organisation', 'administration')),
    number     integer     not null check (number > 0),
    document   jsonb       not null,
    stylesheet text        not null check (octet_length(stylesheet) <= 20000), -- empty for the default theme
    hash       text        not null check (hash = '' or hash ~ '^[0-9a-f]{15}$'),
    origin     text        not null default '' check (char_length(origin) <= 100), -- how it came about, such as "Restored from 3"
    author_id  bigint      references admin_users on delete set null,
    created_at timestamptz not null default now(),
    unique (surface, number)
);
create index on theme_revisions (surface, hash);
create index on theme_revisions (author_id);
create trigger changed after insert or delete on theme_revisions for each statement execute function notify_changed();

-- What Super Admins prepare. A save names the version that it was based on.
create table theme_drafts (
    surface    text primary key check (surface in ('public', 'organisation', 'administration')),
    document   jsonb       not null,
    stylesheet text        not null check (octet_length(stylesheet) <= 20000),
    hash       text        not null check (hash = '' or hash ~ '^[0-9a-f]{15}$'),
    version    integer     not null default 1,
    author_id  bigint      references admin_users on delete set null,
    updated_at timestamptz not null default now()
);
create index on theme_drafts (author_id);

-- Logos and icons, by the hash of their bytes.
create table theme_pictures (
    name         text primary key check (name ~ '^[0-9a-f]{32}\.(png|svg)$'),
    object       text        not null unique,
    content_type text        not null check (content_type in ('image/png', 'image/svg+xml')),
    size         integer     not null check (size between 1 and 200000), -- bytes
    created_at   timestamptz not null default now()
);
create trigger discarded after delete on theme_pictures for each row execute function discard_object();
