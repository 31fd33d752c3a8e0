-- What lost its job is found and gets one, so that no fault strands it.
-- +goose Up
-- Messages that were still accepted minutes after their acceptance. An index of
-- accepted messages would be written to with every step of every message; here
-- each message is looked at once, behind a mark that moves along the ids.
create table unsettled_messages (message_id uuid primary key);
create table settle_mark (
    one        boolean primary key default true check (one),
    examined   uuid        not null, -- messages up to this id were looked at
    stepped_at timestamptz not null default now() -- when the mark was last put back, for ids of slow clocks
);
insert into settle_mark (examined) values ('00000000-0000-0000-0000-000000000000');

-- Pending callbacks, few among all.
create index deliveries_pending on deliveries (id) where state = 'pending';
