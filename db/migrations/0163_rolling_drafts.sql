-- Saves while somebody types: each revision that a form saves by itself names the
-- form, and the last one of a form stands for those before it. Null in all other
-- revisions. Processes of the version before write none.
-- +goose Up
alter table revisions add column form text check (char_length(form) <= 40);
create index revisions_form on revisions (item_id, form) where form is not null;
