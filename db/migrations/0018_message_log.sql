-- The log of messages and callbacks, usage by day, and signing secrets that
-- change without a gap.
-- +goose Up
-- Ids are in order of time, so that one column orders a list and bounds it.
create index messages_by_time on messages (organisation_id, id desc);
create index messages_by_recipient on messages (organisation_id, recipient, id desc);
drop index messages_log;
drop index messages_recipient;

-- Failures are few and what people look for. An index over the state of the
-- messages would be written to with each of their steps; this one only when a
-- message fails. The organisation is set here, for code of before as well.
alter table message_events add column organisation_id bigint; -- of failures
-- +goose StatementBegin
create function message_failed() returns trigger language plpgsql as $$
begin
    select organisation_id into new.organisation_id from messages where id = new.message_id;
    return new;
end
$$;
-- +goose StatementEnd
create trigger failed before insert on message_events
    for each row when (new.state = 'failed') execute function message_failed();
update message_events e set organisation_id = m.organisation_id
    from messages m where m.id = e.message_id and e.state = 'failed';
create index message_events_failed on message_events (organisation_id, message_id desc) where state = 'failed';

alter table deliveries add column attempts_before smallint not null default 0; -- made before the last replay
alter table delivery_attempts add column headers text not null default ''; -- names of the partner's own, a line each
create index deliveries_failed on deliveries (organisation_id, created_at desc, id desc) where state = 'failed';

-- The secret of before signs beside the new one until then.
alter table phone_numbers add column previous_webhook_secret bytea;
alter table phone_numbers add column previous_secret_until timestamptz;

create table usage_days (
    organisation_id bigint  not null,
    day             date    not null, -- UTC
    channel         text    not null,
    messages        integer not null check (messages >= 0),
    delivered       integer not null check (delivered >= 0), -- or read
    failed          integer not null check (failed >= 0),
    primary key (organisation_id, day, channel)
);
create table usage_clock (
    one           boolean primary key default true check (one),
    counted_until timestamptz not null -- messages accepted before are in usage_days
);
insert into usage_clock (counted_until) values ('2000-01-01 00:00:00Z');
