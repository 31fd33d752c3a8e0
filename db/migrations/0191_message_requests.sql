-- The request that a message was accepted with, as X-Request-Id named it. Code of
-- before leaves it empty. There is no index: a request id begins with its time, and
-- ids of messages are in order of time.
-- +goose Up
alter table messages add column request_id text not null default '' check (char_length(request_id) <= 64);
