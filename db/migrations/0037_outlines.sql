-- What lists, addresses and references need of a revision, so that all that is
-- published can be indexed without reading the documentation itself.
-- +goose Up
-- +goose StatementBegin
create function revision_outline(content json) returns json language plpgsql immutable parallel safe as $$
declare
    raw json;
begin
    raw := content->'raw';
    return json_build_object(
        'operation_id', content->'operation_id',
        'name', content->'name',
        'category', content->'category',
        'method', content->'method',
        'path', content->'path',
        'order', content->'order',
        'purpose', left(content->>'purpose', 1000),
        'deprecated', raw->'deprecated',
        'security', raw->'security',
        'servers', raw->'servers',
        'refs', (
            select json_agg(distinct reference[1])
            from regexp_matches(content::text, '"\$(?:r|dynamicR|recursiveR)ef"\s*:\s*"(#[^"]*)"', 'g') reference),
        'size', octet_length(content::text));
exception when others then
    -- Text that is json but no text of PostgreSQL, such as \u0000: readers of
    -- the outline read the content.
    return null;
end
$$;
-- +goose StatementEnd
alter table revisions add column outline json generated always as (revision_outline(content)) stored;
