-- Each use of a limit updates its row, and only the hourly clean-up looked at the index.
-- Without it the update touches the table alone, whose pages have room for that.
-- +goose Up
drop index rate_limits_tat_idx;
