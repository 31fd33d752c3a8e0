-- Publishing read every row that earlier releases had put through search_loads
-- since the last vacuum, and looked the item of each part of a release up twice:
-- a revision that exists belongs to an item that exists.
-- +goose Up
create index search_loads_place on search_loads (scope_id, place);
alter table release_items drop constraint release_items_item_id_fkey;
