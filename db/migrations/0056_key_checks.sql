-- A value sealed with each encryption key, so that a process with another key
-- of the same name, or without it, does not start.
-- +goose Up
create table key_checks (
    key_id     text        primary key check (char_length(key_id) between 1 and 100),
    sealed     bytea       not null,
    created_at timestamptz not null default now()
);
