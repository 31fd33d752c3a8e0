-- Who writes to which number, and the category that each message counts as.
-- +goose Up
-- No foreign keys to phone_numbers, as with messages: a check per row would
-- lock the number that everybody's messages come to.
create table conversations (
    phone_number_id bigint      not null,
    contact         text        not null check (contact ~ '^[1-9][0-9]{4,14}$'),
    last_inbound_at timestamptz not null, -- for 24 hours from here every kind may be sent
    primary key (phone_number_id, contact)
);

create table inbound_messages (
    id              uuid        primary key, -- version 7: ordered by time
    phone_number_id bigint      not null,
    contact         text        not null check (contact ~ '^[1-9][0-9]{4,14}$'),
    kind            text        not null check (char_length(kind) between 1 and 40),
    payload         json        not null, -- the content, as the callback has it
    context         uuid, -- the message that is answered
    received_at     timestamptz not null default now(),
    read_at         timestamptz -- when the partner marked it, or a later one, as read
);
create index on inbound_messages (phone_number_id, contact, id desc);

alter table messages add column category text not null default ''
    check (category in ('', 'authentication', 'marketing', 'utility', 'service'));
