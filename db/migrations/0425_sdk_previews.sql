-- What pages show of the archive of a client library: how its example runs and what
-- changed, and the code that calls each operation, by the slugs of their pages.
-- +goose Up
alter table sdk_builds add preview jsonb not null default '{}', add calls jsonb not null default '{}';
