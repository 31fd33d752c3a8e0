-- +goose NO TRANSACTION
-- Callbacks and their attempts are partitioned by the number of the callback (see
-- 0222). Triggers take the place of foreign keys, as they do for messages.

-- +goose Up
-- +goose StatementBegin
create or replace function deliveries_deleted() returns trigger language plpgsql as $$
begin
    delete from delivery_attempts a using gone where a.delivery_id = gone.id;
    return null;
end
$$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function webhooks_deleted() returns trigger language plpgsql as $$
begin
    delete from deliveries d using gone where d.webhook_id = gone.id;
    return null;
end
$$;
-- +goose StatementEnd

-- A partition has no identity of its own, so the numbers come from a plain sequence.
-- The first partition has room for a week as busy as those before.
-- +goose StatementBegin
do $$
declare
    last bigint;
    bound text;
begin
    for attempt in 1 .. 120 loop
        begin
            perform set_config('lock_timeout', '300ms', true), set_config('client_min_messages', 'warning', true);
            lock table webhooks, deliveries, delivery_attempts in access exclusive mode;
            alter table delivery_attempts drop constraint if exists delivery_attempts_delivery_id_fkey;
            alter table deliveries drop constraint if exists deliveries_webhook_id_fkey;
            if exists (select from pg_attribute where attrelid = 'deliveries'::regclass and attname = 'id' and attidentity <> '') then
                last := nextval('deliveries_id_seq');
                alter table deliveries alter id drop identity;
                create sequence deliveries_id_seq;
                perform setval('deliveries_id_seq', last, false);
                alter table deliveries alter id set default nextval('deliveries_id_seq');
            end if;
            drop trigger if exists deleted on deliveries;
            create trigger deleted after delete on deliveries referencing old table as gone for each statement execute function deliveries_deleted();
            drop trigger if exists deleted on webhooks;
            create trigger deleted after delete on webhooks referencing old table as gone for each statement execute function webhooks_deleted();
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
    select last_value into last from deliveries_id_seq;
    bound := last + greatest(1000000, (last - coalesce((select id from deliveries order by id limit 1), last)) / 13);
    call partition_table('deliveries', 'id', bound);
    bound := coalesce((select high from partition_list('deliveries') where low is null), bound);
    call partition_table('delivery_attempts', 'delivery_id', bound);
end
$$;
-- +goose StatementEnd

drop procedure partition_table;
drop function partition_switch;
