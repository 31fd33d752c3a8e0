-- The products of catalogues, and what became of the batches that wrote them.
-- +goose Up
create table products (
    id                        bigint primary key references registry on delete cascade,
    catalogue_id              bigint      not null references catalogues on delete cascade,
    retailer_id               text        not null check (char_length(retailer_id) between 1 and 100),
    name                      text        not null check (char_length(name) between 1 and 200),
    description               text        not null default '' check (char_length(description) <= 9999),
    availability              text        not null default '' check (availability in ('', 'in stock', 'out of stock', 'preorder', 'available for order', 'discontinued')),
    condition                 text        not null default '' check (condition in ('', 'new', 'refurbished', 'used')),
    brand                     text        not null default '' check (char_length(brand) <= 100),
    category                  text        not null default '' check (char_length(category) <= 750),
    url                       text        not null default '' check (char_length(url) <= 2048),
    image_url                 text        not null default '' check (char_length(image_url) <= 2048),
    retailer_product_group_id text        not null default '' check (char_length(retailer_product_group_id) <= 100),
    price                     bigint check (price >= 0), -- in the smallest unit of the currency
    currency                  text        not null default '' check (currency ~ '^([A-Z]{3})?$'),
    shipping                  json, -- as the partner gave it
    applinks                  json,
    check (price is null or currency <> ''),
    unique (catalogue_id, retailer_id)
);
create unique index products_page on products (catalogue_id, id);

create table catalogue_batches (
    handle       text primary key check (char_length(handle) between 20 and 40),
    catalogue_id bigint      not null references catalogues on delete cascade,
    errors       json        not null, -- of items that were not taken
    created_at   timestamptz not null default now()
);
create index on catalogue_batches (catalogue_id);
create index on catalogue_batches (created_at);
