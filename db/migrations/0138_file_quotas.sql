-- How much an organisation has uploaded on each day (UTC). Code of before does not
-- count.
-- +goose Up
create table uploaded_bytes (
    organisation_id bigint not null references organisations on delete cascade,
    day             date   not null default (now() at time zone 'utc')::date,
    bytes           bigint not null check (bytes >= 0),
    primary key (organisation_id, day)
);
create index on uploaded_bytes (day);
