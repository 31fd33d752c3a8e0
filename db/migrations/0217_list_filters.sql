-- Filters of lists that administrators keep under a name of their own. Processes of
-- the version before neither read nor write them.
-- +goose Up
create table list_filters (
    id            bigint generated always as identity primary key,
    admin_user_id bigint      not null references admin_users on delete cascade,
    list          text        not null check (list in ('drafts', 'products', 'items')),
    name          text        not null check (char_length(name) between 1 and 60),
    query         text        not null check (char_length(query) <= 1000), -- encoded as in an address
    created_at    timestamptz not null default now(),
    unique (admin_user_id, list, name)
);
