-- The administration: links by which administrators set their passwords, who
-- edits which product, and what the audit chain was found to be.
-- +goose Up
alter table admin_users add column password_set_at timestamptz default now(); -- null: invited, and no password yet

-- The link holds a token; only its hash is kept here.
create table admin_links (
    hash          bytea primary key check (octet_length(hash) = 32),
    admin_user_id bigint      not null references admin_users on delete cascade,
    purpose       text        not null check (purpose in ('invitation', 'reset')),
    created_at    timestamptz not null default now(),
    expires_at    timestamptz not null check (expires_at > created_at),
    consumed_at   timestamptz
);
create index on admin_links (admin_user_id);
create index on admin_links (expires_at);

-- Editors write the documentation of the products that they are assigned.
create table product_editors (
    admin_user_id bigint      not null references admin_users on delete cascade,
    product_id    bigint      not null references items on delete cascade,
    created_at    timestamptz not null default now(),
    primary key (admin_user_id, product_id)
);
create index on product_editors (product_id);

create table audit_checks (
    at         timestamptz primary key default clock_timestamp(),
    seq        bigint not null, -- the head that was reached, or named when it was not
    hash       bytea  not null check (octet_length(hash) = 32),
    broken_seq bigint,          -- the first entry that is wrong; null when all hold
    reason     text   not null default '',
    check ((broken_seq is null) = (reason = ''))
);
create index audit_entries_actor on audit_entries (actor, seq desc);
create index audit_entries_target on audit_entries (target, seq desc);

create index organisations_name on organisations using gin (lower(name) gin_trgm_ops);
