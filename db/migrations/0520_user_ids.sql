-- +goose NO TRANSACTION
-- People on the messaging channel may have no number that a business knows. Each has a
-- user id then: two letters of a country, a dot, and up to 128 letters and digits, after
-- "ENT." for linked portfolios. Columns that held a number hold either. Numbers begin
-- with a digit and ids with a letter, so the two are never mixed up. Code of before
-- stores numbers alone and reads ids as any other text.
--
-- The new rules are looser than the old ones, so that no row has to be read.

-- +goose Up
-- +goose StatementBegin
do $$
begin
    for attempt in 1 .. 120 loop
        begin
            perform set_config('lock_timeout', '300ms', true), set_config('client_min_messages', 'warning', true);
            lock table messages, inbound_messages, conversations, orders, suppressions in access exclusive mode;
            alter table messages drop constraint if exists messages_recipient_check;
            alter table messages add constraint messages_recipient_check check (char_length(recipient) between 1 and 140) not valid;
            alter table inbound_messages drop constraint if exists inbound_messages_contact_check;
            alter table inbound_messages add constraint inbound_messages_contact_check check (contact ~ '^([1-9][0-9]{4,14}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$') not valid;
            alter table inbound_messages add column if not exists user_id text not null default '';
            alter table conversations drop constraint if exists conversations_contact_check;
            alter table conversations add constraint conversations_contact_check check (contact ~ '^([1-9][0-9]{4,14}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$') not valid;
            alter table orders drop constraint if exists orders_recipient_check;
            alter table orders add constraint orders_recipient_check check (char_length(recipient) between 1 and 140) not valid;
            alter table suppressions drop constraint if exists suppressions_recipient_check;
            alter table suppressions add constraint suppressions_recipient_check check (recipient ~ '^([0-9]{5,20}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$') not valid;
            exit;
        exception when lock_not_available or deadlock_detected then
            if attempt = 120 then
                raise;
            end if;
        end;
        commit;
        perform pg_sleep(0.5);
    end loop;
    commit;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin
do $$
declare
    added record;
begin
    for added in
        select conrelid::regclass as owner, conname from pg_constraint
        where contype = 'c' and not convalidated and conname in ('messages_recipient_check', 'inbound_messages_contact_check', 'conversations_contact_check', 'orders_recipient_check', 'suppressions_recipient_check')
        order by conislocal desc
    loop
        execute format('alter table %s validate constraint %I', added.owner, added.conname);
        commit;
    end loop;
end
$$;
-- +goose StatementEnd

-- What is known of the people that organisations write to: the numbers and user ids
-- that mean the same person.
create table if not exists messaging_identities (
    organisation_id bigint      not null references organisations on delete cascade,
    identity        text        not null check (identity ~ '^([1-9][0-9]{4,14}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$'),
    kind            text        not null check (kind in ('number', 'user', 'parent')),
    person          uuid        not null,
    current         boolean     not null default true,
    username        text        not null default '' check (char_length(username) <= 100),
    seen_at         timestamptz not null default now(),
    primary key (organisation_id, identity)
);
create index if not exists messaging_identities_person on messaging_identities (person);
create index if not exists messaging_identities_seen on messaging_identities (organisation_id, seen_at);

-- The other identities of the person that one of them means, with those of before.
-- +goose StatementBegin
create or replace function messaging_identities_of(organisation bigint, known text) returns setof text stable language sql as $$
    select other.identity from messaging_identities known_one
    join messaging_identities other on other.person = known_one.person and other.organisation_id = known_one.organisation_id and other.identity <> known_one.identity
    where known_one.organisation_id = organisation and known_one.identity = known
$$;
-- +goose StatementEnd

comment on column inbound_messages.user_id is 'of the sender, beside a number or alone';
comment on table messaging_identities is 'The numbers and user ids that mean the same person at an organisation. An identity that was replaced stays, so that what was sent to it is found.';
comment on column messaging_identities.kind is 'number, user, or parent for an id of linked portfolios';
comment on column messaging_identities.current is 'false once the person has another one';
comment on column messaging_identities.username is 'of a user id, as last seen';
