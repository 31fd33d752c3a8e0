-- Search: one row for everything that a reader can look for, the words to
-- mend misspellings with, synonyms, and how long queries were.
-- +goose Up
create extension if not exists pg_trgm; -- parts of paths

-- Stems without stop words: "to" and "from" are names of fields.
create text search dictionary docs_stem (template = snowball, language = english);
create text search configuration docs (copy = simple);
alter text search configuration docs alter mapping for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
    with docs_stem;

-- What was written before lacks the new columns: the seed writes it again.
drop table search_rows;
create table search_rows (
    id         bigint generated always as identity primary key,
    scope_id   bigint   not null references items on delete cascade, -- the release scope that wrote it
    item_id    bigint   not null references items on delete cascade,
    kind       text     not null check (kind in ('product', 'version', 'category', 'endpoint', 'schema', 'field', 'example', 'error', 'guide')),
    product    text     not null,
    version    text     not null default '',
    method     text     not null default '',
    title      text     not null,
    path       text     not null default '',
    url        text     not null,
    breadcrumb text[]   not null default '{}',
    body       text     not null default '', -- plain text that snippets are cut from
    deprecated boolean  not null default false,
    weight     real     not null check (weight > 0), -- how much it is worth by what it is, 1 for an endpoint
    terms      tsvector not null -- A the name, B path, C text, D where it stands
);
create index on search_rows (scope_id);
create index on search_rows (item_id);
create index on search_rows using gin (terms);

-- The names of those rows, apart, since nearly every search is answered from
-- them: narrow rows stay in memory.
create table search_names (
    id       bigint   not null, -- of the row
    scope_id bigint   not null references items on delete cascade,
    kind     text     not null,
    product  text     not null,
    version  text     not null,
    method   text     not null,
    weight   real     not null,
    size     smallint not null check (size > 0), -- words of the title
    key      text     collate "C" not null, -- the title in lower case without spaces or signs
    alias    text     collate "C" not null, -- the same of another name: operation id, dotted path
    shape    text     not null, -- the path in lower case with {} for every parameter
    words    tsvector not null
);
create index on search_names (scope_id);
create index on search_names (key, weight desc) include (id, kind, product, version, method);
create index on search_names (alias, weight desc) include (id, kind, product, version, method) where alias <> '';
create index on search_names (method, weight desc) where kind = 'endpoint';
create index on search_names using gin (shape gin_trgm_ops) where shape <> '';
create index on search_names using gin (words) where kind = 'field';
create index on search_names using gin (words) where kind <> 'field';

-- The words within those rows, as they are written.
create table search_words (
    scope_id bigint  not null references items on delete cascade,
    word     text    not null check (char_length(word) between 3 and 40),
    rows     integer not null check (rows > 0), -- that have it
    primary key (word, scope_id)
);
create index on search_words (scope_id);
create trigger changed after insert or delete on search_words for each statement execute function notify_changed();

-- Who looks for the term also finds what is said with the other words.
create table search_synonyms (
    id    bigint generated always as identity primary key,
    term  text not null check (term = lower(term) and char_length(term) between 1 and 60),
    means text not null check (means = lower(means) and char_length(means) between 1 and 60 and means <> term),
    unique (term, means)
);
create trigger changed after insert or update or delete on search_synonyms for each statement execute function notify_changed();

insert into search_synonyms (term, means) values
    ('2fa', 'one time password'), ('add', 'create'), ('api token', 'apikey'), ('attachment', 'media'), ('auth', 'authentication'),
    ('banned', 'blocked'), ('callback', 'webhook'), ('catalog', 'catalogue'), ('catalogue', 'catalog'), ('cell', 'phone'),
    ('change', 'update'), ('change', 'edit'), ('check', 'get'), ('color', 'colour'), ('colour', 'color'), ('credential', 'apikey'),
    ('delete', 'remove'), ('delivery report', 'status'), ('dlr', 'delivery report'), ('dnd', 'do not disturb'), ('edit', 'update'),
    ('fetch', 'get'), ('file', 'media'), ('find', 'get'), ('handset', 'device'), ('hook', 'webhook'), ('image', 'media'),
    ('key', 'apikey'), ('limit', 'rate limit'), ('list', 'get'), ('locale', 'language'), ('lookup', 'look up'), ('make', 'create'),
    ('mobile', 'phone'), ('modify', 'edit'), ('modify', 'update'), ('msisdn', 'number'), ('new', 'create'),
    ('number', 'phone number'), ('organisation', 'organization'), ('organization', 'organisation'), ('otp', 'one time password'),
    ('one time password', 'otp'), ('passcode', 'one time password'), ('payload', 'body'), ('photo', 'image'),
    ('picture', 'image'), ('pin', 'one time password'), ('quota', 'limit'), ('receipt', 'delivery report'), ('receiver', 'to'),
    ('recipient', 'to'), ('register', 'create'), ('remove', 'delete'), ('resend', 'regenerate'), ('retrieve', 'get'), ('search', 'find'),
    ('sender', 'from'), ('show', 'get'), ('signature', 'sign'), ('submit', 'send'), ('send', 'submit'), ('text', 'message'), ('text', 'sms'),
    ('throttle', 'rate limit'), ('throttling', 'too many'), ('token', 'apikey'), ('ttl', 'time to live'), ('update', 'edit'),
    ('verification code', 'one time password'), ('waba', 'business account');

-- One row for each search: nothing about who searched, nor for what.
create table searches (
    day     date    not null default current_date,
    length  integer not null check (length > 0), -- characters of the query
    results integer not null check (results >= 0)
);
create index on searches (day);
