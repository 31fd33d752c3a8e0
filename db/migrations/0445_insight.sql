-- What readers do with the portal, as counts. No row names a person, an address or a
-- query. Code of before counts nothing.
-- +goose Up

-- Views of pages. The rows of hours, days and months are counted side by side, so that a
-- page about two years reads no more rows than one about two days.
create table insight_views (
    grain   text        not null check (grain in ('hour', 'day', 'month')),
    start   timestamptz not null, -- of the hour, day or month in the zone of the installation
    page    text        not null check (char_length(page) between 1 and 500),
    reader  text        not null check (reader in ('person', 'search', 'ai', 'tool', 'unknown')),
    kind    text        not null check (char_length(kind) <= 20),
    product text        not null check (char_length(product) <= 200), -- empty for pages of no product
    version text        not null check (char_length(version) <= 100),
    count   bigint      not null check (count > 0),
    primary key (grain, start, page, reader)
);
create index on insight_views (page, grain, start) include (reader, count);

-- The same views without their pages, for trends.
create table insight_totals (
    grain   text        not null check (grain in ('hour', 'day', 'month')),
    start   timestamptz not null,
    product text        not null,
    kind    text        not null,
    reader  text        not null,
    count   bigint      not null check (count > 0),
    primary key (grain, start, product, kind, reader)
);

-- Everything else, by day: searches by length and results, hosts that readers come from,
-- samples, exports, client libraries, calls.
create table insight_days (
    what    text   not null check (char_length(what) between 1 and 20),
    day     date   not null, -- in the zone of the installation
    product text   not null check (char_length(product) <= 200),
    version text   not null check (char_length(version) <= 100),
    name    text   not null check (char_length(name) <= 500),
    detail  text   not null check (char_length(detail) <= 200),
    count   bigint not null check (count > 0),
    primary key (what, day, product, version, name, detail)
);

-- The batches that processes wrote. One that is written again after its answer was lost
-- is known here.
create table insight_batches (
    id         uuid        primary key,
    written_at timestamptz not null default now()
);
create index on insight_batches (written_at);

-- When organisations took their first steps. Keys, messages and callbacks are deleted
-- sooner than this is asked.
create table insight_steps (
    organisation_id bigint      primary key references organisations on delete cascade,
    registered_at   timestamptz not null,
    verified_at     timestamptz,
    key_at          timestamptz,
    message_at      timestamptz,
    callback_at     timestamptz
);
create index on insight_steps (registered_at);
