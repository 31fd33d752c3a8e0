-- +goose NO TRANSACTION
-- A message that a carrier names adds a row here. The ids tell the rows apart and the
-- carrier hardly ever does, so that they come first in the key. They are compared as
-- bytes, because the rules of a language cost more than the rest of the row.
--
-- The new key is built beside the old one. Code of before uses either.

-- +goose Up
drop index concurrently if exists carrier_ids_key;
create unique index concurrently carrier_ids_key on carrier_ids (provider_id collate "C", carrier collate "C");
-- +goose StatementBegin
do $$
begin
    for attempt in 1 .. 120 loop
        begin
            perform set_config('lock_timeout', '300ms', true), set_config('client_min_messages', 'warning', true);
            lock table carrier_ids in access exclusive mode;
            alter table carrier_ids drop constraint if exists carrier_ids_pkey;
            alter table carrier_ids drop constraint if exists carrier_ids_provider_id_check;
            alter table carrier_ids alter column provider_id type text collate "C", alter column carrier type text collate "C";
            alter table carrier_ids add constraint carrier_ids_pkey primary key using index carrier_ids_key;
            alter table carrier_ids add constraint carrier_ids_provider_id_check check (char_length(provider_id) between 1 and 200) not valid;
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
alter table carrier_ids validate constraint carrier_ids_provider_id_check;
