-- Threads of comments on an item of a change set, on one of its fields or on lines
-- of a field. Processes of the version before neither read nor write them.
-- +goose Up
create table review_threads (
    id            bigint generated always as identity primary key,
    change_set_id bigint      not null references change_sets on delete cascade,
    item_id       bigint      not null references items on delete cascade,
    field         text        not null default '' check (char_length(field) <= 40), -- empty: the item as a whole
    excerpt       text        not null default '', -- the lines it is about, empty for the whole field
    seen_hash     bytea       check (octet_length(seen_hash) = 32), -- of the field's text when the thread began
    resolved_by   bigint      references admin_users,
    resolved_at   timestamptz,
    created_at    timestamptz not null default now(),
    check ((resolved_by is null) = (resolved_at is null)),
    check (excerpt = '' or field <> ''),
    check ((seen_hash is null) = (field = ''))
);
create index on review_threads (change_set_id);
create index on review_threads (item_id);

create table review_comments (
    id         bigint generated always as identity primary key,
    thread_id  bigint      not null references review_threads on delete cascade,
    author_id  bigint      not null references admin_users,
    text       text        not null check (char_length(text) between 1 and 2000),
    created_at timestamptz not null default now()
);
create index on review_comments (thread_id);
