-- The vocabulary of the field, beside the words that the documentation uses: what
-- engineers who come from other services call keys, events, limits, files, failures
-- and tools.
-- +goose Up
insert into search_synonyms (term, means) values
    -- events that are sent to partners
    ('callback url', 'webhook'), ('notification', 'callback'), ('notification', 'webhook'), ('notify', 'callback'), ('event', 'callback'), ('listener', 'webhook'),
    ('endpoint url', 'webhook'), ('push', 'callback'), ('subscribe', 'webhook'), ('subscription', 'webhook'), ('hmac', 'signature'), ('authenticity', 'signature'),
    ('genuine', 'signature'), ('spoof', 'genuine'), ('tamper', 'signature'), ('verify signature', 'check signature'), ('signing secret', 'webhook secret'),
    ('shared secret', 'webhook secret'), ('acknowledge', 'answer'), ('ack', 'answer'), ('respond', 'answer'), ('200 ok', 'answer 2xx'), ('redelivery', 'attempt'),
    ('redeliver', 'attempt'), ('retry policy', 'attempt'), ('retry', 'tried again'), ('retry', 'attempt'), ('time out', 'within 10 seconds'),
    ('timeout', 'within 10 seconds'), ('ordering', 'out of order'), ('sequence', 'out of order'), ('test event', 'simulated'), ('replay', 'duplicate'),
    ('replay', 'idempotency'), ('dedup', 'duplicate'), ('dedup', 'idempotency'), ('deduplicate', 'duplicate'), ('deduplicate', 'idempotency'),
    ('deduplication', 'duplicate'), ('deduplication', 'idempotency'), ('sent twice', 'duplicate'), ('sent twice', 'idempotency'), ('double', 'twice'),
    ('resubmit', 'retry'), ('connection lost', 'connection broke'), ('network error', 'connection broke'), ('exponential backoff', 'growing pauses'),
    -- keys
    ('bearer', 'apikey'), ('oauth', 'authentication'), ('jwt', 'authentication'), ('authorization', 'authentication'), ('authorisation', 'authentication'),
    ('authenticate', 'authentication'), ('log in', 'authentication'), ('api secret', 'apikey'), ('secret key', 'apikey'), ('credentials', 'apikey'),
    ('renew', 'rotate'), ('rotate', 'revoke'), ('leaked', 'revoke'), ('leaked', 'rotate'), ('compromised', 'revoke'), ('compromised', 'rotate'),
    ('stolen', 'revoke'), ('stolen', 'rotate'), ('exposed', 'revoke'), ('exposed', 'rotate'), ('lost key', 'revoke'), ('expired key', 'revoke'),
    ('access denied', 'permission'), ('generate', 'create'), ('generate', 'get'), ('obtain', 'get'),
    -- from the first request to the live account
    ('getting started', 'your first'), ('get started', 'your first'), ('quickstart', 'your first'), ('quick start', 'your first'), ('tutorial', 'your first'),
    ('introduction', 'your first'), ('hello world', 'your first'), ('onboarding', 'register'), ('signup', 'register'), ('create account', 'register'),
    ('registration', 'register'), ('register', 'registration'), ('production', 'going live'), ('prod', 'going live'), ('go live', 'going live'),
    ('deploy', 'going live'), ('checklist', 'before the change'), ('trial', 'sandbox'), ('demo', 'sandbox'), ('development', 'sandbox'), ('uat', 'sandbox'),
    ('mock', 'sandbox'), ('simulate', 'sandbox'), ('simulator', 'sandbox'), ('dummy', 'sandbox'), ('playground', 'sandbox'), ('test number', 'ends in'),
    ('test number', 'sandbox'), ('test mode', 'sandbox'), ('live mode', 'live'),
    -- limits
    ('max', 'limit'), ('max', 'at most'), ('maximum', 'limit'), ('maximum', 'at most'), ('cap', 'limit'), ('tier', 'limit'), ('rps', 'per second'),
    ('rps', 'rate limit'), ('qps', 'per second'), ('qps', 'rate limit'), ('mps', 'per second'), ('mps', 'rate limit'), ('tps', 'per second'),
    ('speed', 'rate limit'), ('429', 'too many requests'), ('slow down', 'rate limit'), ('daily', 'a day'), ('too large', 'size'), ('too big', 'size'),
    ('how big', 'size'), ('how large', 'size'), ('file size', 'sizes'),
    -- templates
    ('hsm', 'template'), ('moderation', 'review'), ('approve', 'review'), ('disapproved', 'rejected'), ('declined', 'rejected'), ('dynamic', 'variable'),
    ('personalise', 'variable'), ('personalize', 'variable'), ('personalisation', 'variable'), ('personalization', 'variable'), ('param', 'variable'),
    ('param', 'parameter'), ('translation', 'language'), ('translate', 'language'), ('multilingual', 'language'), ('header image', 'picture on top'),
    ('call to action', 'button'), ('cta', 'button'), ('url button', 'link button'), ('promotional', 'marketing'), ('promo', 'promotional'),
    ('transactional', 'utility'), ('transactional', 'service'), ('campaign', 'marketing'), ('blast', 'many'), ('quality rating', 'quality'),
    ('deactivate', 'disable'), ('turn off', 'stop'), ('fill', 'variable'),
    -- files
    ('mime', 'type'), ('format', 'type'), ('file type', 'types'), ('mp3', 'audio'), ('voice message', 'audio'), ('voice', 'audio'), ('video', 'media'),
    ('audio', 'media'), ('avatar', 'picture'), ('thumbnail', 'image'), ('large file', 'upload session'), ('resumable', 'upload session'), ('jpeg', 'image'),
    ('jpg', 'image'), ('png', 'image'), ('gif', 'image'),
    -- SMS
    ('character limit', 'how long'), ('character count', 'how long'), ('characters', 'long'), ('160 characters', 'how long'), ('regional language', 'unicode'),
    ('arabic', 'unicode'), ('tamil', 'unicode'), ('devanagari', 'unicode'), ('masking', 'header'), ('sender', 'header'), ('from number', 'header'),
    ('alphanumeric', 'letters'), ('pe id', 'entity id'), ('peid', 'entity id'), ('telemarketing', 'telemarketer'), ('trai', 'dlt'), ('scrubbing', 'dlt'),
    ('ndnc', 'do not disturb'), ('dnc', 'do not contact'), ('dnc', 'do not disturb'), ('timing', 'hours'), ('time of day', 'hours'), ('night', 'hours'),
    ('delay', 'schedule'), ('delayed', 'schedule'), ('send later', 'schedule'), ('future', 'schedule'), ('queue', 'schedule'), ('carrier lookup', 'look up'),
    ('number lookup', 'look up'), ('reachable', 'look up'), ('country code', 'digits'), ('isd code', 'country code'), ('international format', 'country code'),
    ('e164', 'country code'), ('smpp', 'operator'), ('mobile number', 'phone number'), ('msg', 'message'), ('txt', 'text'), ('split', 'parts'),
    ('long sms', 'parts'), ('flash sms', 'class'),
    -- one-time passwords
    ('one time code', 'one time password'), ('login code', 'one time password'), ('verification', 'verify'), ('verify', 'verification'), ('attempts', 'guesses'),
    ('tries', 'guesses'), ('incorrect', 'wrong'), ('brute force', 'guesses'), ('sms pumping', 'earn money'), ('pumping', 'earn money'), ('toll fraud', 'earn money'),
    ('fraud', 'earn money'), ('regenerate', 'resend'),
    -- RCS
    ('rich communication', 'rcs'), ('capability', 'receive rcs'), ('capable', 'receive rcs'), ('supports', 'receive'), ('tester', 'test device'),
    ('chips', 'suggestions'), ('suggested action', 'suggestion'), ('suggested reply', 'suggestion'), ('slider', 'carousel'), ('failover', 'fallback'),
    ('fall back', 'fallback'), ('backup channel', 'fallback'), ('publish bot', 'launch bot'), ('brand', 'bot'), ('verified sender', 'bot'),
    ('whatsapp', 'business messaging'), ('wa', 'business messaging'), ('wa business', 'business messaging'), ('meta', 'business messaging'),
    -- conversations
    ('incoming', 'inbound'), ('two way', 'inbound'), ('user reply', 'inbound'), ('customer reply', 'inbound'), ('customer message', 'inbound'), ('quoted', 'reply'),
    ('thread', 'reply'), ('emoji', 'reaction'), ('ticks', 'read'), ('session message', '24 hours'), ('free form', 'any kind'), ('gps', 'location'),
    ('map', 'location'), ('contact', 'contacts'), ('cart', 'order'), ('shop', 'catalogue'), ('sku', 'retailer id'), ('inventory', 'products'), ('pay', 'payment'),
    ('survey', 'flow'), ('form', 'flow'), ('public key', 'encryption key'), ('deep link', 'qr code'), ('click to chat', 'qr code'), ('scan', 'qr code'),
    -- consent
    ('unsubscribe', 'stop'), ('opt out', 'stop'), ('opt out', 'do not contact'), ('stop', 'do not contact'), ('blacklist', 'do not contact'),
    ('blocklist', 'do not contact'), ('suppression', 'do not contact'), ('block', 'do not contact'), ('unsubscribed', 'opted out'), ('optout', 'opt out'),
    ('optin', 'consent'),
    -- money
    ('cost', 'charged'), ('cost', 'pricing'), ('price', 'pricing'), ('billing', 'pricing'), ('billing', 'charged'), ('bill', 'pricing'), ('bill', 'charged'),
    ('charge', 'charged'), ('charge', 'pricing'), ('fee', 'charged'), ('fee', 'pricing'), ('credit', 'balance'), ('wallet', 'balance'), ('recharge', 'balance'),
    ('top up', 'balance'),
    -- errors
    ('undelivered', 'undeliverable'), ('undelivered', 'failed'), ('not delivered', 'undeliverable'), ('not delivered', 'fails'), ('not delivered', 'failed'),
    ('not received', 'no callback arrives'), ('not received', 'undeliverable'), ('not sent', 'fails'), ('unreachable', 'undeliverable'),
    ('delivery failure', 'failed'), ('delivery failure', 'undeliverable'), ('delivery failed', 'failed'), ('delivery failed', 'undeliverable'),
    ('bounced', 'failed'), ('bounced', 'undeliverable'), ('fail', 'error'), ('failure', 'error'), ('issue', 'error'), ('problem', 'error'), ('bad request', 'error'),
    ('bad request', '400'), ('bug', 'error'), ('troubleshoot', 'go wrong'), ('troubleshoot', 'error'), ('troubleshooting', 'go wrong'), ('troubleshooting', 'error'),
    ('debug', 'go wrong'), ('debug', 'error'), ('status code', 'code'), ('response code', 'code'), ('invalid', 'wrong'), ('invalid', 'not valid'),
    ('incorrect', 'invalid'), ('internal error', 'temporary'), ('server error', 'temporary'), ('server error', '500'), ('outage', 'unavailable'),
    ('downtime', 'unavailable'), ('trace id', 'fbtrace id'), ('correlation id', 'request id'), ('correlation id', 'opaque callback data'),
    ('custom data', 'opaque callback data'), ('tracking id', 'opaque callback data'), ('tracking id', 'cust ref'), ('reference id', 'cust ref'),
    ('reference id', 'opaque callback data'), ('client reference', 'cust ref'), ('external id', 'cust ref'), ('external id', 'opaque callback data'),
    ('order number', 'opaque callback data'),
    -- tools
    ('sample code', 'sample'), ('code example', 'sample'), ('example code', 'sample'), ('snippet', 'sample'), ('nodejs', 'node'), ('typescript', 'javascript'),
    ('golang', 'sample'), ('insomnia', 'postman'), ('copilot', 'assistant'), ('ai agent', 'assistant'), ('vscode', 'assistant'), ('model context protocol', 'mcp'),
    ('release notes', 'changelog'), ('whats new', 'changelog'), ('deprecation', 'deprecated'), ('deprecation', 'sunset'), ('end of life', 'sunset'),
    ('upgrade', 'changelog'), ('migration', 'changelog'), ('breaking change', 'fail build'), ('ci', 'build'), ('pipeline', 'build'), ('github actions', 'build'),
    ('uptime', 'health'),
    -- safety
    ('ssl', 'https'), ('tls', 'https'), ('certificate', 'https'), ('gdpr', 'kept'), ('personal data', 'kept'), ('privacy', 'kept'), ('data retention', 'kept'),
    ('static ip', 'addresses'), ('ip range', 'addresses'), ('frontend', 'browser'), ('client side', 'browser'), ('proxy', 'browser'), ('security', 'signature'),
    ('security', 'secret'), ('secure', 'signature'), ('secure', 'secret'), ('protect key', 'secret store'), ('vault', 'secret store'),
    -- families of words
    ('submission', 'submit'), ('track', 'status'), ('tracking', 'status'), ('monitor', 'status'), ('poll', 'status'), ('view', 'get'), ('see', 'get'),
    ('display', 'get'), ('bulk', 'several'), ('mass', 'many'), ('multiple', 'several'), ('multiple', 'many'), ('several', 'many'), ('expire', 'valid'),
    ('expired', 'valid'), ('validity', 'valid'), ('how long', 'kept'), ('how long', 'valid'), ('store', 'kept'), ('retain', 'kept'), ('purge', 'delete'),
    ('erase', 'delete'), ('unread', 'read')
on conflict (term, means) do nothing;
