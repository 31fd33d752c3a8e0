-- What organisations send SMS with, and the references that name a submission
-- once in 24 hours.
-- +goose Up
create table sms_accounts (
    organisation_id   bigint primary key references organisations on delete cascade,
    state             text        not null default 'active' check (state in ('active', 'inactive', 'suspended', 'deactivated')),
    class             text        not null default 'standard' check (class in ('standard', 'otp')),
    expires_at        timestamptz,
    api_access        boolean     not null default true,
    promotional       boolean     not null default true,
    scheduling        boolean     not null default true,
    international     boolean     not null default true,
    auto_unicode      boolean     not null default true,
    wide_reference    boolean     not null default false,
    return_otp        boolean     not null default false,
    reports           smallint    not null default 1 check (reports between 0 and 2),
    allowed_addresses text[]      not null default '{}',
    entity_id         text        not null default '' check (entity_id ~ '^([0-9]{6,20})?$'),
    created_at        timestamptz not null default now(),
    updated_at        timestamptz not null default now()
);

create table sms_headers (
    organisation_id bigint      not null references sms_accounts on delete cascade,
    header          text        not null check (char_length(header) between 1 and 15),
    kind            text        not null check (kind in ('transactional', 'promotional', 'international')),
    created_at      timestamptz not null default now(),
    primary key (organisation_id, header)
);

create table sms_templates (
    id              bigint generated always as identity (start with 4001) primary key,
    organisation_id bigint      not null references sms_accounts on delete cascade,
    name            text        not null check (char_length(name) between 1 and 100),
    dlt_template_id text        not null default '' check (dlt_template_id ~ '^([0-9]{6,20})?$'),
    header          text        not null default '',
    text            text        not null check (char_length(text) between 1 and 2000),
    created_at      timestamptz not null default now()
);
create index on sms_templates (organisation_id, id);

-- Small and never partitioned, so that a reference is unique across processes.
-- Rows older than a day are replaced, and deleted by housekeeping.
create table sms_references (
    organisation_id bigint      not null,
    reference       text        not null check (char_length(reference) between 1 and 50),
    created_at      timestamptz not null default now(),
    primary key (organisation_id, reference)
);
create index on sms_references (created_at);

create trigger changed after insert or update or delete on sms_accounts for each statement execute function notify_changed();
create trigger changed after insert or update or delete on sms_headers for each statement execute function notify_changed();
create trigger changed after insert or update or delete on sms_templates for each statement execute function notify_changed();
