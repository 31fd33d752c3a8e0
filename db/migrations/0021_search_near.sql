-- Search: the words around a name, for queries that name a thing and what to do
-- with it.
-- +goose Up
alter table search_names add column near tsvector not null default ''; -- A the name, B what else it is called, D where it stands
create index on search_names using gin (near) where kind = 'field';
create index on search_names using gin (near) where kind <> 'field';

-- What was written before lacks them: the seed writes it again.
delete from search_rows;
delete from search_names;
delete from search_words;

insert into search_synonyms (term, means) values
    ('api key', 'apikey'), ('broadcast', 'send'), ('bulk', 'many'), ('check', 'verify'), ('check', 'look up'), ('configure', 'set'),
    ('delivery status', 'message status'), ('error code', 'error'), ('length', 'long'), ('mnp', 'ported'), ('opt out', 'opted out'),
    ('pdf', 'document'), ('portability', 'ported'), ('rate limit', 'too many'), ('register', 'set'), ('retry', 'repeat'),
    ('sandbox', 'test'), ('sign up', 'register'), ('test', 'sandbox'), ('throttle', 'too many'), ('unicode', 'ucs 2'),
    ('unsubscribe', 'opt out'), ('validate', 'verify'), ('validate', 'check'), ('verify', 'check')
on conflict do nothing;
