-- Words that developers type for exports and for requests by address.
-- +goose Up
insert into search_synonyms (term, means) values
    ('download', 'export'), ('get request', 'query string'), ('hindi', 'unicode'), ('spec', 'openapi'), ('specification', 'openapi')
on conflict (term, means) do nothing;
