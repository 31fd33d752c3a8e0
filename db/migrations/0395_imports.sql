-- Imports of API descriptions, and the addresses that are read on a schedule.
-- +goose Up
create table import_watches (
    id              bigint      generated always as identity primary key,
    address         text        not null check (char_length(address) between 1 and 2000),
    product_id      bigint      not null references items on delete cascade,
    version_slug    text        not null,
    every_hours     integer     not null check (every_hours between 1 and 168),
    created_by      bigint      not null references admin_users on delete cascade,
    created_at      timestamptz not null default now(),
    next_at         timestamptz not null default now(),
    last_at         timestamptz,
    last_sha256     bytea,
    last_outcome    text        not null default '',
    failures        integer     not null default 0
);
create index on import_watches (next_at);
create index on import_watches (product_id);
create index on import_watches (created_by);

create table imports (
    id             bigint      generated always as identity primary key,
    source         text        not null check (source in ('file', 'text', 'address', 'watch')),
    state          text        not null default 'queued' check (state in ('queued', 'reading', 'ready', 'unchanged', 'failed', 'cancelled', 'accepted', 'discarded')),
    created_by     bigint      references admin_users on delete set null,
    watch_id       bigint      references import_watches on delete set null,
    created_at     timestamptz not null default now(),
    started_at     timestamptz,
    finished_at    timestamptz,
    decided_at     timestamptz,
    decided_by     bigint      references admin_users on delete set null,
    -- What came in.
    name           text        not null default '',
    address        text        not null default '',
    object         text        not null default '', -- key of the bytes, empty until an address was read
    converted      text        not null default '', -- key of the document as OpenAPI 3.1
    size           bigint      not null default 0,
    sha256         bytea,
    -- Where it goes: a product that exists or a new one.
    product_id     bigint      references items on delete set null,
    product_slug   text        not null,
    product_name   text        not null,
    version_slug   text        not null,
    -- What was read.
    progress       integer     not null default 0 check (progress between 0 and 100),
    stage          text        not null default '',
    format         text        not null default '',
    format_version text        not null default '',
    title          text        not null default '',
    title_version  text        not null default '',
    operations     integer     not null default 0,
    schemas        integer     not null default 0,
    added          integer     not null default 0,
    changed        integer     not null default 0,
    removed        integer     not null default 0,
    unchanged      integer     not null default 0,
    breaking       integer     not null default 0,
    findings       json        not null default '[]',
    finding_count  integer     not null default 0,
    plan           json        not null default '{}',
    error          text        not null default '',
    skipped        text[]      not null default '{}', -- addresses of operations that were not taken
    change_set_id  bigint      references change_sets on delete set null
);
create index on imports (created_at);
create index on imports (created_by);
create index on imports (watch_id);
create index on imports (decided_by);
create index on imports (product_id, version_slug);
create index on imports (change_set_id);
create index on imports (sha256);
