-- A message may have legs: when its first channel fails, the next one carries it
-- under the same id. Code of before knows one leg, and writes none of these.
-- +goose Up
alter table messages add column leg smallint not null default 1; -- that is carried now
-- The legs after the first, in order: channel, sender, kind, payload, parts, ttl.
alter table messages add column legs json;
alter table messages add column leg_at timestamptz; -- when that leg began; null on the first

-- The states of the legs after the first; message_events has those of the first.
create table leg_events (
    message_id  uuid        not null references messages on delete cascade,
    leg         smallint    not null check (leg > 1),
    state       text        not null,
    occurred_at timestamptz not null,
    failure     json,
    recorded_at timestamptz not null default now(),
    primary key (message_id, leg, state) -- a duplicate report changes nothing
);
