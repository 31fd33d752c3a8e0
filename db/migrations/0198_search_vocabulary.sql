-- Words that people bring from other services, and what the documentation calls
-- the same. A menu is one kind of list, not every list.
-- +goose Up
delete from search_synonyms where (term, means) in (('list menu', 'list'), ('blue ticks', 'read'));
insert into search_synonyms (term, means) values
    ('access token', 'apikey'), ('agent', 'bot'), ('ai', 'assistant'), ('allowlist', 'addresses'), ('backoff', 'retry'), ('bearer token', 'apikey'),
    ('blue ticks', 'read receipt'), ('broadcast', 'many'), ('carrier', 'operator'), ('chatbot', 'bot'), ('concatenated', 'parts'), ('concurrency', 'rate limit'),
    ('contact card', 'contacts'), ('dedupe', 'duplicate'), ('double tick', 'delivered'), ('duplicate', 'idempotency'), ('emoji', 'unicode'), ('encoding', 'unicode'),
    ('exactly once', 'idempotency'), ('firewall', 'addresses'), ('forbidden', 'permission'), ('idempotent', 'idempotency'), ('incoming', 'inbound'),
    ('incoming', 'receive'), ('ip address', 'addresses'), ('ip whitelist', 'addresses'), ('lifetime', 'expiry'), ('list menu', 'choice list'),
    ('llm', 'assistant'), ('long message', 'parts'), ('menu', 'choice list'), ('merge field', 'variable'), ('mo', 'inbound'), ('multipart', 'parts'),
    ('network', 'operator'), ('ngrok', 'loopback'), ('opt in', 'consent'), ('outgoing', 'send'), ('parameter', 'variable'), ('placeholder', 'variable'),
    ('quote', 'reply'), ('react', 'reaction'), ('refund', 'refunded'), ('retention', 'kept'), ('roll', 'replace'), ('rotate', 'replace'), ('seen', 'read'),
    ('segment', 'parts'), ('sender id', 'header'), ('sender name', 'header'), ('short code', 'header'), ('staging', 'sandbox'), ('stop', 'opt out'),
    ('storage', 'kept'), ('swagger', 'openapi'), ('test environment', 'sandbox'), ('throughput', 'rate limit'), ('timeout', 'seconds'), ('tps', 'rate limit'),
    ('twice', 'duplicate'), ('validity', 'expiry'), ('validity period', 'expiry'), ('vcard', 'contacts'), ('whitelist', 'addresses')
on conflict (term, means) do nothing;
