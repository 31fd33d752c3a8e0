-- Words that new users type for what the documentation names otherwise.
-- +goose Up
insert into search_synonyms (term, means) values
    ('approval', 'review'), ('batch', 'many'), ('blue ticks', 'read'), ('bulk', 'many'), ('chatgpt', 'assistant'), ('claude', 'assistant'),
    ('client library', 'openapi'), ('cors', 'browser'), ('cross origin', 'browser'), ('cursor', 'assistant'), ('customer service window', 'conversation'),
    ('expiration', 'expires'), ('expiry', 'expires'), ('expiry', 'time to live'), ('library', 'openapi'), ('list menu', 'list'),
    ('localhost', 'loopback'), ('messages per second', 'rate limit'), ('mfa', 'one time password'), ('next page', 'page'), ('pagination', 'page'),
    ('paging', 'page'), ('pdf', 'document'), ('prod', 'live'), ('production', 'live'), ('quick replies', 'reply buttons'), ('quick reply', 'reply button'),
    ('sandbox number', 'recipient'), ('sdk', 'openapi'), ('sdk', 'sample'), ('service window', 'conversation'), ('two factor', 'one time password'),
    ('two factor authentication', 'one time password'), ('unauthorized', 'authentication'), ('voice note', 'audio'), ('window', 'conversation')
on conflict (term, means) do nothing;
