-- What checks found in the items of change sets, and what each check does in a
-- product: block, warn or nothing. A product without a row for a check has the
-- check's own level. Processes of the version before neither read nor write them.
-- +goose Up
create table check_results (
    change_set_id bigint      not null references change_sets on delete cascade,
    item_id       bigint      not null references items on delete cascade,
    content_hash  bytea       not null check (octet_length(content_hash) = 32), -- of the content that was checked
    basis         bytea       not null check (octet_length(basis) = 32), -- hash of all that the findings depend on
    findings      jsonb       not null default '[]', -- objects of check, field, line and message
    checked_at    timestamptz not null default now(),
    primary key (change_set_id, item_id)
);
create index on check_results (item_id);

create table check_policies (
    product_id bigint not null references items on delete cascade,
    check_name text   not null check (char_length(check_name) <= 40),
    level      text   not null check (level in ('block', 'warn', 'off')),
    primary key (product_id, check_name)
);
