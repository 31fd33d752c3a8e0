-- Breaking changes to a version that somebody gave a reason for, by the
-- fingerprint that a change has in every comparison.
-- +goose Up
create table accepted_changes (
    version_id    bigint      not null references items on delete cascade,
    fingerprint   text        not null check (fingerprint ~ '^[0-9a-f]{16}$'),
    reason        text        not null check (reason <> '' and char_length(reason) <= 2000),
    accepted_by   bigint      not null references admin_users,
    change_set_id bigint      not null references change_sets,
    created_at    timestamptz not null default now(),
    primary key (version_id, fingerprint)
);
