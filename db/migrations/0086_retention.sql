-- How long the contents and the logs of messages are kept.
-- +goose Up
create table retention (
    organisation_id bigint  primary key, -- 0 for all organisations without a row of their own
    bodies_days     integer not null check (bodies_days between 1 and 3650),
    logs_days       integer not null check (logs_days between 3 and 3650),
    updated_at      timestamptz not null default now(),
    check (bodies_days <= logs_days)
);
insert into retention (organisation_id, bodies_days, logs_days) values (0, 30, 90);
create table retention_marks (
    organisation_id bigint      primary key references organisations on delete cascade,
    bodies_until    timestamptz not null -- contents before this time were deleted
);
-- Erasure of a recipient looks for what they wrote to any number.
create index inbound_messages_contact on inbound_messages (contact);
