-- Web processes keep in memory which report addresses are stored, and forget it when
-- one is deleted.
-- +goose Up
create trigger changed after delete on webhooks for each statement execute function notify_changed();
