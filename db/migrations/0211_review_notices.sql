-- Events of reviews that wait for the next email about their change set, and who
-- receives such emails. Processes of the version before write none.
-- +goose Up
create table review_notices (
    id            bigint generated always as identity primary key,
    change_set_id bigint      not null references change_sets on delete cascade,
    event         text        not null check (event in ('submitted', 'changes_requested', 'comment', 'approved', 'rejected', 'published', 'blocked')),
    actor_id      bigint      references admin_users on delete cascade, -- null: the program itself
    note          text        not null default '' check (char_length(note) <= 2000),
    created_at    timestamptz not null default now()
);
create index on review_notices (change_set_id);
alter table admin_users add column review_emails boolean not null default true;
