-- Received messages of every channel, by organisation, and the numbers at which
-- organisations receive SMS. Code of before inserts messages of its channel alone,
-- whose owner a trigger adds.
-- +goose Up
create table sms_numbers (
    number          text        primary key check (number ~ '^[0-9]{3,15}$'), -- as carriers name it; a short one has no country code
    organisation_id bigint      not null references organisations on delete cascade,
    created_at      timestamptz not null default now()
);
create index on sms_numbers (organisation_id);

alter table inbound_messages alter column phone_number_id set default 0; -- messaging: the number
alter table inbound_messages add column organisation_id bigint;
alter table inbound_messages add column channel text not null default 'messaging' check (channel in ('messaging', 'sms', 'rcs'));
alter table inbound_messages add column recipient text not null default '' check (char_length(recipient) <= 64); -- what was written to
-- +goose StatementBegin
create function inbound_message_owned() returns trigger language plpgsql as $$
begin
    select p.organisation_id, ltrim(p.number, '+') into new.organisation_id, new.recipient from phone_numbers p where p.id = new.phone_number_id;
    return new;
end $$;
-- +goose StatementEnd
create trigger owned before insert on inbound_messages
    for each row when (new.organisation_id is null) execute function inbound_message_owned();
update inbound_messages i set organisation_id = p.organisation_id, recipient = ltrim(p.number, '+') from phone_numbers p where p.id = i.phone_number_id;
create index on inbound_messages (organisation_id, id desc);
