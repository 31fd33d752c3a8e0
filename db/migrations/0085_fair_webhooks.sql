-- Webhooks are judged by the share of recent attempts that failed. Callbacks of
-- one that fails wait in line without a job: pending, with no next attempt.
-- +goose Up
alter table webhooks add column recent_attempts double precision not null default 0, -- fading; counted from the first failure on
    add column recent_failures double precision not null default 0, -- of them
    add column counted_at timestamptz; -- when both were counted
-- The line of a webhook, what is due for it, and all pending callbacks when lost
-- jobs are looked for.
create index deliveries_waiting on deliveries (webhook_id, next_attempt_at, id) where state = 'pending';
drop index deliveries_pending;
