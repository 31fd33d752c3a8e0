-- What an organisation sends with. Every asset that partners address as /{id}
-- draws its id from one registry, so that the id alone tells the kind.
-- +goose Up
create table registry (
    id              bigint primary key check (id between 100000000000000 and 9999999999999999),
    kind            text   not null check (kind in ('business', 'business_account', 'phone_number', 'catalogue', 'template', 'media', 'product', 'flow')),
    organisation_id bigint not null references organisations on delete cascade,
    unique (id, kind)
);
create index on registry (organisation_id, kind);

create table businesses (
    id              bigint primary key references registry on delete cascade,
    organisation_id bigint      not null references organisations on delete cascade,
    name            text        not null check (char_length(name) between 1 and 200),
    created_at      timestamptz not null default now()
);
create index on businesses (organisation_id);

create table business_accounts (
    id                         bigint primary key references registry on delete cascade,
    organisation_id            bigint      not null references organisations on delete cascade,
    business_id                bigint      not null references businesses on delete cascade,
    name                       text        not null check (char_length(name) between 1 and 200),
    currency                   text        not null check (currency ~ '^[A-Z]{3}$'),
    timezone_id                text        not null check (timezone_id ~ '^[0-9]{1,4}$'),
    message_template_namespace text        not null unique check (message_template_namespace ~ '^[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}$'),
    created_at                 timestamptz not null default now()
);
create index on business_accounts (business_id);
create index on business_accounts (organisation_id);

create table phone_numbers (
    id                  bigint primary key references registry on delete cascade,
    organisation_id     bigint      not null references organisations on delete cascade,
    business_account_id bigint      not null references business_accounts on delete cascade,
    number              text        not null unique check (number ~ '^\+[1-9][0-9]{6,14}$'),
    verified_name       text        not null check (char_length(verified_name) between 1 and 200),
    webhook_secret      bytea       not null, -- sealed; signs relayed callbacks
    created_at          timestamptz not null default now()
);
create index on phone_numbers (organisation_id);
create index on phone_numbers (business_account_id);

create table catalogues (
    id              bigint primary key references registry on delete cascade,
    organisation_id bigint      not null references organisations on delete cascade,
    business_id     bigint      not null references businesses on delete cascade,
    name            text        not null check (char_length(name) between 1 and 200),
    created_at      timestamptz not null default now()
);
create index on catalogues (business_id);
create index on catalogues (organisation_id);

create table message_templates (
    id                       bigint primary key references registry on delete cascade,
    organisation_id          bigint      not null references organisations on delete cascade,
    business_account_id      bigint      not null references business_accounts on delete cascade,
    name                     text        not null check (name ~ '^[a-z0-9_]+$' and char_length(name) <= 512),
    language                 text        not null check (language ~ '^[A-Za-z]{2,3}(_[A-Za-z0-9]{2,8})?$'),
    category                 text        not null check (category in ('AUTHENTICATION', 'UTILITY', 'MARKETING')),
    status                   text        not null check (status in ('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'PENDING_DELETION', 'DELETED', 'LIMIT_EXCEEDED', 'ARCHIVED', 'LOCKED')),
    components               json        not null,
    message_send_ttl_seconds integer,
    created_at               timestamptz not null default now(),
    updated_at               timestamptz not null default now()
);
create unique index message_templates_name on message_templates (business_account_id, name, language) where status <> 'DELETED';
create index on message_templates (organisation_id);

-- Web processes keep keys, numbers and templates in memory for a moment and
-- drop them when one of these tables changes.
-- +goose StatementBegin
create function notify_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('heliograph', 'changed:' || tg_table_name);
    return null;
end
$$;
-- +goose StatementEnd
create trigger changed after insert or update or delete on phone_numbers for each statement execute function notify_changed();
create trigger changed after insert or update or delete on message_templates for each statement execute function notify_changed();
create trigger changed after insert or update of status or delete on organisations for each statement execute function notify_changed();
create trigger changed after insert or update of revoked_at, channels or delete on api_keys for each statement execute function notify_changed();
