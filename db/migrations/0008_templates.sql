-- What reviews, edits, pauses and deletion leave on a template.
-- +goose Up
alter table message_templates
    add column seq                   bigint generated always as identity, -- lists are ordered by it, newest first
    add column parameter_format      text        not null default 'POSITIONAL' check (parameter_format in ('POSITIONAL', 'NAMED')),
    add column allow_category_change boolean     not null default false,
    add column previous_category     text        check (previous_category in ('AUTHENTICATION', 'UTILITY', 'MARKETING')),
    add column rejected_reason       text        not null default 'NONE'
        check (rejected_reason in ('NONE', 'ABUSIVE_CONTENT', 'PROMOTIONAL', 'INCORRECT_CATEGORY', 'INVALID_FORMAT', 'TAG_CONTENT_MISMATCH', 'SCAM')),
    add column quality               text        not null default 'UNKNOWN' check (quality in ('GREEN', 'YELLOW', 'RED', 'UNKNOWN')),
    add column quality_at            timestamptz,
    add column revision              integer     not null default 1 check (revision > 0), -- grows with each edit
    add column edits                 timestamptz[] not null default '{}' check (cardinality(edits) <= 10), -- made while approved, of the last 30 days
    add column reviewed_at           timestamptz,
    add column pauses                smallint    not null default 0 check (pauses between 0 and 2),
    add column paused_until          timestamptz,
    add column deleted_at            timestamptz, -- when the partner deleted it
    add column name_blocked_until    timestamptz, -- set by the deletion of an approved one
    add check (message_send_ttl_seconds = -1 or message_send_ttl_seconds between 30 and 2592000),
    add check (rejected_reason = 'NONE' or status = 'REJECTED'),
    add check (paused_until is null or status = 'PAUSED'),
    add check (deleted_at is null or status in ('PENDING_DELETION', 'DELETED')),
    add check (name_blocked_until is null or deleted_at is not null);
create unique index message_templates_list on message_templates (business_account_id, seq desc);
create index message_templates_blocked on message_templates (business_account_id, name) where name_blocked_until is not null;
create index message_templates_due on message_templates (status) where status in ('PAUSED', 'PENDING_DELETION');
