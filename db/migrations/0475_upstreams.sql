-- A carrier of the messaging channel that speaks the Graph API has ids of its own for
-- messages and files, and posts what happens. Code of before knows no such carrier.
-- +goose Up
-- Posts that no job has read yet.
create table upstream_posts (
    id          bigint generated always as identity primary key,
    carrier     text        not null,
    body        bytea       not null,
    received_at timestamptz not null default now()
);
create index on upstream_posts (received_at);

-- What an upstream calls the messages that people sent. Each is taken once.
create table upstream_messages (
    carrier     text        not null,
    upstream_id text        not null check (char_length(upstream_id) between 1 and 200),
    message_id  uuid        not null,
    received_at timestamptz not null default now(),
    primary key (carrier, upstream_id)
);
create index on upstream_messages (message_id);
create index on upstream_messages (received_at);

-- What an upstream calls the files that it has.
create table upstream_media (
    carrier     text        not null,
    media_id    bigint      not null,
    upstream_id text        not null check (char_length(upstream_id) between 1 and 200),
    uploaded_at timestamptz not null default now(),
    primary key (carrier, media_id)
);
create index on upstream_media (uploaded_at);

-- Parts of messages of which nobody knows whether their carrier has them. A person
-- decides what becomes of each.
create table parked_parts (
    message_id uuid        not null,
    leg        smallint    not null check (leg > 0),
    part       smallint    not null check (part > 0),
    carrier    text        not null,
    hand_over  smallint    not null check (hand_over > 0), -- that nothing is known of
    parked_at  timestamptz not null default now(),
    primary key (message_id, leg, part)
);
create index on parked_parts (parked_at);
