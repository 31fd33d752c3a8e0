-- Tokens with which programs bring documents into one product for an administrator.
-- +goose Up
create table import_tokens (
    id            bigint      generated always as identity primary key,
    admin_user_id bigint      not null references admin_users on delete cascade,
    product_id    bigint      not null references items on delete cascade,
    name          text        not null check (char_length(name) between 1 and 80),
    prefix        text        not null check (char_length(prefix) <= 20), -- what is shown of it
    hash          bytea       not null unique check (octet_length(hash) = 32),
    created_at    timestamptz not null default now(),
    expires_at    timestamptz not null,
    last_used_at  timestamptz,
    revoked_at    timestamptz
);
create index on import_tokens (admin_user_id);
create index on import_tokens (product_id);

alter table imports drop constraint imports_source_check;
alter table imports add constraint imports_source_check check (source in ('file', 'text', 'address', 'watch', 'api'));
alter table imports add column token_id bigint references import_tokens on delete set null;
create index on imports (token_id);
