-- +goose NO TRANSACTION
-- Messages, their events and their carriages are partitioned by the id of the message
-- (see 0222). A foreign key would keep partitions from being dropped, so a trigger
-- deletes what belongs to deleted messages. Code of before relies on it.

-- +goose Up
-- +goose StatementBegin
create or replace function messages_deleted() returns trigger language plpgsql as $$
begin
    delete from message_events e using gone where e.message_id = gone.id;
    delete from leg_events e using gone where e.message_id = gone.id;
    delete from carriages c using gone where c.message_id = gone.id;
    delete from orders o using gone where o.message_id = gone.id;
    return null;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
do $$
declare
    bound text;
begin
    for attempt in 1 .. 120 loop
        begin
            perform set_config('lock_timeout', '300ms', true), set_config('client_min_messages', 'warning', true);
            lock table messages, message_events, leg_events, carriages, orders in access exclusive mode;
            alter table message_events drop constraint if exists message_events_message_id_fkey;
            alter table leg_events drop constraint if exists leg_events_message_id_fkey;
            alter table carriages drop constraint if exists carriages_message_id_fkey;
            alter table orders drop constraint if exists orders_message_id_fkey;
            drop trigger if exists deleted on messages;
            create trigger deleted after delete on messages referencing old table as gone for each statement execute function messages_deleted();
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
    bound := id_at(date_trunc('week', now() + interval '9 days'))::text;
    call partition_table('messages', 'id', bound);
    bound := coalesce((select high from partition_list('messages') where low is null), bound);
    call partition_table('message_events', 'message_id', bound);
    call partition_table('leg_events', 'message_id', bound);
    call partition_table('carriages', 'message_id', bound);
end
$$;
-- +goose StatementEnd
