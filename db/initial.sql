-- What a new database has beside its tables: the rows that one row tables begin with,
-- and the first partitions of the tables that grow with traffic. The first one takes
-- ids until it ends, on a Monday two days or more from now or after a million callbacks.
-- The last one has no end.
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));
insert into usage_clock (counted_until) values ('2000-01-01 00:00:00Z');
insert into settle_mark (examined) values ('00000000-0000-0000-0000-000000000000');
insert into retention (organisation_id, bodies_days, logs_days) values (0, 30, 90);

do $$
declare
    week text := id_at(date_trunc('week', now() + interval '9 days'))::text;
    parted record;
begin
    for parted in
        select * from (values
            ('inbound_messages', week, ''),
            ('messages', week, 'with (fillfactor = 80)'),
            ('message_events', week, ''),
            ('leg_events', week, ''),
            ('carriages', week, 'with (fillfactor = 80)'),
            ('deliveries', '1000001', ''),
            ('delivery_attempts', '1000001', '')
        ) as p (name, bound, options)
    loop
        execute format('create table %I partition of %I for values from (minvalue) to (%L) %s', parted.name || '_before', parted.name, parted.bound, parted.options);
        perform partition_make(parted.name, parted.bound, parted.name || '_before');
    end loop;
end
$$;
