-- Files of partners: media to send, and uploads in steps, whose handles
-- templates and profiles take.
-- +goose Up
-- An object of storage that nothing refers to is named here, and removed once
-- due: a file on its way in, from before its first byte until its row is
-- committed, and a file whose row is gone, whatever deleted it.
create table discarded_objects (
    object text        primary key check (object ~ '^(media|uploads|builds)/[a-z0-9][a-z0-9-]{0,63}$'),
    due_at timestamptz not null
);
create index on discarded_objects (due_at);

create table media (
    id              bigint primary key references registry on delete cascade,
    organisation_id bigint      not null references organisations on delete cascade,
    phone_number_id bigint      not null references phone_numbers on delete cascade,
    object          text        not null unique,
    mime_type       text        not null check (char_length(mime_type) between 3 and 100),
    size            bigint      not null check (size between 1 and 104857600), -- bytes
    sha256          text        not null check (sha256 ~ '^[0-9a-f]{64}$'),
    file_name       text        not null check (char_length(file_name) between 1 and 120),
    created_at      timestamptz not null default now(),
    expires_at      timestamptz not null
);
create index on media (organisation_id);
create index on media (phone_number_id);
create index on media (expires_at);

create table uploads (
    id              uuid        primary key,
    organisation_id bigint      not null references organisations on delete cascade,
    mime_type       text        not null check (mime_type in ('application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4')),
    size            bigint      not null check (size between 1 and 104857600), -- bytes announced
    received        bigint      not null default 0 check (received between 0 and size), -- bytes stored
    file_name       text        not null check (char_length(file_name) <= 120),
    object          text        unique, -- the whole file, null until it is complete
    created_at      timestamptz not null default now(),
    expires_at      timestamptz not null, -- of the session, and once complete of the handle
    check (object is null or received = size)
);
create index on uploads (organisation_id);
create index on uploads (expires_at);

create table upload_parts (
    upload_id uuid   not null references uploads on delete cascade,
    start     bigint not null check (start >= 0), -- offset of its first byte
    object    text   not null unique,
    primary key (upload_id, start)
);

-- +goose StatementBegin
create function discard_object() returns trigger language plpgsql as $$
begin
    if old.object is not null then
        insert into discarded_objects (object, due_at) values (old.object, now())
        on conflict (object) do update set due_at = excluded.due_at;
    end if;
    return null;
end
$$;
-- +goose StatementEnd
create trigger discarded after delete on media for each row execute function discard_object();
create trigger discarded after delete on uploads for each row execute function discard_object();
create trigger discarded after delete on upload_parts for each row execute function discard_object();
