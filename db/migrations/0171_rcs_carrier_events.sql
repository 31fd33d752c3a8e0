-- What carriers of the RCS channel have posted, so that an event which they repeat
-- is taken once. Rows are deleted after 7 days by housekeeping.
-- +goose Up
create table rcs_carrier_events (
    carrier     text        not null,
    event_id    text        not null check (char_length(event_id) between 1 and 200),
    received_at timestamptz not null default now(),
    primary key (carrier, event_id)
);
create index on rcs_carrier_events (received_at);
