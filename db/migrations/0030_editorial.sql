-- Editing: parts of a version as items of their own, what a change set does to
-- each item, where a revision came from, schedules, and addresses that moved.
-- Processes of the version before work on: they write none of the new columns.
-- +goose Up
alter table items drop constraint items_kind_check;
alter table items add constraint items_kind_check check (kind in ('product', 'version', 'endpoint', 'guide', 'category', 'schema', 'callback'));

-- A schema may be called what an endpoint is called. Endpoints and callbacks
-- share their addresses, and so do the versions and guides of a product.
create function address_space(kind text) returns text language sql immutable parallel safe
    return case when kind in ('category', 'schema') then kind else '' end;
alter table items drop constraint items_parent_id_slug_key;
create unique index items_address on items
    (parent_id, address_space(kind), slug) nulls not distinct;

-- Null in what was written before: an author edited, and nobody is the seed.
alter table revisions add column origin text check (origin in ('seed', 'import', 'edit', 'restore'));

alter table change_set_items
    add column action    text not null default 'update' check (action in ('update', 'archive', 'move')),
    add column slug      text check (slug ~ '^[a-z0-9]+([.-][a-z0-9]+)*$' and char_length(slug) <= 120), -- of a move: where to
    add column parent_id bigint references items, -- of a move to another version
    add check ((action = 'move') = (slug is not null)),
    add check (action = 'move' or parent_id is null);

alter table change_sets
    add column scheduled_for  timestamptz,
    add column scheduled_by   bigint references admin_users,
    add column blocked_reason text not null default ''; -- why a scheduled release did not happen
alter table change_sets add check (state <> 'scheduled' or scheduled_for is not null);
create index on change_sets (author_id) where state not in ('published', 'rejected', 'withdrawn');
create index on change_set_items (item_id);

alter table reviews drop constraint reviews_verdict_check;
alter table reviews add constraint reviews_verdict_check check (verdict in ('comment', 'changes_requested', 'approved', 'rejected'));

-- Where an item was before it moved.
create table item_redirects (
    id         bigint generated always as identity primary key,
    kind       text        not null,
    parent_id  bigint references items on delete cascade, -- null for a product
    slug       text        not null,
    item_id    bigint      not null references items on delete cascade,
    created_at timestamptz not null default now()
);
create unique index item_redirects_address on item_redirects
    (parent_id, address_space(kind), slug) nulls not distinct;
create index on item_redirects (item_id);

-- What a row says, as a hash: equal rows are not written again. Null in what
-- was written before, which the next release of its scope replaces.
alter table search_rows add column digest bytea;
create index on search_names (id);

-- Rows on their way into the index, by COPY: nobody reads them, and they are
-- gone when the transaction ends. Words are texts that become vectors there.
create unlogged table search_loads (
    place integer not null, -- ascending within the scope
    scope_id bigint not null, item_id bigint not null, kind text not null, product text not null, version text not null, method text not null,
    title text not null, path text not null, url text not null, breadcrumb text[] not null, body text not null, deprecated boolean not null,
    weight real not null, names text not null, others text not null, words text not null, context text not null, size smallint not null,
    key text not null, alias text not null, shape text not null, digest bytea not null
);
