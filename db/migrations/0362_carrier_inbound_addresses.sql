-- The address at which a carrier passes messages on is renewed when somebody else may
-- know it. Code of before knows the first address only.
-- +goose Up
alter table carriers add column inbound_renewals integer not null default 0;
