-- Numbers that must not be contacted, by one organisation or by all. Code of
-- before does not look at them.
-- +goose Up
create table suppressions (
    organisation_id bigint      not null, -- 0: every organisation
    recipient       text        not null check (recipient ~ '^[0-9]{5,20}$'), -- with country code
    channel         text        not null default '' check (channel in ('', 'messaging', 'sms', 'rcs')), -- empty: every channel
    reason          text        not null check (reason in ('stop', 'list')), -- stop: the recipient wrote it
    note            text        not null default '' check (char_length(note) <= 200),
    actor           text        not null check (char_length(actor) between 1 and 200),
    created_at      timestamptz not null default now(),
    primary key (organisation_id, recipient, channel)
);
create index on suppressions (recipient);
