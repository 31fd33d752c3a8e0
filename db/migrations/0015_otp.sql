-- One-time passwords that were asked for, and what became of them.
-- +goose Up
create table otp_challenges (
    id          uuid primary key, -- random: only the browser that asked knows it
    purpose     text        not null check (purpose in ('registration', 'recovery')),
    user_id     bigint references organisation_users on delete cascade, -- null where nobody is asked: nothing meets such a challenge
    phone       text check (phone ~ '^\+[1-9][0-9]{6,14}$'), -- where the code goes
    hash        bytea check (octet_length(hash) = 32), -- HMAC of the code; null until there is one
    attempts    smallint    not null default 0 check (attempts between 0 and 5),
    created_at  timestamptz not null default now(),
    expires_at  timestamptz not null,
    sent_at     timestamptz,
    consumed_at timestamptz,
    verified_at timestamptz,
    check (expires_at > created_at),
    check (verified_at is null or consumed_at is not null)
);
create unique index otp_challenges_open on otp_challenges (user_id, purpose) where consumed_at is null;
create index on otp_challenges (left(phone, 7), sent_at) where sent_at is not null;
create index on otp_challenges (expires_at);
