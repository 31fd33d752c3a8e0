-- The pages of drafts that people have open. A crash may lose them: open pages say
-- so again within seconds. Processes of the version before write none.
-- +goose Up
create unlogged table presences (
    place         text        not null check (char_length(place) <= 40), -- "item:7" or "set:7"
    admin_user_id bigint      not null references admin_users on delete cascade,
    seen_at       timestamptz not null,
    primary key (place, admin_user_id)
);
