-- Search: the words of whole pages, for queries whose words stand in different
-- places of one page.
-- +goose Up
alter table search_rows add column page tsvector; -- A the title, B headings, C text, D fields; null for parts of pages
alter table search_rows add column form smallint not null default 0; -- of the index that wrote the row: older ones are written again
create index search_rows_page on search_rows using gin (page) where page is not null;
alter table search_loads add column headings text not null default '';
alter table search_loads add column texts text not null default '';
alter table search_loads add column fields text not null default '';
alter table search_loads add column whole boolean not null default false;
alter table search_loads add column form smallint not null default 0;
