-- Messages that a carrier has taken and never reported on end when their life is
-- over. Each message is looked at once, behind a mark that moves along the ids.
-- +goose Up
create table expiry_marks (
    channel  text primary key,
    examined uuid not null default '00000000-0000-0000-0000-000000000000' -- messages up to this id were looked at
);
