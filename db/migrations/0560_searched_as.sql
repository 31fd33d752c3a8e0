-- What people call a page, who have not read it, is content of the page: its author
-- writes it. Rows of search keep the phrases, because a search compares them with the
-- whole query.
-- +goose Up
alter table search_rows add column searched_as text[] not null default '{}';
alter table search_loads add column searched_as text[] not null default '{}';
