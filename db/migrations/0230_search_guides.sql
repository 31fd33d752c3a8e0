-- Guides are looked for apart from the pages of contracts, of which there are many
-- more: few rows are read where only guides can still be better than what was
-- found by name.
-- +goose Up
create index search_rows_guides on search_rows using gin (page) where page is not null and kind = 'guide';
create index search_rows_contracts on search_rows using gin (page) where page is not null and kind <> 'guide';
drop index search_rows_page;
