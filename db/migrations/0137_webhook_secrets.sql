-- A secret of a webhook can be replaced while the one before it signs as well.
-- Code of before signs with the new one alone.
-- +goose Up
alter table webhooks add column previous_secret bytea; -- sealed
alter table webhooks add column previous_secret_until timestamptz;
