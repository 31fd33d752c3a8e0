-- What upstreams say about the numbers and accounts that live there, as last read.
-- +goose Up
create table upstream_states (
    carrier     text        not null,
    kind        text        not null check (kind in ('number', 'account')),
    asset_id    bigint      not null,
    upstream_id text        not null check (char_length(upstream_id) <= 30),
    state       text        not null default '' check (char_length(state) <= 40),
    quality     text        not null default '' check (char_length(quality) <= 40),
    problem     text        not null default '' check (char_length(problem) <= 500),
    since       timestamptz not null default now(),
    read_at     timestamptz not null default now(),
    primary key (carrier, kind, asset_id)
);
comment on table upstream_states is 'What upstreams say about the numbers and accounts that live there, as last read.';
comment on column upstream_states.asset_id is 'of ours';
comment on column upstream_states.state is 'in the words of the upstream';
comment on column upstream_states.problem is 'empty if all is well';
comment on column upstream_states.since is 'when the problem came or went';
