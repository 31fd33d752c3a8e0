-- How long a message is tried, as its template said when it was accepted.
-- +goose Up
alter table messages add column ttl_seconds integer not null default 0; -- 0: the channel's own, 30 days
