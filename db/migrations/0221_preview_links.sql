-- Links that show a draft to people who do not sign in. Processes of the version
-- before make and read none.
-- +goose Up
create table preview_links (
    id             bigint generated always as identity primary key,
    item_id        bigint      not null references items on delete cascade,
    revision_id    bigint, -- that is shown; null: the draft, as it changes
    token_hash     bytea       not null unique check (octet_length(token_hash) = 32),
    created_by     bigint      not null references admin_users on delete cascade,
    created_at     timestamptz not null default now(),
    expires_at     timestamptz not null,
    revoked_at     timestamptz,
    ended_at       timestamptz, -- when the draft that it follows was published or given up
    views          integer     not null default 0 check (views >= 0),
    last_viewed_at timestamptz,
    check (ended_at is null or revision_id is null),
    foreign key (item_id, revision_id) references revisions (item_id, id) on delete cascade
);
create index on preview_links (item_id, revision_id);
create index on preview_links (created_by);

-- A link follows one draft. The next draft of the item is another one.
-- +goose StatementBegin
create function end_preview_links() returns trigger language plpgsql as $$
begin
    update preview_links set ended_at = now() where item_id = new.id and revision_id is null and ended_at is null;
    return null;
end
$$;
-- +goose StatementEnd
create trigger draft_ended after update of draft_revision_id on items for each row
    when (old.draft_revision_id is not null and new.draft_revision_id is null) execute function end_preview_links();
