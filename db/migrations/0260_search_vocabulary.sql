-- More of the field's vocabulary: what people type who send to many, write other
-- scripts, opt in again or look for help.
-- +goose Up
insert into search_synonyms (term, means) values
    ('broadcast', 'many people'), ('broadcast', 'many recipients'), ('bulk', 'many people'), ('bulk', 'many recipients'), ('mass', 'many people'),
    ('many people', 'many recipients'), ('vernacular', 'unicode'), ('hindi', 'unicode'), ('segment', 'part'), ('swipe', 'carousel'), ('swipeable', 'carousel'),
    ('cart', 'order'), ('shopping cart', 'order'), ('postback', 'webhook'), ('postback', 'callback'), ('indian', 'india'),
    ('opt in', 'start'), ('opted in', 'start'), ('resubscribe', 'opt in'), ('resubscribe', 'start'), ('subscribe again', 'opt in'), ('scope', 'permission'),
    ('whitelist', 'allowlist'), ('library', 'client'), ('sdk', 'client library'), ('support', 'contact'), ('diff', 'compare'), ('difference', 'compare'),
    ('e 164', 'international format'), ('senderid', 'sender id'), ('senderid', 'header'), ('billed', 'pay'), ('billing', 'pricing'), ('charged', 'pricing'), ('transactional', 'service'),
    ('phone number', 'mobile number'), ('server down', 'does not answer'), ('server is down', 'does not answer'), ('incoming', 'inbound')
on conflict (term, means) do nothing;
