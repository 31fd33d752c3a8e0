-- +goose NO TRANSACTION
-- Tables that grow with traffic are partitioned by ranges of their ids, so that what
-- was kept long enough is dropped instead of deleted row by row. The first partition of
-- a table begins with no id and takes what outlives its own partition. The last one has
-- no end, so that an insert never lacks a partition. Workers make partitions ahead
-- (app/operation/retention).
--
-- Nothing here keeps a strong lock for longer than a moment: what has to be read to
-- the end is read under a lock that lets reads and writes pass, and whoever waits for a
-- strong lock gives up long before PostgreSQL looks for deadlocks, and tries again. Each
-- step may be run again.
--
-- Received messages come first. Code of before reads and writes the same table.

-- +goose Up
-- +goose StatementBegin
create or replace function id_at(at timestamptz) returns uuid immutable language sql as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
-- +goose StatementEnd

-- The partitions of a table in their order. The first has no low, the last no high.
-- +goose StatementBegin
create or replace function partition_list(parent text) returns table (name text, low text, high text) stable language sql as $$
    select c.relname::text, nullif(trim('''' from b.bounds[1]), 'MINVALUE') as low, nullif(trim('''' from b.bounds[2]), 'MAXVALUE')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.*)\) TO \((.*)\)') as b (bounds)
    where i.inhparent = parent::regclass and c.relkind = 'r' order by char_length(nullif(trim('''' from b.bounds[1]), 'MINVALUE')) nulls first, 2
$$;
-- +goose StatementEnd

-- The column that a table is partitioned by.
-- +goose StatementBegin
create or replace function partition_key(parent text) returns text stable language sql as $$
    select a.attname::text from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = parent::regclass
$$;
-- +goose StatementEnd

-- The greatest id in the last partition of a table, null if it is empty.
-- +goose StatementBegin
create or replace function partition_latest(parent text) returns text stable language plpgsql as $$
declare
    latest text;
begin
    execute format('select %1$I::text from %2$I order by %1$I desc limit 1', partition_key(parent), (select name from partition_list(parent) where high is null)) into latest;
    return latest;
end
$$;
-- +goose StatementEnd

-- Makes an empty last partition from an id on, stored as an existing one is.
-- +goose StatementBegin
create or replace function partition_make(parent text, low text, model text) returns void language plpgsql as $$
declare
    label text := low;
    options text;
begin
    if low like '%-%' then
        label := to_char(to_timestamp(('x' || left(replace(low, '-', ''), 12))::bit(48)::bigint / 1000) at time zone 'UTC', 'YYYYMMDD');
    end if;
    select ' with (' || array_to_string(reloptions, ', ') || ')' into options from pg_class where oid = model::regclass;
    execute format('create table %I partition of %I for values from (%L) to (maxvalue)', parent || '_from_' || label, parent, low) || coalesce(options, '');
end
$$;
-- +goose StatementEnd

-- Ends the last partition of a table at an id and makes the next one. Rows that are
-- there already are checked first, without a strong lock.
-- +goose StatementBegin
create or replace procedure partition_extend(parent text, bound text) language plpgsql as $$
declare
    last record;
    key text := partition_key(parent);
    beyond boolean := false;
begin
    select * into strict last from partition_list(parent) where high is null;
    if partition_latest(parent) is not null then
        perform set_config('lock_timeout', '500ms', true), set_config('client_min_messages', 'warning', true);
        execute format('alter table %I drop constraint if exists closing, add constraint closing check (%I < %L) not valid', last.name, key, bound);
        commit;
        begin
            execute format('alter table %I validate constraint closing', last.name);
        exception when check_violation then
            execute format('alter table %I drop constraint closing', last.name);
            beyond := true;
        end;
        commit;
        if beyond then
            raise exception '% has ids from % on', last.name, bound;
        end if;
    end if;
    perform set_config('lock_timeout', '500ms', true), set_config('client_min_messages', 'warning', true);
    execute format('alter table %I detach partition %I', parent, last.name);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, last.name, last.low, bound);
    execute format('alter table %I drop constraint if exists closing', last.name);
    perform partition_make(parent, bound, last.name);
end
$$;
-- +goose StatementEnd

-- Drops the second partition of a table, whose ids belong to the first one from then
-- on. Rows of messages that opened an order move there if orders is true.
-- +goose StatementBegin
create or replace procedure partition_drop(parent text, dropped text, orders boolean) language plpgsql as $$
declare
    key text := partition_key(parent);
    first record;
    second record;
    bare boolean;
begin
    select * into strict first from partition_list(parent) where low is null;
    select * into second from partition_list(parent) where low = first.high and name = dropped and high is not null;
    if second.name is null then
        raise exception '% is not the second partition of %', dropped, parent;
    end if;
    perform set_config('lock_timeout', '500ms', true), set_config('client_min_messages', 'warning', true);
    execute format('alter table %I drop constraint if exists closing, add constraint closing check (%I < %L) not valid', first.name, key, first.high);
    commit;
    execute format('alter table %I validate constraint closing', first.name);
    execute format('select not exists (select from %I)', first.name) into bare;
    commit;
    perform set_config('lock_timeout', '500ms', true), set_config('client_min_messages', 'warning', true);
    execute format('alter table %I detach partition %I', parent, second.name);
    execute format('alter table %I detach partition %I', parent, first.name);
    if bare then -- gives the space of its indexes back
        execute format('select not exists (select from %I)', first.name) into bare;
        if bare then
            execute format('truncate %I', first.name);
        end if;
    end if;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, first.name, second.high);
    execute format('alter table %I drop constraint closing', first.name);
    if orders then
        execute format('insert into %I select p.* from %I p join orders o on o.message_id = p.%I', first.name, second.name, key);
    end if;
    execute format('drop table %I', second.name);
end
$$;
-- +goose StatementEnd

-- Makes a table the first partition of a new one with its name. The ids in it are
-- known to be less than bound. The names of indexes and triggers go to the new one.
-- +goose StatementBegin
create or replace function partition_switch(parent text, key text, bound text) returns void language plpgsql as $$
declare
    old text := parent || '_before';
    whole text; -- the primary key
    triggers text[];
    indexes text[];
    named record;
    made text;
begin
    execute format('lock table %I in access exclusive mode', parent);
    select array_agg(pg_get_triggerdef(oid)) into triggers from pg_trigger where tgrelid = parent::regclass and not tgisinternal;
    for named in select tgname from pg_trigger where tgrelid = parent::regclass and not tgisinternal loop
        execute format('drop trigger %I on %I', named.tgname, parent);
    end loop;
    select array_agg(pg_get_indexdef(indexrelid)) into indexes from pg_index where indrelid = parent::regclass and not indisprimary;
    select format('alter table %I add constraint %I %s', parent, conname, pg_get_constraintdef(oid)) into strict whole
        from pg_constraint where conrelid = parent::regclass and contype = 'p';
    for named in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = parent::regclass loop
        execute format('alter index %I rename to %I', named.relname, old || substr(named.relname, length(parent) + 1));
    end loop;
    execute format('alter table %I rename to %I', parent, old);
    execute format('create table %I (like %I including defaults including constraints including storage including compression including comments including generated) partition by range (%I)', parent, old, key);
    execute format('alter table %I drop constraint closing', parent);
    execute whole;
    foreach made in array coalesce(indexes, '{}') loop
        execute made;
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, old, bound);
    execute format('alter table %I drop constraint closing', old);
    perform partition_make(parent, bound, old);
    foreach made in array coalesce(triggers, '{}') loop
        execute made;
    end loop;
end
$$;
-- +goose StatementEnd

-- Partitions a table that is in use. Its rows stay where they are.
-- +goose StatementBegin
create or replace procedure partition_table(parent text, key text, bound text) language plpgsql as $$
declare
    old record;
begin
    if (select relkind = 'p' from pg_class where oid = parent::regclass) then
        return;
    end if;
    for attempt in 1 .. 120 loop
        begin
            perform set_config('lock_timeout', '300ms', true), set_config('client_min_messages', 'warning', true);
            execute format('alter table %I drop constraint if exists closing, add constraint closing check (%I < %L) not valid', parent, key, bound);
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
    for old in select conname from pg_constraint where conrelid = parent::regclass and contype = 'c' and not convalidated loop
        execute format('alter table %I validate constraint %I', parent, old.conname);
        commit;
    end loop;
    for attempt in 1 .. 120 loop
        begin
            perform set_config('lock_timeout', '300ms', true), set_config('client_min_messages', 'warning', true);
            perform partition_switch(parent, key, bound);
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

-- The first partition ends on a Monday, two days or more from now.
-- +goose StatementBegin
do $$
begin
    call partition_table('inbound_messages', 'id', id_at(date_trunc('week', now() + interval '9 days'))::text);
end
$$;
-- +goose StatementEnd
