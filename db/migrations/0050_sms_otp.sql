-- One-time passwords that partners send through the SMS API, and the blocks of
-- numbers to which an organisation may send none for a while.
-- +goose Up
create table sms_otps (
    id              text        primary key check (id ~ '^otp_[A-Z2-7]{26}$'), -- random
    organisation_id bigint      not null references organisations on delete cascade,
    phone           text        not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
    header          text        not null check (char_length(header) between 1 and 15),
    message         text        not null check (char_length(message) <= 1000), -- with {otp} where the code goes
    entity_id       text        not null default '',
    template_id     text        not null default '',
    digits          smallint    not null check (digits between 4 and 9),
    life_seconds    integer     not null check (life_seconds between 60 and 86400),
    hash            bytea       not null check (octet_length(hash) = 32), -- HMAC of the newest code
    returned        boolean     not null default false, -- the organisation got the code and checks it itself
    codes           smallint    not null default 1 check (codes between 1 and 4), -- that were sent
    attempts        smallint    not null default 0 check (attempts between 0 and 5), -- at the newest code
    created_at      timestamptz not null default now(),
    sent_at         timestamptz not null default now(), -- the newest code
    expires_at      timestamptz not null,
    consumed_at     timestamptz,
    verified_at     timestamptz,
    check (verified_at is null or consumed_at is not null)
);
create unique index sms_otps_open on sms_otps (organisation_id, phone, lower(header)) where consumed_at is null;
create index on sms_otps (organisation_id, left(phone, 7), sent_at);
create index on sms_otps (expires_at);

create table sms_otp_blocks (
    organisation_id bigint      not null references organisations on delete cascade,
    prefix          text        not null check (prefix ~ '^\+[0-9]{6}$'),
    sent            integer     not null check (sent > 0), -- codes of the hour before
    verified        integer     not null check (verified >= 0), -- of them
    blocked_at      timestamptz not null default now(),
    until           timestamptz not null,
    primary key (organisation_id, prefix)
);
