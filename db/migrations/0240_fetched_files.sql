-- Files that messages name by link are kept after they were fetched, so that retries
-- and other messages with the link do not fetch them again.
-- +goose Up
create table fetched_files (
    organisation_id bigint      not null references organisations on delete cascade,
    sha256          text        not null check (sha256 ~ '^[0-9a-f]{64}$'),
    object          text        not null unique,
    mime_type       text        not null check (char_length(mime_type) between 3 and 100),
    size            bigint      not null check (size between 1 and 104857600), -- bytes
    expires_at      timestamptz not null,
    primary key (organisation_id, sha256)
);
create index on fetched_files (expires_at);
create trigger discarded after delete on fetched_files for each row execute function discard_object();

-- What is known of a link: its file, or why it cannot be sent. A row with neither is
-- being fetched.
create table fetched_links (
    organisation_id bigint      not null references organisations on delete cascade,
    link            bytea       not null check (octet_length(link) = 32), -- SHA-256 of what it is sent as and its address
    sha256          text,
    problem         text        not null default '',
    fetched_at      timestamptz,
    claimed_until   timestamptz not null, -- until then one process fetches it
    primary key (organisation_id, link),
    foreign key (organisation_id, sha256) references fetched_files on delete cascade
);
create index on fetched_links (organisation_id, sha256);
create index on fetched_links (claimed_until) where sha256 is null;
