-- The index on (target, seq) does all that this one did.
-- +goose Up
drop index audit_entries_target_idx;
