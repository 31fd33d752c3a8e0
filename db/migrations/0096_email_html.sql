-- The HTML part of emails, and the messages that failed.
-- +goose Up
alter table notifications add column html bytea; -- sealed; null without one, and once nobody needs it
create index notifications_failed on notifications (finished_at) where state in ('failed', 'expired');
create index notifications_topic on notifications (topic, id) where topic <> '';
create index notifications_recipient on notifications (lower(recipient), id);
