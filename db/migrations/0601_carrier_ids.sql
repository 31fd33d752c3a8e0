-- Each message that a carrier names adds a row here, and only the clean-up looks by time.
-- Rows come in the order of time, so that an index of ranges of pages is enough, which an
-- added row seldom touches.
-- +goose Up
drop index carrier_ids_created_at_idx;
create index carrier_ids_created_at_idx on carrier_ids using brin (created_at) with (pages_per_range = 32);
