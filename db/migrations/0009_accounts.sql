-- What people see of a business, and accounts that a business may use though
-- another owns them.
-- +goose Up
create table business_profiles (
    phone_number_id bigint primary key references phone_numbers on delete cascade,
    about           text        not null default '' check (char_length(about) <= 139),
    address         text        not null default '' check (char_length(address) <= 256),
    description     text        not null default '' check (char_length(description) <= 256),
    email           text        not null default '' check (char_length(email) <= 128),
    websites        text[]      not null default '{}' check (cardinality(websites) <= 2),
    vertical        text        not null default '' check (char_length(vertical) <= 32),
    updated_at      timestamptz not null default now()
);

create table business_account_clients (
    business_account_id bigint      not null references business_accounts on delete cascade,
    business_id         bigint      not null references businesses on delete cascade, -- whom it is shared with
    created_at          timestamptz not null default now(),
    primary key (business_id, business_account_id)
);
create index on business_account_clients (business_account_id);
