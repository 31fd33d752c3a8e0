-- The archives of client libraries, one for each language of a release. The file is
-- kept in the storage by its hash.
-- +goose Up
create table sdk_builds (
	release_id   bigint not null references releases (id) on delete cascade,
	language     text not null check (language in ('node', 'python', 'java', 'php', 'csharp', 'go')),
	state        text not null default 'waiting' check (state in ('waiting', 'built', 'failed')),
	sdk_version  text not null default '',
	object       text not null default '',
	sha256       text not null default '',
	size         bigint not null default 0,
	error        text not null default '',
	requested_at timestamptz not null default now(),
	ended_at     timestamptz,
	primary key (release_id, language)
);
create index sdk_builds_state on sdk_builds (state, requested_at) where state <> 'built';
