-- The guides themselves say sender id, message length and bulk now. As a synonym of
-- header alone, sender found the headers of webhooks, and broadcast found everything
-- that sends. To subscribe again is to opt in, and no webhook.
-- +goose Up
delete from search_synonyms where means = 'header' and term in ('sender', 'sender id', 'senderid', 'sender name', 'short code', 'masking', 'from number');
delete from search_synonyms where (term, means) in (('subscribe', 'webhook'), ('broadcast', 'send'), ('broadcast', 'many'), ('sender', 'from'), ('characters', 'long'),
    ('160 characters', 'how long'), ('character count', 'how long'), ('character limit', 'how long'));
insert into search_synonyms (term, means) values
    ('sender name', 'sender id'), ('short code', 'sender id'), ('masking', 'sender id'), ('from number', 'sender id'), ('senderid', 'sender id'),
    ('broadcast', 'bulk'), ('character limit', 'message length'), ('character count', 'message length'), ('mismatch', 'match'), ('never wrote', 'start conversations'),
    ('re subscribe', 'opt in'), ('resubscribe', 'opt in'), ('blue ticks', 'read'), ('capability check', 'support rcs'), ('pe id', 'principal entity'),
    ('submit sm', 'smpp'), ('sub account', 'several customers'), ('subaccount', 'several customers')
on conflict (term, means) do nothing;
