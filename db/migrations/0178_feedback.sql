-- What readers say about pages of the documentation. An answer of the same reader
-- about the same page on the same day replaces the one before.
-- +goose Up
create table feedback (
    id         bigint      generated always as identity primary key,
    page       text        not null check (char_length(page) between 1 and 500),
    helpful    boolean     not null,
    comment    text        not null default '' check (char_length(comment) <= 1000),
    reader     bytea       not null, -- HMAC of the address, keyed for the day
    created_at timestamptz not null default now(),
    unique (page, reader)
);
create index feedback_created_at on feedback (created_at); -- the newest, and what is too old
