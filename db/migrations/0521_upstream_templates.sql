-- Templates of accounts that live at an upstream are created, reviewed and deleted there.
-- What the partner wrote stays with the template; what came back is here. Code of before
-- leaves these templates to the desk.
-- +goose Up
create table upstream_templates (
    template_id bigint      primary key references message_templates on delete cascade,
    carrier     text        not null,
    account     text        not null,
    upstream_id text        not null default '' check (char_length(upstream_id) <= 200),
    attempted   boolean     not null default false,
    revision    integer     not null default 0,
    status      text        not null default '' check (char_length(status) <= 40),
    reason      text        not null default '' check (char_length(reason) <= 200),
    components  json,
    error       text        not null default '' check (char_length(error) <= 1000),
    observed_at timestamptz
);
create index on upstream_templates (carrier, upstream_id);

comment on table upstream_templates is 'What an upstream has of the templates that live there. What the partner wrote is in message_templates.';
comment on column upstream_templates.account is 'of the upstream';
comment on column upstream_templates.upstream_id is 'empty until it was created';
comment on column upstream_templates.attempted is 'a creation whose answer may be lost';
comment on column upstream_templates.revision is 'that the upstream has';
comment on column upstream_templates.status is 'in the words of the upstream, also ones that are not known here';
comment on column upstream_templates.components is 'as the upstream has them';
comment on column upstream_templates.error is 'of the last try';
