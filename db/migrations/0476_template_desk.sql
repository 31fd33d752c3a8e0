-- Templates of live organisations wait for an administrator.
-- +goose Up
create index message_templates_pending on message_templates (seq) where status = 'PENDING';
