-- The media gallery: files that editors use in pages, with public addresses.
-- +goose Up
alter table discarded_objects drop constraint discarded_objects_object_check;
alter table discarded_objects add constraint discarded_objects_object_check
    check (object ~ '^(media|uploads|builds|gallery)/[a-z0-9][a-z0-9-]{0,63}$');

create table gallery_folders (
    id         bigint      generated always as identity primary key,
    parent_id  bigint      references gallery_folders, -- null at the top
    name       text        not null check (char_length(name) between 1 and 80),
    created_at timestamptz not null default now(),
    unique nulls not distinct (parent_id, name)
);

-- The id is part of the public address and stays when the bytes are replaced.
create table gallery_items (
    id         text        primary key check (id ~ '^[a-z2-7]{10}$'),
    folder_id  bigint      references gallery_folders, -- null at the top
    name       text        not null check (char_length(name) between 1 and 120),
    kind       text        not null check (kind in ('image', 'video', 'audio', 'document')),
    alt        text        not null default '' check (char_length(alt) <= 500),
    file_id    bigint,     -- what the address serves; null until the first file is ready
    public_at  timestamptz, -- null while it waits for the release of the draft that it was added in
    created_by bigint      references admin_users on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    trashed_at timestamptz
);
create index on gallery_items (folder_id, name);
create index on gallery_items (trashed_at) where trashed_at is not null;

-- A file is one upload of an item; replacing adds one.
create table gallery_files (
    id            bigint      generated always as identity primary key,
    item_id       text        not null references gallery_items on delete cascade,
    state         text        not null check (state in ('waiting', 'ready', 'refused')),
    problem       text        not null default '', -- why it was refused
    object        text        unique, -- as uploaded, until its sizes are made
    mime_type     text        not null check (char_length(mime_type) between 3 and 100), -- as uploaded
    source_sha256 text        not null check (source_sha256 ~ '^[0-9a-f]{64}$'), -- of the uploaded bytes
    created_by    bigint      references admin_users on delete set null,
    created_at    timestamptz not null default now()
);
create index on gallery_files (item_id, id);
create index on gallery_files (source_sha256);
alter table gallery_items add foreign key (file_id) references gallery_files on delete set null;
create trigger discarded after delete on gallery_files for each row execute function discard_object();

-- What is served of a file: all of it, and images in smaller sizes.
create table gallery_renditions (
    file_id   bigint  not null references gallery_files on delete cascade,
    variant   text    not null check (variant in ('full', 'large', 'medium', 'small')),
    object    text    not null unique,
    mime_type text    not null check (char_length(mime_type) between 3 and 100),
    size      bigint  not null check (size > 0), -- bytes
    sha256    text    not null check (sha256 ~ '^[0-9a-f]{64}$'),
    width     integer not null default 0, -- pixels; 0 for what is no image
    height    integer not null default 0,
    primary key (file_id, variant)
);
create trigger discarded after delete on gallery_renditions for each row execute function discard_object();

-- Which revisions name which items of the gallery.
create table gallery_uses (
    media_id    text   not null,
    item_id     bigint not null references items on delete cascade,
    revision_id bigint not null references revisions on delete cascade,
    primary key (media_id, revision_id)
);
create index on gallery_uses (revision_id);
create index on gallery_uses (item_id);

-- +goose StatementBegin
create function record_gallery_uses() returns trigger language plpgsql as $$
declare
    content text := new.content::text;
begin
    if strpos(content, '/media/') > 0 then
        insert into gallery_uses (media_id, item_id, revision_id)
        select distinct m[1], new.item_id, new.id from regexp_matches(content, '/media/([a-z2-7]{10})/', 'g') m
        on conflict do nothing;
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger gallery_uses after insert on revisions for each row execute function record_gallery_uses();

create trigger changed after insert or update or delete on gallery_items for each statement execute function notify_changed();
create trigger changed after insert or update or delete on gallery_renditions for each statement execute function notify_changed();
