-- Codes that prove a new mobile number, blocks of numbers that programs ask
-- codes for, and a warning before the SMS of a day are used up.
-- +goose Up
alter table otp_challenges drop constraint otp_challenges_purpose_check;
alter table otp_challenges add constraint otp_challenges_purpose_check check (purpose in ('registration', 'recovery', 'mobile'));

create table otp_blocks (
    prefix     text        primary key check (prefix ~ '^\+[0-9]{6}$'),
    sent       integer     not null check (sent > 0), -- codes of the hour before
    verified   integer     not null check (verified >= 0), -- of them
    blocked_at timestamptz not null default now(),
    until      timestamptz not null
);

alter table sms_budgets add column warned_at timestamptz; -- when administrators were told that little is left
