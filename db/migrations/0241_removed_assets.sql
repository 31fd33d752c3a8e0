-- Numbers and accounts that an administrator removed. They stay for the callbacks of
-- what they sent, and are deleted later. The number itself is free for others at once.
-- Code of before shows them as if they were still there.
-- +goose Up
alter table phone_numbers add column removed_at timestamptz;
alter table business_accounts add column removed_at timestamptz;
alter table phone_numbers drop constraint phone_numbers_number_key;
create unique index phone_numbers_number_key on phone_numbers (number) where removed_at is null;
