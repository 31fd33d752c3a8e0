-- Replays of many callbacks at once, so that what became of them can be asked.
-- +goose Up
create table replays (
    id              bigint generated always as identity primary key,
    organisation_id bigint      not null,
    webhook_id      bigint      not null references webhooks on delete cascade,
    since           timestamptz not null, -- callbacks stored at or after
    until           timestamptz not null, -- and before
    everything      boolean     not null, -- those that had been delivered, too
    callbacks       integer     not null check (callbacks >= 0),
    created_at      timestamptz not null default now()
);
create index on replays (webhook_id, id desc);

alter table deliveries add column replay_id bigint; -- the last of replays that it was in
create index deliveries_replayed on deliveries (replay_id) where replay_id is not null;

-- What attempts say ends where the cause begins, which is not for partners.
update delivery_attempts set error = split_part(error, '.: ', 1) || '.' where strpos(error, '.: ') > 0;
