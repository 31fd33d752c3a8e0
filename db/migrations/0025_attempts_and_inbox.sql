-- Why an attempt got no answer, and who read which virtual message.
-- +goose Up
alter table notification_attempts add column fault text not null default '' check (char_length(fault) <= 40); -- empty: the provider answered

-- A message that somebody looked at again is recorded in the audit once.
create table inbox_reads (
    notification_id uuid not null references notifications on delete cascade,
    actor           text not null check (char_length(actor) <= 200),
    primary key (notification_id, actor)
);
