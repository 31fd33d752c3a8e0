-- What partners changed of numbers and catalogues that live at an upstream, and how far
-- each change has come there. Code of before changes these only here.
-- +goose Up
create table upstream_assets (
    kind        text        not null check (kind in ('profile', 'encryption_key', 'qr_code', 'product')),
    asset_id    bigint      not null references registry on delete cascade,
    item        text        not null default '' check (char_length(item) <= 100),
    carrier     text        not null default '',
    upstream_id text        not null default '' check (char_length(upstream_id) <= 500),
    attempted   boolean     not null default false,
    revision    bigint      not null default 1,
    pushed      bigint      not null default 0,
    state       text        not null default '' check (char_length(state) <= 200),
    error       text        not null default '' check (char_length(error) <= 1000),
    changed_at  timestamptz not null default now(),
    pushed_at   timestamptz,
    primary key (kind, asset_id, item)
);
create index on upstream_assets (asset_id);
create index on upstream_assets (changed_at) where pushed < revision or error <> '';

comment on table upstream_assets is 'What was changed of numbers and catalogues that live at an upstream, and how far each change has come there.';
comment on column upstream_assets.asset_id is 'a number or a catalogue of ours';
comment on column upstream_assets.item is 'the code of a QR code, the retailer id of a product';
comment on column upstream_assets.carrier is 'that has it';
comment on column upstream_assets.upstream_id is 'the code of a QR code there, the name of the picture that a profile has there, the batch of a product that is not finished';
comment on column upstream_assets.attempted is 'a creation whose answer may be lost';
comment on column upstream_assets.revision is 'counts the changes here';
comment on column upstream_assets.pushed is 'the change that the upstream has taken or refused';
comment on column upstream_assets.state is 'in the words of the upstream: of the signature of a key, the link of a QR code';
comment on column upstream_assets.error is 'of the last try';
