-- What every surface shares: rate limits and the audit chain.
-- +goose Up
-- Logged, though written with asynchronous commit: limits survive a crash.
create table rate_limits (
    key text primary key check (char_length(key) <= 200),
    tat timestamptz not null -- theoretical arrival time of the generic cell rate algorithm
) with (fillfactor = 70);
create index on rate_limits (tat);

create table audit_entries (
    seq       bigint primary key,
    prev      bytea       not null check (octet_length(prev) = 32),
    hash      bytea       not null check (octet_length(hash) = 32),
    canonical bytea       not null, -- the bytes that were hashed after prev
    at        timestamptz not null,
    actor     text        not null check (char_length(actor) between 1 and 200), -- for instance admin:1, organisation:4, system
    action    text        not null check (char_length(action) between 1 and 100), -- for instance release.publish
    target    text        not null check (char_length(target) between 1 and 200),
    details   jsonb       not null default '{}'
);
create index on audit_entries (at);
create index on audit_entries (target);
create trigger immutable before update or delete on audit_entries for each row execute function refuse_change();
create trigger untruncated before truncate on audit_entries for each statement execute function refuse_change();

-- The one row that serialises writers of the chain.
create table audit_head (
    singleton boolean primary key default true check (singleton),
    seq       bigint not null,
    hash      bytea  not null check (octet_length(hash) = 32)
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));
