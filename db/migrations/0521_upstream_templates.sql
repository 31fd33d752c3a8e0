-- Templates of accounts that live at an upstream are created, reviewed and deleted there.
-- What the partner wrote stays with the template; what came back is here. Code of before
-- leaves these templates to the desk.
-- +goose Up
create table upstream_templates (
    template_id bigint      primary key references message_templates on delete cascade,
    carrier     text        not null,
    account     text        not null, -- of the upstream
    upstream_id text        not null default '' check (char_length(upstream_id) <= 200), -- empty until it was created
    attempted   boolean     not null default false, -- a creation whose answer may be lost
    revision    integer     not null default 0, -- that the upstream has
    status      text        not null default '' check (char_length(status) <= 40), -- in the words of the upstream, also ones that we do not know
    reason      text        not null default '' check (char_length(reason) <= 200),
    components  json, -- as the upstream has them
    error       text        not null default '' check (char_length(error) <= 1000), -- of the last try
    observed_at timestamptz
);
create index on upstream_templates (carrier, upstream_id);
