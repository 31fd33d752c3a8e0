-- Pending callbacks, few among all, so that those without a job are found.
-- +goose NO TRANSACTION
-- +goose Up
drop index concurrently if exists deliveries_pending;
create index concurrently deliveries_pending on deliveries (id) where state = 'pending';
