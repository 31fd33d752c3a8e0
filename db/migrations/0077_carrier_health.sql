-- What each carrier took and refused, by minute, for the page about it. Workers of
-- before count nothing.
-- +goose Up
create table carrier_minutes (
    carrier text        not null,
    minute  timestamptz not null,
    taken   integer     not null default 0,
    refused integer     not null default 0, -- for good
    delayed integer     not null default 0, -- to try again
    error   text        not null default '' check (char_length(error) <= 500), -- the last one of the minute
    primary key (carrier, minute)
);
create index on carrier_minutes (minute);
