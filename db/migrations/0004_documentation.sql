-- Documentation: items, their immutable revisions, review, release, search.
-- +goose Up
create table items (
    id                bigint generated always as identity primary key,
    kind              text        not null check (kind in ('product', 'version', 'endpoint', 'guide')),
    parent_id         bigint references items,
    slug              text        not null check (slug ~ '^[a-z0-9]+([.-][a-z0-9]+)*$' and char_length(slug) <= 120),
    live_revision_id  bigint,
    draft_revision_id bigint,
    archived_at       timestamptz,
    trashed_at        timestamptz,
    created_at        timestamptz not null default now(),
    check ((kind = 'product') = (parent_id is null)),
    unique nulls not distinct (parent_id, slug)
);

-- Content is json, not jsonb: the order of keys is part of a document.
create table revisions (
    id               bigint generated always as identity primary key,
    item_id          bigint      not null references items on delete cascade,
    number           integer     not null check (number > 0),
    content          json        not null,
    content_hash     bytea       not null check (octet_length(content_hash) = 32),
    base_id          bigint references revisions,
    restored_from_id bigint references revisions,
    author_id        bigint references admin_users, -- null: the program itself, when seeding
    created_at       timestamptz not null default now(),
    unique (item_id, number),
    unique (item_id, id)
);
alter table items add foreign key (id, live_revision_id) references revisions (item_id, id);
alter table items add foreign key (id, draft_revision_id) references revisions (item_id, id);

-- +goose StatementBegin
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation';
end
$$;
-- +goose StatementEnd
create trigger immutable before update on revisions for each row execute function refuse_change();

create table change_sets (
    id         bigint generated always as identity primary key,
    product_id bigint      not null references items,
    summary    text        not null check (char_length(summary) between 1 and 2000),
    state      text        not null default 'draft' check (state in ('draft', 'in_review', 'changes_requested', 'approved', 'scheduled', 'published', 'blocked', 'rejected', 'withdrawn')),
    author_id  bigint references admin_users,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index on change_sets (product_id, state);

create table change_set_items (
    change_set_id bigint  not null references change_sets on delete cascade,
    item_id       bigint  not null references items,
    revision_id   bigint  not null,
    open          boolean not null default true, -- false once published, rejected or withdrawn
    primary key (change_set_id, item_id),
    foreign key (item_id, revision_id) references revisions (item_id, id)
);
-- An item is in one open change set at most.
create unique index change_set_items_open on change_set_items (item_id) where open;

create table reviews (
    id            bigint generated always as identity primary key,
    change_set_id bigint      not null references change_sets on delete cascade,
    reviewer_id   bigint      not null references admin_users,
    verdict       text        not null check (verdict in ('comment', 'changes_requested', 'approved')),
    reason        text        not null default '',
    content_hash  bytea       not null check (octet_length(content_hash) = 32), -- what was approved
    created_at    timestamptz not null default now(),
    check (verdict = 'approved' or reason <> '')
);
create index on reviews (change_set_id);

-- A release is the exact revisions that became public together. Its scope is a
-- version, or the product itself when only the product changed.
create table releases (
    id            bigint generated always as identity primary key,
    product_id    bigint      not null references items,
    scope_id      bigint      not null references items,
    number        integer     not null check (number > 0),
    change_set_id bigint references change_sets,
    summary       text        not null default '',
    published_by  bigint references admin_users,
    published_at  timestamptz not null default now(),
    unique (scope_id, number)
);
create index on releases (product_id, published_at desc);

create table release_items (
    release_id  bigint not null references releases on delete cascade,
    item_id     bigint not null references items,
    revision_id bigint not null,
    primary key (release_id, item_id),
    foreign key (item_id, revision_id) references revisions (item_id, id)
);

-- Written when publishing; one row per thing that a reader can look for.
create table search_rows (
    id         bigint generated always as identity primary key,
    scope_id   bigint not null references items on delete cascade, -- the release scope that wrote it
    item_id    bigint not null references items on delete cascade,
    kind       text   not null check (kind in ('product', 'version', 'endpoint', 'schema', 'field', 'example', 'guide')),
    product    text   not null,
    version    text   not null default '',
    method     text   not null default '',
    title      text   not null,
    path       text   not null default '',
    url        text   not null,
    breadcrumb text   not null default '',
    body       text   not null default '',
    terms      tsvector generated always as (
        setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('simple', path), 'B') || setweight(to_tsvector('english', body), 'C')
    ) stored
);
create index on search_rows (scope_id);
create index on search_rows (item_id);
create index search_rows_terms on search_rows using gin (terms);
