-- The schema as it is, but for the jobs of River. Made of the migrations by
-- go test ./db -run TestSchemaIsUpToDate -update: do not edit it. What a new database
-- has beside it is in initial.sql.
set local check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE FUNCTION address_space(kind text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (kind = ANY (ARRAY['category'::text, 'schema'::text])) THEN kind ELSE ''::text END;

CREATE FUNCTION check_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
    head audit_head;
begin
    select * into head from audit_head for update;
    if new.seq <> greatest(head.seq, (select coalesce(max(seq), 0) from audit_entries)) + 1
        or new.prev <> head.hash or new.hash <> sha256(new.prev || new.canonical) then
        raise exception 'entry % does not follow entry % of the audit', new.seq, head.seq using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

CREATE FUNCTION check_played() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
    product bigint;
begin
    if tg_table_name = 'reviews' then
        select product_id into product from change_sets where id = new.change_set_id;
    else
        select s.product_id into product from review_threads t join change_sets s on s.id = t.change_set_id where t.id = new.thread_id;
    end if;
    if not exists (select from items where id = product and practice_of is not null) then
        raise exception 'a reviewer is played on practice products alone' using errcode = 'check_violation';
    end if;
    return new;
end
$$;

CREATE FUNCTION deliveries_after(since timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    select coalesce((select number from delivery_marks where at <= since - interval '1 day' order by at desc limit 1), 0)
$$;

CREATE FUNCTION deliveries_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    delete from delivery_attempts a using gone where a.delivery_id = gone.id;
    return null;
end
$$;

CREATE FUNCTION deliveries_until(before timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    select coalesce((select number from delivery_marks where at >= before + interval '1 day' order by at limit 1), 9223372036854775807)
$$;

CREATE FUNCTION discard_object() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if old.object is not null then
        insert into discarded_objects (object, due_at) values (old.object, now())
        on conflict (object) do update set due_at = excluded.due_at;
    end if;
    return null;
end
$$;

CREATE FUNCTION end_preview_links() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    update preview_links set ended_at = now() where item_id = new.id and revision_id is null and ended_at is null;
    return null;
end
$$;

CREATE FUNCTION id_at(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

CREATE FUNCTION id_made(id uuid) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    AS $$
    select case when substr(id::text, 15, 1) = '7' then to_timestamp(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint::double precision / 1000) else '-infinity' end
$$;

CREATE FUNCTION inbound_message_owned() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    select p.organisation_id, ltrim(p.number, '+') into new.organisation_id, new.recipient from phone_numbers p where p.id = new.phone_number_id;
    return new;
end $$;

CREATE FUNCTION inherit_practice() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    select practice_of into new.practice_of from items where id = new.parent_id;
    return new;
end
$$;

CREATE FUNCTION message_failed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    select organisation_id into new.organisation_id from messages where id = new.message_id;
    return new;
end
$$;

CREATE FUNCTION messages_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    delete from message_events e using gone where e.message_id = gone.id;
    delete from leg_events e using gone where e.message_id = gone.id;
    delete from carriages c using gone where c.message_id = gone.id;
    delete from orders o using gone where o.message_id = gone.id;
    return null;
end
$$;

CREATE FUNCTION messaging_identities_of(organisation bigint, known text) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
    select other.identity from messaging_identities known_one
    join messaging_identities other on other.person = known_one.person and other.organisation_id = known_one.organisation_id and other.identity <> known_one.identity
    where known_one.organisation_id = organisation and known_one.identity = known
$$;

CREATE FUNCTION move_audit_head() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    update audit_head set seq = new.seq, hash = new.hash where seq < new.seq;
    return null;
end
$$;

CREATE FUNCTION notify_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_notify('heliograph', 'changed:' || tg_table_name);
    return null;
end
$$;

CREATE PROCEDURE partition_drop(IN parent text, IN dropped text, IN orders boolean)
    LANGUAGE plpgsql
    AS $$
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

CREATE PROCEDURE partition_extend(IN parent text, IN bound text)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION partition_key(parent text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select a.attname::text from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = parent::regclass
$$;

CREATE FUNCTION partition_latest(parent text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    latest text;
begin
    execute format('select %1$I::text from %2$I order by %1$I desc limit 1', partition_key(parent), (select name from partition_list(parent) where high is null)) into latest;
    return latest;
end
$_$;

CREATE FUNCTION partition_list(parent text) RETURNS TABLE(name text, low text, high text)
    LANGUAGE sql STABLE
    AS $$
    select c.relname::text, nullif(trim('''' from b.bounds[1]), 'MINVALUE') as low, nullif(trim('''' from b.bounds[2]), 'MAXVALUE')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.*)\) TO \((.*)\)') as b (bounds)
    where i.inhparent = parent::regclass and c.relkind = 'r' order by char_length(nullif(trim('''' from b.bounds[1]), 'MINVALUE')) nulls first, 2
$$;

CREATE FUNCTION partition_make(parent text, low text, model text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION record_gallery_uses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
    content text := new.content::text;
begin
    if strpos(content, '/media/') > 0 then
        insert into gallery_uses (media_id, item_id, revision_id)
        select distinct m[1], new.item_id, new.id from regexp_matches(content, '/media/([a-z2-7]{10})/', 'g') m
        on conflict do nothing;
    end if;
    return null;
end
$$;

CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation';
end
$$;

CREATE FUNCTION revision_outline(content json) RETURNS json
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $_$
declare
    raw json;
begin
    raw := content->'raw';
    return json_build_object(
        'operation_id', content->'operation_id',
        'name', content->'name',
        'category', content->'category',
        'method', content->'method',
        'path', content->'path',
        'order', content->'order',
        'purpose', left(content->>'purpose', 1000),
        'deprecated', raw->'deprecated',
        'security', raw->'security',
        'servers', raw->'servers',
        'refs', (
            select json_agg(distinct reference[1])
            from regexp_matches(content::text, '"\$(?:r|dynamicR|recursiveR)ef"\s*:\s*"(#[^"]*)"', 'g') reference),
        'size', octet_length(content::text));
exception when others then
    -- Text that is json but no text of PostgreSQL, such as \u0000: readers of
    -- the outline read the content.
    return null;
end
$_$;

CREATE FUNCTION signal_organisation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_notify('heliograph', 'live:' || tg_argv[0] || ':' || coalesce(new.organisation_id, old.organisation_id));
    return null;
end
$$;

CREATE FUNCTION signal_webhook() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_notify('heliograph', 'live:webhooks:' || coalesce(new.organisation_id, old.organisation_id));
    return null;
end
$$;

CREATE FUNCTION webhooks_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    delete from deliveries d using gone where d.webhook_id = gone.id;
    return null;
end
$$;

CREATE TEXT SEARCH DICTIONARY docs_stem (
    TEMPLATE = pg_catalog.snowball,
    language = 'english' );

CREATE TEXT SEARCH CONFIGURATION docs (
    PARSER = pg_catalog."default" );

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR asciiword WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR word WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR numword WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR email WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR url WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR host WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR sfloat WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR version WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR hword_numpart WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR hword_part WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR hword_asciipart WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR numhword WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR asciihword WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR hword WITH docs_stem;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR url_path WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR file WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR "float" WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR "int" WITH simple;

ALTER TEXT SEARCH CONFIGURATION docs
    ADD MAPPING FOR uint WITH simple;

CREATE TABLE accepted_changes (
    version_id bigint NOT NULL,
    fingerprint text NOT NULL,
    reason text NOT NULL,
    accepted_by bigint NOT NULL,
    change_set_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT accepted_changes_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{16}$'::text)),
    CONSTRAINT accepted_changes_reason_check CHECK (((reason <> ''::text) AND (char_length(reason) <= 2000)))
);

CREATE TABLE admin_links (
    hash bytea NOT NULL,
    admin_user_id bigint NOT NULL,
    purpose text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    CONSTRAINT admin_links_check CHECK ((expires_at > created_at)),
    CONSTRAINT admin_links_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT admin_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text])))
);

COMMENT ON TABLE admin_links IS 'The link holds a token; only its hash is kept here.';

CREATE TABLE admin_users (
    id bigint NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    session_version integer DEFAULT 1 NOT NULL,
    failed_sign_ins integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    password_set_at timestamp with time zone DEFAULT now(),
    review_emails boolean DEFAULT true NOT NULL,
    CONSTRAINT admin_users_email_check CHECK (((email = lower(email)) AND ((char_length(email) >= 3) AND (char_length(email) <= 254)))),
    CONSTRAINT admin_users_failed_sign_ins_check CHECK ((failed_sign_ins >= 0)),
    CONSTRAINT admin_users_name_check CHECK ((char_length(name) <= 200)),
    CONSTRAINT admin_users_role_check CHECK ((role = ANY (ARRAY['super_admin'::text, 'editor'::text, 'viewer'::text])))
);

COMMENT ON COLUMN admin_users.password_set_at IS 'null: invited, and no password yet';

ALTER TABLE admin_users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME admin_users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE api_keys (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    slot smallint NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    channels text[] DEFAULT '{messaging,sms,rcs}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_channels_check CHECK (((channels <@ '{messaging,sms,rcs}'::text[]) AND (channels <> '{}'::text[]))),
    CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT api_keys_prefix_check CHECK (((char_length(prefix) >= 8) AND (char_length(prefix) <= 20))),
    CONSTRAINT api_keys_slot_check CHECK ((slot = ANY (ARRAY[1, 2])))
);

COMMENT ON TABLE api_keys IS 'An organisation has two places for active keys, so that one can be rotated while the other works. The key itself is shown once and never stored.';

ALTER TABLE api_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE audit_anchors (
    at timestamp with time zone NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL,
    retained boolean NOT NULL
);

COMMENT ON COLUMN audit_anchors.seq IS 'the head that was anchored';

COMMENT ON COLUMN audit_anchors.key IS 'of the object in the storage';

COMMENT ON COLUMN audit_anchors.retained IS 'whether the storage holds on to it';

CREATE TABLE audit_checks (
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    broken_seq bigint,
    reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT audit_checks_check CHECK (((broken_seq IS NULL) = (reason = ''::text))),
    CONSTRAINT audit_checks_hash_check CHECK ((octet_length(hash) = 32))
);

COMMENT ON COLUMN audit_checks.seq IS 'the head that was reached, or named when it was not';

COMMENT ON COLUMN audit_checks.broken_seq IS 'the first entry that is wrong; null when all hold';

CREATE TABLE audit_entries (
    seq bigint NOT NULL,
    prev bytea NOT NULL,
    hash bytea NOT NULL,
    canonical bytea NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT audit_entries_action_check CHECK (((char_length(action) >= 1) AND (char_length(action) <= 100))),
    CONSTRAINT audit_entries_actor_check CHECK (((char_length(actor) >= 1) AND (char_length(actor) <= 200))),
    CONSTRAINT audit_entries_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_entries_prev_check CHECK ((octet_length(prev) = 32)),
    CONSTRAINT audit_entries_target_check CHECK (((char_length(target) >= 1) AND (char_length(target) <= 200)))
);

COMMENT ON COLUMN audit_entries.canonical IS 'the bytes that were hashed after prev';

COMMENT ON COLUMN audit_entries.actor IS 'for instance admin:1, organisation:4, system';

COMMENT ON COLUMN audit_entries.action IS 'for instance release.publish';

CREATE TABLE audit_head (
    singleton boolean DEFAULT true NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_head_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_head_singleton_check CHECK (singleton)
);

COMMENT ON TABLE audit_head IS 'The one row that serialises writers of the chain.';

CREATE TABLE audit_waiting (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT audit_waiting_action_check CHECK (((char_length(action) >= 1) AND (char_length(action) <= 100))),
    CONSTRAINT audit_waiting_actor_check CHECK (((char_length(actor) >= 1) AND (char_length(actor) <= 200))),
    CONSTRAINT audit_waiting_target_check CHECK (((char_length(target) >= 1) AND (char_length(target) <= 200)))
);

COMMENT ON TABLE audit_waiting IS 'Entries that could not be appended when they happened, such as sign-ins while the chain was locked. The next check appends them.';

ALTER TABLE audit_waiting ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME audit_waiting_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE business_account_clients (
    business_account_id bigint NOT NULL,
    business_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON COLUMN business_account_clients.business_id IS 'whom it is shared with';

CREATE TABLE business_accounts (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    business_id bigint NOT NULL,
    name text NOT NULL,
    currency text NOT NULL,
    timezone_id text NOT NULL,
    message_template_namespace text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone,
    CONSTRAINT business_accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT business_accounts_message_template_namespace_check CHECK ((message_template_namespace ~ '^[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}$'::text)),
    CONSTRAINT business_accounts_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT business_accounts_timezone_id_check CHECK ((timezone_id ~ '^[0-9]{1,4}$'::text))
);

CREATE TABLE business_profiles (
    phone_number_id bigint NOT NULL,
    about text DEFAULT ''::text NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    email text DEFAULT ''::text NOT NULL,
    websites text[] DEFAULT '{}'::text[] NOT NULL,
    vertical text DEFAULT ''::text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT business_profiles_about_check CHECK ((char_length(about) <= 139)),
    CONSTRAINT business_profiles_address_check CHECK ((char_length(address) <= 256)),
    CONSTRAINT business_profiles_description_check CHECK ((char_length(description) <= 256)),
    CONSTRAINT business_profiles_email_check CHECK ((char_length(email) <= 128)),
    CONSTRAINT business_profiles_vertical_check CHECK ((char_length(vertical) <= 32)),
    CONSTRAINT business_profiles_websites_check CHECK ((cardinality(websites) <= 2))
);

CREATE TABLE businesses (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT businesses_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);

CREATE TABLE carriages (
    message_id uuid NOT NULL,
    leg smallint NOT NULL,
    part smallint NOT NULL,
    channel text NOT NULL,
    carrier text NOT NULL,
    provider_id text DEFAULT ''::text NOT NULL,
    state text NOT NULL,
    attempts smallint DEFAULT 1 NOT NULL,
    failure json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT carriages_attempts_check CHECK ((attempts > 0)),
    CONSTRAINT carriages_carrier_check CHECK (((char_length(carrier) >= 1) AND (char_length(carrier) <= 60))),
    CONSTRAINT carriages_channel_check CHECK ((channel = ANY (ARRAY['messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT carriages_leg_check CHECK ((leg > 0)),
    CONSTRAINT carriages_part_check CHECK ((part > 0)),
    CONSTRAINT carriages_provider_id_check CHECK ((char_length(provider_id) <= 200)),
    CONSTRAINT carriages_state_check CHECK ((state = ANY (ARRAY['dialling'::text, 'waiting'::text, 'sent'::text, 'enroute'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text])))
)
PARTITION BY RANGE (message_id);

COMMENT ON TABLE carriages IS 'A carriage is the hand-over of one part of a message to one carrier. Leg 1 is the first channel of a message, leg 2 its fallback.';

COMMENT ON COLUMN carriages.state IS 'dialling: the carrier was called and its answer is not known; waiting: it refused for now; the others are those of the message.';

CREATE TABLE carrier_ids (
    carrier text NOT NULL COLLATE pg_catalog."C",
    provider_id text NOT NULL COLLATE pg_catalog."C",
    message_id uuid NOT NULL,
    leg smallint NOT NULL,
    part smallint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT carrier_ids_provider_id_check CHECK (((char_length(provider_id) >= 1) AND (char_length(provider_id) <= 200)))
);

COMMENT ON TABLE carrier_ids IS 'Which carriage a carrier''s own id means, for as long as reports may come.';

CREATE TABLE carrier_minutes (
    carrier text NOT NULL,
    minute timestamp with time zone NOT NULL,
    taken integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    delayed integer DEFAULT 0 NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    CONSTRAINT carrier_minutes_error_check CHECK ((char_length(error) <= 500))
);

COMMENT ON COLUMN carrier_minutes.refused IS 'for good';

COMMENT ON COLUMN carrier_minutes.delayed IS 'to try again';

COMMENT ON COLUMN carrier_minutes.error IS 'the last one of the minute';

CREATE TABLE carrier_routes (
    id bigint NOT NULL,
    channel text NOT NULL,
    sender text DEFAULT ''::text NOT NULL,
    organisation_id bigint DEFAULT 0 NOT NULL,
    carrier_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT carrier_routes_channel_check CHECK ((channel = ANY (ARRAY['messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT carrier_routes_sender_check CHECK ((char_length(sender) <= 64))
);

COMMENT ON TABLE carrier_routes IS 'The most specific route decides: sender and organisation, sender, organisation, channel.';

COMMENT ON COLUMN carrier_routes.sender IS 'empty: every sender';

COMMENT ON COLUMN carrier_routes.organisation_id IS '0: every organisation';

ALTER TABLE carrier_routes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME carrier_routes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE carriers (
    id bigint NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    url text DEFAULT ''::text NOT NULL,
    settings json DEFAULT '{}'::json NOT NULL,
    secret bytea,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    inbound_renewals integer DEFAULT 0 NOT NULL,
    CONSTRAINT carriers_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 40))),
    CONSTRAINT carriers_name_check CHECK (((name ~ '^[a-z0-9][a-z0-9_-]{0,39}$'::text) AND (name <> 'virtual'::text))),
    CONSTRAINT carriers_url_check CHECK ((char_length(url) <= 2048))
);

COMMENT ON TABLE carriers IS 'The carriers that operators set up, and which messages each one takes.';

COMMENT ON COLUMN carriers.secret IS 'sealed';

ALTER TABLE carriers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME carriers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE catalogue_batches (
    handle text NOT NULL,
    catalogue_id bigint NOT NULL,
    errors json NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT catalogue_batches_handle_check CHECK (((char_length(handle) >= 20) AND (char_length(handle) <= 40)))
);

COMMENT ON COLUMN catalogue_batches.errors IS 'of items that were not taken';

CREATE TABLE catalogues (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    business_id bigint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT catalogues_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);

CREATE TABLE change_set_items (
    change_set_id bigint NOT NULL,
    item_id bigint NOT NULL,
    revision_id bigint NOT NULL,
    open boolean DEFAULT true NOT NULL,
    action text DEFAULT 'update'::text NOT NULL,
    slug text,
    parent_id bigint,
    CONSTRAINT change_set_items_action_check CHECK ((action = ANY (ARRAY['update'::text, 'archive'::text, 'move'::text]))),
    CONSTRAINT change_set_items_check CHECK (((action = 'move'::text) = (slug IS NOT NULL))),
    CONSTRAINT change_set_items_check1 CHECK (((action = 'move'::text) OR (parent_id IS NULL))),
    CONSTRAINT change_set_items_slug_check CHECK (((slug ~ '^[a-z0-9]+([.-][a-z0-9]+)*$'::text) AND (char_length(slug) <= 120)))
);

COMMENT ON COLUMN change_set_items.open IS 'false once published, rejected or withdrawn';

COMMENT ON COLUMN change_set_items.slug IS 'of a move: where to';

COMMENT ON COLUMN change_set_items.parent_id IS 'of a move to another version';

CREATE TABLE change_sets (
    id bigint NOT NULL,
    product_id bigint NOT NULL,
    summary text NOT NULL,
    state text DEFAULT 'draft'::text NOT NULL,
    author_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    scheduled_for timestamp with time zone,
    scheduled_by bigint,
    blocked_reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT change_sets_check CHECK (((state <> 'scheduled'::text) OR (scheduled_for IS NOT NULL))),
    CONSTRAINT change_sets_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'in_review'::text, 'changes_requested'::text, 'approved'::text, 'scheduled'::text, 'published'::text, 'blocked'::text, 'rejected'::text, 'withdrawn'::text]))),
    CONSTRAINT change_sets_summary_check CHECK (((char_length(summary) >= 1) AND (char_length(summary) <= 2000)))
);

COMMENT ON COLUMN change_sets.blocked_reason IS 'why a scheduled release did not happen';

ALTER TABLE change_sets ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME change_sets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE check_policies (
    product_id bigint NOT NULL,
    check_name text NOT NULL,
    level text NOT NULL,
    CONSTRAINT check_policies_check_name_check CHECK ((char_length(check_name) <= 40)),
    CONSTRAINT check_policies_level_check CHECK ((level = ANY (ARRAY['block'::text, 'warn'::text, 'off'::text])))
);

CREATE TABLE check_results (
    change_set_id bigint NOT NULL,
    item_id bigint NOT NULL,
    content_hash bytea NOT NULL,
    basis bytea NOT NULL,
    findings jsonb DEFAULT '[]'::jsonb NOT NULL,
    checked_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT check_results_basis_check CHECK ((octet_length(basis) = 32)),
    CONSTRAINT check_results_content_hash_check CHECK ((octet_length(content_hash) = 32))
);

COMMENT ON COLUMN check_results.content_hash IS 'of the content that was checked';

COMMENT ON COLUMN check_results.basis IS 'hash of all that the findings depend on';

COMMENT ON COLUMN check_results.findings IS 'objects of check, field, line and message';

CREATE TABLE contact_attempts (
    enquiry_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    latency_ms integer NOT NULL,
    status integer NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    response text DEFAULT ''::text NOT NULL
);

COMMENT ON COLUMN contact_attempts.status IS 'of the response; 0 without one';

CREATE TABLE contact_deliveries (
    enquiry_id uuid NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    notification_id uuid,
    attempts integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone DEFAULT now() NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT contact_deliveries_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'webhook'::text]))),
    CONSTRAINT contact_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'pending'::text, 'delivered'::text, 'failed'::text])))
);

COMMENT ON COLUMN contact_deliveries.state IS 'waiting: nobody is set up to receive it. pending: on its way.';

COMMENT ON COLUMN contact_deliveries.notification_id IS 'of an email';

COMMENT ON COLUMN contact_deliveries.attempts IS 'at the webhook';

CREATE TABLE contact_enquiries (
    id uuid NOT NULL,
    reference text NOT NULL,
    status text DEFAULT 'new'::text NOT NULL,
    organisation text NOT NULL,
    website text DEFAULT ''::text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    phones text[] DEFAULT '{}'::text[] NOT NULL,
    gst_number text DEFAULT ''::text NOT NULL,
    message text NOT NULL,
    page text DEFAULT ''::text NOT NULL,
    consent_version text NOT NULL,
    consented_at timestamp with time zone DEFAULT now() NOT NULL,
    assignee_id bigint,
    client_hash bytea,
    fingerprint bytea NOT NULL,
    repeats integer DEFAULT 0 NOT NULL,
    repeated_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT contact_enquiries_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
    CONSTRAINT contact_enquiries_gst_number_check CHECK ((gst_number ~ '^([0-9A-Z]{15})?$'::text)),
    CONSTRAINT contact_enquiries_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 5000))),
    CONSTRAINT contact_enquiries_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT contact_enquiries_organisation_check CHECK (((char_length(organisation) >= 1) AND (char_length(organisation) <= 200))),
    CONSTRAINT contact_enquiries_page_check CHECK ((char_length(page) <= 500)),
    CONSTRAINT contact_enquiries_reference_check CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 20))),
    CONSTRAINT contact_enquiries_status_check CHECK ((status = ANY (ARRAY['unconfirmed'::text, 'new'::text, 'contacted'::text, 'qualified'::text, 'won'::text, 'lost'::text, 'spam'::text]))),
    CONSTRAINT contact_enquiries_website_check CHECK ((char_length(website) <= 300))
);

COMMENT ON COLUMN contact_enquiries.client_hash IS 'of the address, keyed for its day; null when it is no longer kept';

COMMENT ON COLUMN contact_enquiries.fingerprint IS 'of what makes two submissions the same';

CREATE TABLE contact_events (
    id bigint NOT NULL,
    enquiry_id uuid NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    before text DEFAULT ''::text NOT NULL,
    after text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT contact_events_after_check CHECK ((char_length(after) <= 5000)),
    CONSTRAINT contact_events_kind_check CHECK ((kind = ANY (ARRAY['received'::text, 'repeated'::text, 'confirmed'::text, 'status'::text, 'assigned'::text, 'note'::text, 'retried'::text])))
);

ALTER TABLE contact_events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME contact_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE contact_stamps (
    nonce bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE contact_stamps IS 'Forms that were sent, so that each is sent once. Deleted when the form is too old to be sent.';

CREATE TABLE conversations (
    phone_number_id bigint NOT NULL,
    contact text NOT NULL,
    last_inbound_at timestamp with time zone NOT NULL,
    CONSTRAINT conversations_contact_check CHECK ((contact ~ '^([1-9][0-9]{4,14}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$'::text))
);

COMMENT ON TABLE conversations IS 'No foreign keys to phone_numbers, as with messages: a check per row would lock the number that everybody''s messages come to.';

COMMENT ON COLUMN conversations.last_inbound_at IS 'for 24 hours from here every kind may be sent';

CREATE SEQUENCE deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE deliveries (
    id bigint DEFAULT nextval('deliveries_id_seq'::regclass) NOT NULL,
    webhook_id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    message_id uuid,
    event text NOT NULL,
    body bytea NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    attempts_before smallint DEFAULT 0 NOT NULL,
    replay_id bigint,
    CONSTRAINT deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT deliveries_event_check CHECK (((char_length(event) >= 1) AND (char_length(event) <= 60))),
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
PARTITION BY RANGE (id);

COMMENT ON COLUMN deliveries.body IS 'the same bytes at every attempt';

COMMENT ON COLUMN deliveries.attempts_before IS 'made before the last replay';

COMMENT ON COLUMN deliveries.replay_id IS 'the last of replays that it was in';

CREATE TABLE delivery_attempts (
    delivery_id bigint NOT NULL,
    number smallint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    latency_ms integer NOT NULL,
    url text NOT NULL,
    status integer,
    error text DEFAULT ''::text NOT NULL,
    response text DEFAULT ''::text NOT NULL,
    headers text DEFAULT ''::text NOT NULL,
    CONSTRAINT delivery_attempts_latency_ms_check CHECK ((latency_ms >= 0)),
    CONSTRAINT delivery_attempts_number_check CHECK ((number > 0)),
    CONSTRAINT delivery_attempts_response_check CHECK ((octet_length(response) <= 8192))
)
PARTITION BY RANGE (delivery_id);

COMMENT ON COLUMN delivery_attempts.status IS 'null when no answer came';

COMMENT ON COLUMN delivery_attempts.response IS 'first 2 kB, made printable';

COMMENT ON COLUMN delivery_attempts.headers IS 'names of the partner''s own, a line each';

CREATE TABLE delivery_marks (
    at timestamp with time zone NOT NULL,
    number bigint NOT NULL
);

CREATE TABLE discarded_objects (
    object text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT discarded_objects_object_check CHECK ((object ~ '^(media|uploads|builds|gallery)/[a-z0-9][a-z0-9-]{0,63}$'::text))
);

COMMENT ON TABLE discarded_objects IS 'An object of storage that nothing refers to is named here, and removed once due: a file on its way in, from before its first byte until its row is committed, and a file whose row is gone, whatever deleted it.';

CREATE TABLE encryption_keys (
    phone_number_id bigint NOT NULL,
    public_key text NOT NULL,
    private_key bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT encryption_keys_public_key_check CHECK (((char_length(public_key) >= 1) AND (char_length(public_key) <= 8192)))
);

COMMENT ON COLUMN encryption_keys.public_key IS 'PEM';

COMMENT ON COLUMN encryption_keys.private_key IS 'sealed PKCS #8 PEM; null where the partner keeps the pair';

CREATE TABLE expiry_marks (
    channel text NOT NULL,
    examined uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL
);

COMMENT ON COLUMN expiry_marks.examined IS 'messages up to this id were looked at';

CREATE TABLE feedback (
    id bigint NOT NULL,
    page text NOT NULL,
    helpful boolean NOT NULL,
    comment text DEFAULT ''::text NOT NULL,
    reader bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT feedback_comment_check CHECK ((char_length(comment) <= 1000)),
    CONSTRAINT feedback_page_check CHECK (((char_length(page) >= 1) AND (char_length(page) <= 500)))
);

COMMENT ON COLUMN feedback.reader IS 'HMAC of the address, keyed for the day';

ALTER TABLE feedback ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME feedback_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE fetched_files (
    organisation_id bigint NOT NULL,
    sha256 text NOT NULL,
    object text NOT NULL,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT fetched_files_mime_type_check CHECK (((char_length(mime_type) >= 3) AND (char_length(mime_type) <= 100))),
    CONSTRAINT fetched_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT fetched_files_size_check CHECK (((size >= 1) AND (size <= 104857600)))
);

COMMENT ON COLUMN fetched_files.size IS 'bytes';

CREATE TABLE fetched_links (
    organisation_id bigint NOT NULL,
    link bytea NOT NULL,
    sha256 text,
    problem text DEFAULT ''::text NOT NULL,
    fetched_at timestamp with time zone,
    claimed_until timestamp with time zone NOT NULL,
    CONSTRAINT fetched_links_link_check CHECK ((octet_length(link) = 32))
);

COMMENT ON TABLE fetched_links IS 'What is known of a link: its file, or why it cannot be sent. A row with neither is being fetched.';

COMMENT ON COLUMN fetched_links.link IS 'SHA-256 of what it is sent as and its address';

COMMENT ON COLUMN fetched_links.claimed_until IS 'until then one process fetches it';

CREATE TABLE gallery_files (
    id bigint NOT NULL,
    item_id text NOT NULL,
    state text NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    object text,
    mime_type text NOT NULL,
    source_sha256 text NOT NULL,
    created_by bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT gallery_files_mime_type_check CHECK (((char_length(mime_type) >= 3) AND (char_length(mime_type) <= 100))),
    CONSTRAINT gallery_files_source_sha256_check CHECK ((source_sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT gallery_files_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'refused'::text])))
);

COMMENT ON TABLE gallery_files IS 'A file is one upload of an item; replacing adds one.';

COMMENT ON COLUMN gallery_files.problem IS 'why it was refused';

COMMENT ON COLUMN gallery_files.object IS 'as uploaded, until its sizes are made';

COMMENT ON COLUMN gallery_files.mime_type IS 'as uploaded';

ALTER TABLE gallery_files ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME gallery_files_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE gallery_folders (
    id bigint NOT NULL,
    parent_id bigint,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT gallery_folders_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)))
);

COMMENT ON COLUMN gallery_folders.parent_id IS 'null at the top';

ALTER TABLE gallery_folders ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME gallery_folders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE gallery_items (
    id text NOT NULL,
    folder_id bigint,
    name text NOT NULL,
    kind text NOT NULL,
    alt text DEFAULT ''::text NOT NULL,
    file_id bigint,
    public_at timestamp with time zone,
    created_by bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    trashed_at timestamp with time zone,
    CONSTRAINT gallery_items_alt_check CHECK ((char_length(alt) <= 500)),
    CONSTRAINT gallery_items_id_check CHECK ((id ~ '^[a-z2-7]{10}$'::text)),
    CONSTRAINT gallery_items_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text, 'document'::text]))),
    CONSTRAINT gallery_items_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);

COMMENT ON TABLE gallery_items IS 'The id is part of the public address and stays when the bytes are replaced.';

COMMENT ON COLUMN gallery_items.folder_id IS 'null at the top';

COMMENT ON COLUMN gallery_items.file_id IS 'what the address serves; null until the first file is ready';

COMMENT ON COLUMN gallery_items.public_at IS 'null while it waits for the release of the draft that it was added in';

CREATE TABLE gallery_renditions (
    file_id bigint NOT NULL,
    variant text NOT NULL,
    object text NOT NULL,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    width integer DEFAULT 0 NOT NULL,
    height integer DEFAULT 0 NOT NULL,
    CONSTRAINT gallery_renditions_mime_type_check CHECK (((char_length(mime_type) >= 3) AND (char_length(mime_type) <= 100))),
    CONSTRAINT gallery_renditions_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT gallery_renditions_size_check CHECK ((size > 0)),
    CONSTRAINT gallery_renditions_variant_check CHECK ((variant = ANY (ARRAY['full'::text, 'large'::text, 'medium'::text, 'small'::text])))
);

COMMENT ON TABLE gallery_renditions IS 'What is served of a file: all of it, and images in smaller sizes.';

COMMENT ON COLUMN gallery_renditions.size IS 'bytes';

COMMENT ON COLUMN gallery_renditions.width IS 'pixels; 0 for what is no image';

CREATE TABLE gallery_uses (
    media_id text NOT NULL,
    item_id bigint NOT NULL,
    revision_id bigint NOT NULL
);

COMMENT ON TABLE gallery_uses IS 'Which revisions name which items of the gallery.';

CREATE TABLE goose_db_version (
    id integer NOT NULL,
    version_id bigint NOT NULL,
    is_applied boolean NOT NULL,
    tstamp timestamp without time zone DEFAULT now() NOT NULL
);

ALTER TABLE goose_db_version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME goose_db_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE idempotency_keys (
    organisation_id bigint NOT NULL,
    key text NOT NULL,
    route text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    response bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);

CREATE TABLE import_tokens (
    id bigint NOT NULL,
    admin_user_id bigint NOT NULL,
    product_id bigint NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT import_tokens_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT import_tokens_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
    CONSTRAINT import_tokens_prefix_check CHECK ((char_length(prefix) <= 20))
);

COMMENT ON COLUMN import_tokens.prefix IS 'what is shown of it';

ALTER TABLE import_tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME import_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE import_watches (
    id bigint NOT NULL,
    address text NOT NULL,
    product_id bigint NOT NULL,
    version_slug text NOT NULL,
    every_hours integer NOT NULL,
    created_by bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    last_at timestamp with time zone,
    last_sha256 bytea,
    last_outcome text DEFAULT ''::text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    CONSTRAINT import_watches_address_check CHECK (((char_length(address) >= 1) AND (char_length(address) <= 2000))),
    CONSTRAINT import_watches_every_hours_check CHECK (((every_hours >= 1) AND (every_hours <= 168)))
);

ALTER TABLE import_watches ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME import_watches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE imports (
    id bigint NOT NULL,
    source text NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    created_by bigint,
    watch_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    decided_at timestamp with time zone,
    decided_by bigint,
    name text DEFAULT ''::text NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    object text DEFAULT ''::text NOT NULL,
    converted text DEFAULT ''::text NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    sha256 bytea,
    product_id bigint,
    product_slug text NOT NULL,
    product_name text NOT NULL,
    version_slug text NOT NULL,
    progress integer DEFAULT 0 NOT NULL,
    stage text DEFAULT ''::text NOT NULL,
    format text DEFAULT ''::text NOT NULL,
    format_version text DEFAULT ''::text NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    title_version text DEFAULT ''::text NOT NULL,
    operations integer DEFAULT 0 NOT NULL,
    schemas integer DEFAULT 0 NOT NULL,
    added integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    breaking integer DEFAULT 0 NOT NULL,
    findings json DEFAULT '[]'::json NOT NULL,
    finding_count integer DEFAULT 0 NOT NULL,
    plan json DEFAULT '{}'::json NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    skipped text[] DEFAULT '{}'::text[] NOT NULL,
    change_set_id bigint,
    token_id bigint,
    CONSTRAINT imports_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
    CONSTRAINT imports_source_check CHECK ((source = ANY (ARRAY['file'::text, 'text'::text, 'address'::text, 'watch'::text, 'api'::text]))),
    CONSTRAINT imports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'reading'::text, 'ready'::text, 'unchanged'::text, 'failed'::text, 'cancelled'::text, 'accepted'::text, 'discarded'::text])))
);

COMMENT ON COLUMN imports.name IS 'What came in.';

COMMENT ON COLUMN imports.object IS 'key of the bytes, empty until an address was read';

COMMENT ON COLUMN imports.converted IS 'key of the document as OpenAPI 3.1';

COMMENT ON COLUMN imports.product_id IS 'Where it goes: a product that exists or a new one.';

COMMENT ON COLUMN imports.progress IS 'What was read.';

COMMENT ON COLUMN imports.skipped IS 'addresses of operations that were not taken';

ALTER TABLE imports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE inbound_messages (
    id uuid NOT NULL,
    phone_number_id bigint DEFAULT 0 NOT NULL,
    contact text NOT NULL,
    kind text NOT NULL,
    payload json NOT NULL,
    context uuid,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone,
    organisation_id bigint,
    channel text DEFAULT 'messaging'::text NOT NULL,
    recipient text DEFAULT ''::text NOT NULL,
    user_id text DEFAULT ''::text NOT NULL,
    CONSTRAINT inbound_messages_channel_check CHECK ((channel = ANY (ARRAY['messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT inbound_messages_contact_check CHECK ((contact ~ '^([1-9][0-9]{4,14}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$'::text)),
    CONSTRAINT inbound_messages_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 40))),
    CONSTRAINT inbound_messages_recipient_check CHECK ((char_length(recipient) <= 64))
)
PARTITION BY RANGE (id);

COMMENT ON COLUMN inbound_messages.id IS 'version 7: ordered by time';

COMMENT ON COLUMN inbound_messages.payload IS 'the content, as the callback has it';

COMMENT ON COLUMN inbound_messages.context IS 'the message that is answered';

COMMENT ON COLUMN inbound_messages.read_at IS 'when the partner marked it, or a later one, as read';

COMMENT ON COLUMN inbound_messages.recipient IS 'what was written to';

COMMENT ON COLUMN inbound_messages.user_id IS 'of the sender, beside a number or alone';

CREATE TABLE inbox_reads (
    notification_id uuid NOT NULL,
    actor text NOT NULL,
    CONSTRAINT inbox_reads_actor_check CHECK ((char_length(actor) <= 200))
);

COMMENT ON TABLE inbox_reads IS 'A message that somebody looked at again is recorded in the audit once.';

CREATE TABLE insight_batches (
    id uuid NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE insight_batches IS 'The batches that processes wrote. One that is written again after its answer was lost is known here.';

CREATE TABLE insight_days (
    what text NOT NULL,
    day date NOT NULL,
    product text NOT NULL,
    version text NOT NULL,
    name text NOT NULL,
    detail text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT insight_days_count_check CHECK ((count > 0)),
    CONSTRAINT insight_days_detail_check CHECK ((char_length(detail) <= 200)),
    CONSTRAINT insight_days_name_check CHECK ((char_length(name) <= 500)),
    CONSTRAINT insight_days_product_check CHECK ((char_length(product) <= 200)),
    CONSTRAINT insight_days_version_check CHECK ((char_length(version) <= 100)),
    CONSTRAINT insight_days_what_check CHECK (((char_length(what) >= 1) AND (char_length(what) <= 20)))
);

COMMENT ON TABLE insight_days IS 'Everything else, by day: searches by length and results, hosts that readers come from, samples, exports, client libraries, calls.';

COMMENT ON COLUMN insight_days.day IS 'in the zone of the installation';

CREATE TABLE insight_months (
    what text NOT NULL,
    month date NOT NULL,
    product text NOT NULL,
    version text NOT NULL,
    name text NOT NULL,
    detail text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT insight_months_count_check CHECK ((count > 0)),
    CONSTRAINT insight_months_detail_check CHECK ((char_length(detail) <= 200)),
    CONSTRAINT insight_months_name_check CHECK ((char_length(name) <= 500)),
    CONSTRAINT insight_months_product_check CHECK ((char_length(product) <= 200)),
    CONSTRAINT insight_months_version_check CHECK ((char_length(version) <= 100)),
    CONSTRAINT insight_months_what_check CHECK (((char_length(what) >= 1) AND (char_length(what) <= 20)))
);

COMMENT ON TABLE insight_months IS 'Sums of whole months of insight_days. A month is added once its days no longer change.';

COMMENT ON COLUMN insight_months.month IS 'its first day';

CREATE TABLE insight_steps (
    organisation_id bigint NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    verified_at timestamp with time zone,
    key_at timestamp with time zone,
    message_at timestamp with time zone,
    callback_at timestamp with time zone
);

COMMENT ON TABLE insight_steps IS 'When organisations took their first steps. Keys, messages and callbacks are deleted sooner than this is asked.';

CREATE TABLE insight_totals (
    grain text NOT NULL,
    start timestamp with time zone NOT NULL,
    product text NOT NULL,
    kind text NOT NULL,
    reader text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT insight_totals_count_check CHECK ((count > 0)),
    CONSTRAINT insight_totals_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text])))
);

COMMENT ON TABLE insight_totals IS 'The same views without their pages, for trends.';

CREATE TABLE insight_views (
    grain text NOT NULL,
    start timestamp with time zone NOT NULL,
    page text NOT NULL,
    reader text NOT NULL,
    kind text NOT NULL,
    product text NOT NULL,
    version text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT insight_views_count_check CHECK ((count > 0)),
    CONSTRAINT insight_views_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text]))),
    CONSTRAINT insight_views_kind_check CHECK ((char_length(kind) <= 20)),
    CONSTRAINT insight_views_page_check CHECK (((char_length(page) >= 1) AND (char_length(page) <= 500))),
    CONSTRAINT insight_views_product_check CHECK ((char_length(product) <= 200)),
    CONSTRAINT insight_views_reader_check CHECK ((reader = ANY (ARRAY['person'::text, 'search'::text, 'ai'::text, 'tool'::text, 'unknown'::text]))),
    CONSTRAINT insight_views_version_check CHECK ((char_length(version) <= 100))
);

COMMENT ON TABLE insight_views IS 'Views of pages. The rows of hours, days and months are counted side by side, so that a page about two years reads no more rows than one about two days.';

COMMENT ON COLUMN insight_views.start IS 'of the hour, day or month in the zone of the installation';

COMMENT ON COLUMN insight_views.product IS 'empty for pages of no product';

CREATE TABLE invitations (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT invitations_email_check CHECK (((email = lower(email)) AND ((char_length(email) >= 3) AND (char_length(email) <= 254)))),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'viewer'::text]))),
    CONSTRAINT invitations_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

ALTER TABLE invitations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME invitations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE item_redirects (
    id bigint NOT NULL,
    kind text NOT NULL,
    parent_id bigint,
    slug text NOT NULL,
    item_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE item_redirects IS 'Where an item was before it moved.';

COMMENT ON COLUMN item_redirects.parent_id IS 'null for a product';

ALTER TABLE item_redirects ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME item_redirects_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE items (
    id bigint NOT NULL,
    kind text NOT NULL,
    parent_id bigint,
    slug text NOT NULL,
    live_revision_id bigint,
    draft_revision_id bigint,
    archived_at timestamp with time zone,
    trashed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    practice_of bigint,
    CONSTRAINT items_check CHECK (((kind = 'product'::text) = (parent_id IS NULL))),
    CONSTRAINT items_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'version'::text, 'endpoint'::text, 'guide'::text, 'category'::text, 'schema'::text, 'callback'::text]))),
    CONSTRAINT items_slug_check CHECK (((slug ~ '^[a-z0-9]+([.-][a-z0-9]+)*$'::text) AND (char_length(slug) <= 120)))
);

ALTER TABLE items ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME items_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE key_checks (
    key_id text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT key_checks_key_id_check CHECK (((char_length(key_id) >= 1) AND (char_length(key_id) <= 100)))
);

CREATE TABLE leg_events (
    message_id uuid NOT NULL,
    leg smallint NOT NULL,
    state text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    failure json,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT leg_events_leg_check CHECK ((leg > 1))
)
PARTITION BY RANGE (message_id);

COMMENT ON TABLE leg_events IS 'The states of the legs after the first; message_events has those of the first.';

CREATE TABLE list_filters (
    id bigint NOT NULL,
    admin_user_id bigint NOT NULL,
    list text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT list_filters_list_check CHECK ((list = ANY (ARRAY['drafts'::text, 'products'::text, 'items'::text]))),
    CONSTRAINT list_filters_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
    CONSTRAINT list_filters_query_check CHECK ((char_length(query) <= 1000))
);

COMMENT ON COLUMN list_filters.query IS 'encoded as in an address';

ALTER TABLE list_filters ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME list_filters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE media (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    phone_number_id bigint NOT NULL,
    object text NOT NULL,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    file_name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT media_file_name_check CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 120))),
    CONSTRAINT media_mime_type_check CHECK (((char_length(mime_type) >= 3) AND (char_length(mime_type) <= 100))),
    CONSTRAINT media_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT media_size_check CHECK (((size >= 1) AND (size <= 104857600)))
);

COMMENT ON COLUMN media.size IS 'bytes';

CREATE TABLE message_events (
    message_id uuid NOT NULL,
    state text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    failure json,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    organisation_id bigint,
    CONSTRAINT message_events_state_check CHECK ((state = ANY (ARRAY['accepted'::text, 'sent'::text, 'enroute'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text])))
)
PARTITION BY RANGE (message_id);

COMMENT ON COLUMN message_events.organisation_id IS 'of failures';

CREATE TABLE message_templates (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    business_account_id bigint NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    category text NOT NULL,
    status text NOT NULL,
    components json NOT NULL,
    message_send_ttl_seconds integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    seq bigint NOT NULL,
    parameter_format text DEFAULT 'POSITIONAL'::text NOT NULL,
    allow_category_change boolean DEFAULT false NOT NULL,
    previous_category text,
    rejected_reason text DEFAULT 'NONE'::text NOT NULL,
    quality text DEFAULT 'UNKNOWN'::text NOT NULL,
    quality_at timestamp with time zone,
    revision integer DEFAULT 1 NOT NULL,
    edits timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    reviewed_at timestamp with time zone,
    pauses smallint DEFAULT 0 NOT NULL,
    paused_until timestamp with time zone,
    deleted_at timestamp with time zone,
    name_blocked_until timestamp with time zone,
    CONSTRAINT message_templates_category_check CHECK ((category = ANY (ARRAY['AUTHENTICATION'::text, 'UTILITY'::text, 'MARKETING'::text]))),
    CONSTRAINT message_templates_check CHECK (((rejected_reason = 'NONE'::text) OR (status = 'REJECTED'::text))),
    CONSTRAINT message_templates_check1 CHECK (((paused_until IS NULL) OR (status = 'PAUSED'::text))),
    CONSTRAINT message_templates_check2 CHECK (((deleted_at IS NULL) OR (status = ANY (ARRAY['PENDING_DELETION'::text, 'DELETED'::text])))),
    CONSTRAINT message_templates_check3 CHECK (((name_blocked_until IS NULL) OR (deleted_at IS NOT NULL))),
    CONSTRAINT message_templates_edits_check CHECK ((cardinality(edits) <= 10)),
    CONSTRAINT message_templates_language_check CHECK ((language ~ '^[A-Za-z]{2,3}(_[A-Za-z0-9]{2,8})?$'::text)),
    CONSTRAINT message_templates_message_send_ttl_seconds_check CHECK (((message_send_ttl_seconds = '-1'::integer) OR ((message_send_ttl_seconds >= 30) AND (message_send_ttl_seconds <= 2592000)))),
    CONSTRAINT message_templates_name_check CHECK (((name ~ '^[a-z0-9_]+$'::text) AND (char_length(name) <= 512))),
    CONSTRAINT message_templates_parameter_format_check CHECK ((parameter_format = ANY (ARRAY['POSITIONAL'::text, 'NAMED'::text]))),
    CONSTRAINT message_templates_pauses_check CHECK (((pauses >= 0) AND (pauses <= 2))),
    CONSTRAINT message_templates_previous_category_check CHECK ((previous_category = ANY (ARRAY['AUTHENTICATION'::text, 'UTILITY'::text, 'MARKETING'::text]))),
    CONSTRAINT message_templates_quality_check CHECK ((quality = ANY (ARRAY['GREEN'::text, 'YELLOW'::text, 'RED'::text, 'UNKNOWN'::text]))),
    CONSTRAINT message_templates_rejected_reason_check CHECK ((rejected_reason = ANY (ARRAY['NONE'::text, 'ABUSIVE_CONTENT'::text, 'PROMOTIONAL'::text, 'INCORRECT_CATEGORY'::text, 'INVALID_FORMAT'::text, 'TAG_CONTENT_MISMATCH'::text, 'SCAM'::text]))),
    CONSTRAINT message_templates_revision_check CHECK ((revision > 0)),
    CONSTRAINT message_templates_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'PAUSED'::text, 'DISABLED'::text, 'IN_APPEAL'::text, 'PENDING_DELETION'::text, 'DELETED'::text, 'LIMIT_EXCEEDED'::text, 'ARCHIVED'::text, 'LOCKED'::text])))
);

COMMENT ON COLUMN message_templates.seq IS 'lists are ordered by it, newest first';

COMMENT ON COLUMN message_templates.revision IS 'grows with each edit';

COMMENT ON COLUMN message_templates.edits IS 'made while approved, of the last 30 days';

COMMENT ON COLUMN message_templates.deleted_at IS 'when the partner deleted it';

COMMENT ON COLUMN message_templates.name_blocked_until IS 'set by the deletion of an approved one';

ALTER TABLE message_templates ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME message_templates_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE messages (
    id uuid NOT NULL,
    organisation_id bigint NOT NULL,
    channel text NOT NULL,
    sender_id bigint DEFAULT 0 NOT NULL,
    recipient text NOT NULL,
    kind text NOT NULL,
    payload json NOT NULL,
    reference text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'accepted'::text NOT NULL,
    provider_id text DEFAULT ''::text NOT NULL,
    failure json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    ttl_seconds integer DEFAULT 0 NOT NULL,
    sender text,
    subject text DEFAULT ''::text NOT NULL,
    parts smallint DEFAULT 1 NOT NULL,
    scheduled_at timestamp with time zone,
    leg smallint DEFAULT 1 NOT NULL,
    legs json,
    leg_at timestamp with time zone,
    request_id text DEFAULT ''::text NOT NULL,
    traceparent text DEFAULT ''::text NOT NULL,
    CONSTRAINT messages_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 40))),
    CONSTRAINT messages_parts_check CHECK (((parts >= 1) AND (parts <= 255))),
    CONSTRAINT messages_recipient_check CHECK (((char_length(recipient) >= 1) AND (char_length(recipient) <= 140))),
    CONSTRAINT messages_reference_check CHECK ((char_length(reference) <= 512)),
    CONSTRAINT messages_request_id_check CHECK ((char_length(request_id) <= 64)),
    CONSTRAINT messages_sender_check CHECK (((char_length(sender) >= 1) AND (char_length(sender) <= 64))),
    CONSTRAINT messages_subject_check CHECK ((char_length(subject) <= 64)),
    CONSTRAINT messages_traceparent_check CHECK ((char_length(traceparent) <= 55))
)
PARTITION BY RANGE (id);

COMMENT ON TABLE messages IS 'No foreign keys from here to organisations or phone_numbers: a check per row would lock the same parent row from every accepting transaction.';

COMMENT ON COLUMN messages.id IS 'version 7: ordered by time';

COMMENT ON COLUMN messages.sender_id IS 'messaging: the phone number';

COMMENT ON COLUMN messages.recipient IS 'digits with country code';

COMMENT ON COLUMN messages.payload IS 'the send request as accepted';

COMMENT ON COLUMN messages.reference IS 'the partner''s own, echoed in statuses';

COMMENT ON COLUMN messages.ttl_seconds IS '0: the channel''s own, 30 days';

COMMENT ON COLUMN messages.subject IS 'of the webhook; empty: the sender';

COMMENT ON COLUMN messages.scheduled_at IS 'null: at once';

COMMENT ON COLUMN messages.leg IS 'that is carried now';

COMMENT ON COLUMN messages.leg_at IS 'when that leg began; null on the first';

CREATE TABLE messaging_identities (
    organisation_id bigint NOT NULL,
    identity text NOT NULL,
    kind text NOT NULL,
    person uuid NOT NULL,
    current boolean DEFAULT true NOT NULL,
    username text DEFAULT ''::text NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT messaging_identities_identity_check CHECK ((identity ~ '^([1-9][0-9]{4,14}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$'::text)),
    CONSTRAINT messaging_identities_kind_check CHECK ((kind = ANY (ARRAY['number'::text, 'user'::text, 'parent'::text]))),
    CONSTRAINT messaging_identities_username_check CHECK ((char_length(username) <= 100))
);

COMMENT ON TABLE messaging_identities IS 'The numbers and user ids that mean the same person at an organisation. An identity that was replaced stays, so that what was sent to it is found.';

COMMENT ON COLUMN messaging_identities.kind IS 'number, user, or parent for an id of linked portfolios';

COMMENT ON COLUMN messaging_identities.current IS 'false once the person has another one';

COMMENT ON COLUMN messaging_identities.username IS 'of a user id, as last seen';

CREATE TABLE mock_callbacks (
    id uuid NOT NULL,
    organisation_id bigint NOT NULL,
    method text NOT NULL,
    url text NOT NULL,
    headers jsonb NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT mock_callbacks_body_check CHECK ((octet_length(body) <= 65536)),
    CONSTRAINT mock_callbacks_method_check CHECK (((char_length(method) >= 1) AND (char_length(method) <= 16))),
    CONSTRAINT mock_callbacks_url_check CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2048)))
);

COMMENT ON COLUMN mock_callbacks.headers IS 'of the signature; the key that signed is not stored';

CREATE TABLE mock_records (
    scope bytea NOT NULL,
    client bytea NOT NULL,
    collection text NOT NULL,
    id text NOT NULL,
    value text NOT NULL,
    deleted boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone DEFAULT (now() + '01:00:00'::interval) NOT NULL,
    CONSTRAINT mock_records_collection_check CHECK ((char_length(collection) <= 2000)),
    CONSTRAINT mock_records_id_check CHECK (((char_length(id) >= 1) AND (char_length(id) <= 200))),
    CONSTRAINT mock_records_value_check CHECK ((octet_length(value) <= 16384))
);

COMMENT ON COLUMN mock_records.scope IS 'HMAC of the version, the address and the credentials of the caller';

COMMENT ON COLUMN mock_records.client IS 'HMAC of the address';

COMMENT ON COLUMN mock_records.value IS 'JSON';

CREATE TABLE notification_attempts (
    notification_id uuid NOT NULL,
    number smallint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    latency_ms integer NOT NULL,
    provider text NOT NULL,
    outcome text NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    fault text DEFAULT ''::text NOT NULL,
    CONSTRAINT notification_attempts_fault_check CHECK ((char_length(fault) <= 40)),
    CONSTRAINT notification_attempts_latency_ms_check CHECK ((latency_ms >= 0)),
    CONSTRAINT notification_attempts_number_check CHECK ((number >= 1)),
    CONSTRAINT notification_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'rejected'::text, 'unavailable'::text]))),
    CONSTRAINT notification_attempts_provider_check CHECK ((char_length(provider) <= 300))
);

COMMENT ON COLUMN notification_attempts.provider IS 'host that was asked';

COMMENT ON COLUMN notification_attempts.answer IS 'of the provider, without what the message says';

COMMENT ON COLUMN notification_attempts.fault IS 'empty: the provider answered';

CREATE TABLE notifications (
    id uuid NOT NULL,
    kind text NOT NULL,
    purpose text NOT NULL,
    recipient text NOT NULL,
    subject text DEFAULT ''::text NOT NULL,
    body bytea,
    topic text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    virtual boolean DEFAULT false NOT NULL,
    charged boolean DEFAULT false NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    html bytea,
    CONSTRAINT notifications_check CHECK ((expires_at > created_at)),
    CONSTRAINT notifications_check1 CHECK (((state = 'queued'::text) = (finished_at IS NULL))),
    CONSTRAINT notifications_kind_check CHECK ((kind = ANY (ARRAY['sms'::text, 'email'::text]))),
    CONSTRAINT notifications_purpose_check CHECK (((char_length(purpose) >= 1) AND (char_length(purpose) <= 60))),
    CONSTRAINT notifications_recipient_check CHECK (((char_length(recipient) >= 3) AND (char_length(recipient) <= 254))),
    CONSTRAINT notifications_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'expired'::text, 'cancelled'::text]))),
    CONSTRAINT notifications_subject_check CHECK ((char_length(subject) <= 200)),
    CONSTRAINT notifications_topic_check CHECK ((char_length(topic) <= 200))
);

COMMENT ON COLUMN notifications.id IS 'version 7: in order of time';

COMMENT ON COLUMN notifications.purpose IS 'for instance registration';

COMMENT ON COLUMN notifications.recipient IS 'E.164 or an email address';

COMMENT ON COLUMN notifications.body IS 'sealed; null once nobody needs it';

COMMENT ON COLUMN notifications.topic IS 'a newer message of a topic replaces older ones';

COMMENT ON COLUMN notifications.virtual IS 'went to the inbox of the administration';

COMMENT ON COLUMN notifications.charged IS 'counts for the budget of its day';

COMMENT ON COLUMN notifications.finished_at IS 'when it left the state queued';

COMMENT ON COLUMN notifications.html IS 'sealed; null without one, and once nobody needs it';

CREATE TABLE number_notices (
    phone_number_id bigint NOT NULL,
    told_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE orders (
    message_id uuid NOT NULL,
    phone_number_id bigint NOT NULL,
    payment_configuration text NOT NULL,
    reference_id text NOT NULL,
    recipient text NOT NULL,
    payment_type text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    amount_offset integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    payment_status text DEFAULT 'NEW'::text NOT NULL,
    expires_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT orders_amount_check CHECK ((amount >= 0)),
    CONSTRAINT orders_amount_offset_check CHECK ((amount_offset > 0)),
    CONSTRAINT orders_check CHECK (((status <> 'canceled'::text) OR (payment_status = 'CANCELED'::text))),
    CONSTRAINT orders_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT orders_payment_configuration_check CHECK (((char_length(payment_configuration) >= 1) AND (char_length(payment_configuration) <= 60))),
    CONSTRAINT orders_payment_status_check CHECK ((payment_status = ANY (ARRAY['NEW'::text, 'PENDING'::text, 'CAPTURED'::text, 'FAILED'::text, 'CANCELED'::text]))),
    CONSTRAINT orders_payment_type_check CHECK (((char_length(payment_type) >= 1) AND (char_length(payment_type) <= 60))),
    CONSTRAINT orders_recipient_check CHECK (((char_length(recipient) >= 1) AND (char_length(recipient) <= 140))),
    CONSTRAINT orders_reference_id_check CHECK ((reference_id ~ '^[A-Za-z0-9_.-]{1,35}$'::text)),
    CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'partially_shipped'::text, 'shipped'::text, 'completed'::text, 'canceled'::text])))
);

COMMENT ON COLUMN orders.message_id IS 'the message that opened it';

COMMENT ON COLUMN orders.amount IS 'in the smallest unit';

COMMENT ON COLUMN orders.amount_offset IS 'smallest units in one';

COMMENT ON COLUMN orders.expires_at IS 'no attempt to pay begins after it';

CREATE TABLE organisation_users (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    email text NOT NULL,
    mobile text,
    password_hash text NOT NULL,
    role text NOT NULL,
    active boolean DEFAULT false NOT NULL,
    session_version integer DEFAULT 1 NOT NULL,
    failed_sign_ins integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organisation_users_email_check CHECK (((email = lower(email)) AND ((char_length(email) >= 3) AND (char_length(email) <= 254)))),
    CONSTRAINT organisation_users_failed_sign_ins_check CHECK ((failed_sign_ins >= 0)),
    CONSTRAINT organisation_users_mobile_check CHECK ((mobile ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT organisation_users_name_check CHECK ((char_length(name) <= 200)),
    CONSTRAINT organisation_users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'viewer'::text])))
);

ALTER TABLE organisation_users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME organisation_users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE organisations (
    id bigint NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'inactive'::text NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    verified_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT organisations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT organisations_status_check CHECK ((status = ANY (ARRAY['inactive'::text, 'active'::text, 'suspended'::text])))
);

ALTER TABLE organisations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME organisations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE otp_blocks (
    prefix text NOT NULL,
    sent integer NOT NULL,
    verified integer NOT NULL,
    blocked_at timestamp with time zone DEFAULT now() NOT NULL,
    until timestamp with time zone NOT NULL,
    CONSTRAINT otp_blocks_prefix_check CHECK ((prefix ~ '^\+[0-9]{6}$'::text)),
    CONSTRAINT otp_blocks_sent_check CHECK ((sent > 0)),
    CONSTRAINT otp_blocks_verified_check CHECK ((verified >= 0))
);

COMMENT ON COLUMN otp_blocks.sent IS 'codes of the hour before';

COMMENT ON COLUMN otp_blocks.verified IS 'of them';

CREATE TABLE otp_challenges (
    id uuid NOT NULL,
    purpose text NOT NULL,
    user_id bigint,
    phone text,
    hash bytea,
    attempts smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    consumed_at timestamp with time zone,
    verified_at timestamp with time zone,
    CONSTRAINT otp_challenges_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5))),
    CONSTRAINT otp_challenges_check CHECK ((expires_at > created_at)),
    CONSTRAINT otp_challenges_check1 CHECK (((verified_at IS NULL) OR (consumed_at IS NOT NULL))),
    CONSTRAINT otp_challenges_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT otp_challenges_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT otp_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['registration'::text, 'recovery'::text, 'mobile'::text])))
);

COMMENT ON COLUMN otp_challenges.id IS 'random: only the browser that asked knows it';

COMMENT ON COLUMN otp_challenges.user_id IS 'null where nobody is asked: nothing meets such a challenge';

COMMENT ON COLUMN otp_challenges.phone IS 'where the code goes';

COMMENT ON COLUMN otp_challenges.hash IS 'HMAC of the code; null until there is one';

CREATE TABLE parked_parts (
    message_id uuid NOT NULL,
    leg smallint NOT NULL,
    part smallint NOT NULL,
    carrier text NOT NULL,
    hand_over smallint NOT NULL,
    parked_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT parked_parts_hand_over_check CHECK ((hand_over > 0)),
    CONSTRAINT parked_parts_leg_check CHECK ((leg > 0)),
    CONSTRAINT parked_parts_part_check CHECK ((part > 0))
);

COMMENT ON TABLE parked_parts IS 'Parts of messages of which nobody knows whether their carrier has them. A person decides what becomes of each.';

COMMENT ON COLUMN parked_parts.hand_over IS 'that nothing is known of';

CREATE TABLE payment_transactions (
    order_id uuid NOT NULL,
    number smallint NOT NULL,
    id text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_transactions_id_check CHECK (((char_length(id) >= 1) AND (char_length(id) <= 60))),
    CONSTRAINT payment_transactions_number_check CHECK ((number > 0)),
    CONSTRAINT payment_transactions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text])))
);

COMMENT ON COLUMN payment_transactions.number IS 'of the attempt, from 1';

CREATE TABLE phone_numbers (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    business_account_id bigint NOT NULL,
    number text NOT NULL,
    verified_name text NOT NULL,
    webhook_secret bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    previous_webhook_secret bytea,
    previous_secret_until timestamp with time zone,
    removed_at timestamp with time zone,
    CONSTRAINT phone_numbers_number_check CHECK ((number ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT phone_numbers_verified_name_check CHECK (((char_length(verified_name) >= 1) AND (char_length(verified_name) <= 200)))
);

COMMENT ON COLUMN phone_numbers.webhook_secret IS 'sealed; signs relayed callbacks';

CREATE UNLOGGED TABLE presences (
    place text NOT NULL,
    admin_user_id bigint NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT presences_place_check CHECK ((char_length(place) <= 40))
);

COMMENT ON COLUMN presences.place IS '"item:7" or "set:7"';

CREATE TABLE preview_links (
    id bigint NOT NULL,
    item_id bigint NOT NULL,
    revision_id bigint,
    token_hash bytea NOT NULL,
    created_by bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    ended_at timestamp with time zone,
    views integer DEFAULT 0 NOT NULL,
    last_viewed_at timestamp with time zone,
    CONSTRAINT preview_links_check CHECK (((ended_at IS NULL) OR (revision_id IS NULL))),
    CONSTRAINT preview_links_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT preview_links_views_check CHECK ((views >= 0))
);

COMMENT ON COLUMN preview_links.revision_id IS 'that is shown; null: the draft, as it changes';

COMMENT ON COLUMN preview_links.ended_at IS 'when the draft that it follows was published or given up';

ALTER TABLE preview_links ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME preview_links_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE product_editors (
    admin_user_id bigint NOT NULL,
    product_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE product_editors IS 'Editors write the documentation of the products that they are assigned.';

CREATE TABLE products (
    id bigint NOT NULL,
    catalogue_id bigint NOT NULL,
    retailer_id text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    availability text DEFAULT ''::text NOT NULL,
    condition text DEFAULT ''::text NOT NULL,
    brand text DEFAULT ''::text NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    url text DEFAULT ''::text NOT NULL,
    image_url text DEFAULT ''::text NOT NULL,
    retailer_product_group_id text DEFAULT ''::text NOT NULL,
    price bigint,
    currency text DEFAULT ''::text NOT NULL,
    shipping json,
    applinks json,
    CONSTRAINT products_availability_check CHECK ((availability = ANY (ARRAY[''::text, 'in stock'::text, 'out of stock'::text, 'preorder'::text, 'available for order'::text, 'discontinued'::text]))),
    CONSTRAINT products_brand_check CHECK ((char_length(brand) <= 100)),
    CONSTRAINT products_category_check CHECK ((char_length(category) <= 750)),
    CONSTRAINT products_check CHECK (((price IS NULL) OR (currency <> ''::text))),
    CONSTRAINT products_condition_check CHECK ((condition = ANY (ARRAY[''::text, 'new'::text, 'refurbished'::text, 'used'::text]))),
    CONSTRAINT products_currency_check CHECK ((currency ~ '^([A-Z]{3})?$'::text)),
    CONSTRAINT products_description_check CHECK ((char_length(description) <= 9999)),
    CONSTRAINT products_image_url_check CHECK ((char_length(image_url) <= 2048)),
    CONSTRAINT products_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT products_price_check CHECK ((price >= 0)),
    CONSTRAINT products_retailer_id_check CHECK (((char_length(retailer_id) >= 1) AND (char_length(retailer_id) <= 100))),
    CONSTRAINT products_retailer_product_group_id_check CHECK ((char_length(retailer_product_group_id) <= 100)),
    CONSTRAINT products_url_check CHECK ((char_length(url) <= 2048))
);

COMMENT ON COLUMN products.price IS 'in the smallest unit of the currency';

COMMENT ON COLUMN products.shipping IS 'as the partner gave it';

CREATE TABLE profile_pictures (
    phone_number_id bigint NOT NULL,
    name text NOT NULL,
    object text NOT NULL,
    size integer NOT NULL,
    CONSTRAINT profile_pictures_name_check CHECK ((name ~ '^[A-Za-z0-9_-]{22}$'::text)),
    CONSTRAINT profile_pictures_size_check CHECK (((size >= 1) AND (size <= 5242880)))
);

COMMENT ON COLUMN profile_pictures.name IS 'in its address';

COMMENT ON COLUMN profile_pictures.size IS 'bytes';

CREATE TABLE qr_codes (
    code text NOT NULL,
    phone_number_id bigint NOT NULL,
    message text NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT qr_codes_code_check CHECK ((code ~ '^[A-Z0-9]{14}$'::text)),
    CONSTRAINT qr_codes_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 140)))
);

COMMENT ON COLUMN qr_codes."position" IS 'newest has the highest';

ALTER TABLE qr_codes ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME qr_codes_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE rate_limits (
    key text NOT NULL,
    tat timestamp with time zone NOT NULL,
    CONSTRAINT rate_limits_key_check CHECK ((char_length(key) <= 200))
)
WITH (fillfactor='70');

COMMENT ON TABLE rate_limits IS 'Logged, though written with asynchronous commit: limits survive a crash.';

COMMENT ON COLUMN rate_limits.tat IS 'theoretical arrival time of the generic cell rate algorithm';

CREATE TABLE rcs_bots (
    id text NOT NULL,
    organisation_id bigint NOT NULL,
    name text NOT NULL,
    profile json NOT NULL,
    verification text DEFAULT 'UNVERIFIED'::text NOT NULL,
    launch text DEFAULT 'UNLAUNCHED'::text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    client_id text,
    client_secret bytea,
    transform text DEFAULT 'DEFAULT'::text NOT NULL,
    submission json,
    submitted_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rcs_bots_check CHECK (((launch = 'UNLAUNCHED'::text) OR (verification = 'VERIFIED'::text))),
    CONSTRAINT rcs_bots_client_secret_check CHECK ((octet_length(client_secret) = 32)),
    CONSTRAINT rcs_bots_id_check CHECK (((char_length(id) >= 16) AND (char_length(id) <= 64))),
    CONSTRAINT rcs_bots_launch_check CHECK ((launch = ANY (ARRAY['UNLAUNCHED'::text, 'PENDING'::text, 'LAUNCHED'::text, 'REJECTED'::text, 'SUSPENDED'::text, 'PENDING_UNLAUNCH'::text]))),
    CONSTRAINT rcs_bots_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 40))),
    CONSTRAINT rcs_bots_reason_check CHECK ((char_length(reason) <= 500)),
    CONSTRAINT rcs_bots_transform_check CHECK ((transform = ANY (ARRAY['DEFAULT'::text, 'GOOGLE_RBM'::text, 'MAAP'::text]))),
    CONSTRAINT rcs_bots_verification_check CHECK ((verification = ANY (ARRAY['UNVERIFIED'::text, 'PENDING'::text, 'VERIFIED'::text, 'REJECTED'::text])))
);

COMMENT ON COLUMN rcs_bots.profile IS 'the fields as they were sent';

COMMENT ON COLUMN rcs_bots.reason IS 'of a rejection or suspension';

COMMENT ON COLUMN rcs_bots.client_id IS 'from verification on';

COMMENT ON COLUMN rcs_bots.client_secret IS 'SHA-256';

COMMENT ON COLUMN rcs_bots.submission IS 'what the reviewers were given';

CREATE TABLE rcs_carrier_events (
    carrier text NOT NULL,
    event_id text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rcs_carrier_events_event_id_check CHECK (((char_length(event_id) >= 1) AND (char_length(event_id) <= 200)))
);

CREATE TABLE rcs_devices (
    bot_id text NOT NULL,
    number text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'PENDING'::text NOT NULL,
    invited_at timestamp with time zone DEFAULT now() NOT NULL,
    answered_at timestamp with time zone,
    CONSTRAINT rcs_devices_name_check CHECK ((char_length(name) <= 100)),
    CONSTRAINT rcs_devices_number_check CHECK ((number ~ '^[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT rcs_devices_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'ACCEPTED'::text, 'DECLINED'::text])))
);

CREATE TABLE rcs_images (
    bot_id text NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rcs_images_content_check CHECK (((octet_length(content) >= 1) AND (octet_length(content) <= 2097152))),
    CONSTRAINT rcs_images_media_type_check CHECK ((media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
    CONSTRAINT rcs_images_name_check CHECK ((name ~ '^(logo|banner|brand|screen-[0-9]{2})$'::text))
);

COMMENT ON TABLE rcs_images IS 'Few and small, so that they change together with their bot: at most 90 KB, 360 KB, and 2 MB for each of ten screens.';

CREATE TABLE rcs_message_ids (
    bot_id text NOT NULL,
    message_id text NOT NULL,
    fingerprint bytea NOT NULL,
    id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rcs_message_ids_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT rcs_message_ids_message_id_check CHECK (((char_length(message_id) >= 1) AND (char_length(message_id) <= 64)))
);

COMMENT ON TABLE rcs_message_ids IS 'Small and never partitioned, so that an id is unique across processes. Rows are deleted after 30 days by housekeeping.';

CREATE TABLE rcs_templates (
    id text NOT NULL,
    bot_id text NOT NULL,
    organisation_id bigint NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    content json NOT NULL,
    state text DEFAULT 'PENDING'::text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rcs_templates_id_check CHECK (((char_length(id) >= 16) AND (char_length(id) <= 64))),
    CONSTRAINT rcs_templates_name_check CHECK ((name ~ '^[A-Za-z0-9_]{1,20}$'::text)),
    CONSTRAINT rcs_templates_reason_check CHECK ((char_length(reason) <= 500)),
    CONSTRAINT rcs_templates_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
    CONSTRAINT rcs_templates_type_check CHECK ((type = ANY (ARRAY['TEXT'::text, 'STANDALONE'::text, 'CAROUSEL'::text])))
);

COMMENT ON COLUMN rcs_templates.content IS 'the fields of its type as they were sent';

COMMENT ON COLUMN rcs_templates.revision IS 'counts its contents';

CREATE TABLE refused_calls (
    id bigint NOT NULL,
    organisation_id bigint,
    key_prefix text NOT NULL,
    channel text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    status smallint NOT NULL,
    code integer NOT NULL,
    request_id text NOT NULL,
    repeats integer DEFAULT 1 NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT refused_calls_channel_check CHECK ((channel = ANY (ARRAY['messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT refused_calls_key_prefix_check CHECK ((char_length(key_prefix) <= 20)),
    CONSTRAINT refused_calls_method_check CHECK ((char_length(method) <= 10)),
    CONSTRAINT refused_calls_path_check CHECK ((char_length(path) <= 200)),
    CONSTRAINT refused_calls_repeats_check CHECK ((repeats > 0)),
    CONSTRAINT refused_calls_request_id_check CHECK ((char_length(request_id) <= 64))
);

ALTER TABLE refused_calls ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME refused_calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE registry (
    id bigint NOT NULL,
    kind text NOT NULL,
    organisation_id bigint NOT NULL,
    CONSTRAINT registry_id_check CHECK (((id >= '100000000000000'::bigint) AND (id <= '9999999999999999'::bigint))),
    CONSTRAINT registry_kind_check CHECK ((kind = ANY (ARRAY['business'::text, 'business_account'::text, 'phone_number'::text, 'catalogue'::text, 'template'::text, 'media'::text, 'product'::text, 'flow'::text])))
);

CREATE TABLE release_items (
    release_id bigint NOT NULL,
    item_id bigint NOT NULL,
    revision_id bigint NOT NULL
);

CREATE TABLE releases (
    id bigint NOT NULL,
    product_id bigint NOT NULL,
    scope_id bigint NOT NULL,
    number integer NOT NULL,
    change_set_id bigint,
    summary text DEFAULT ''::text NOT NULL,
    published_by bigint,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT releases_number_check CHECK ((number > 0))
);

COMMENT ON TABLE releases IS 'A release is the exact revisions that became public together. Its scope is a version, or the product itself when only the product changed.';

ALTER TABLE releases ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME releases_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE replays (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    everything boolean NOT NULL,
    callbacks integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT replays_callbacks_check CHECK ((callbacks >= 0))
);

COMMENT ON COLUMN replays.since IS 'callbacks stored at or after';

COMMENT ON COLUMN replays.until IS 'and before';

COMMENT ON COLUMN replays.everything IS 'those that had been delivered, too';

ALTER TABLE replays ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME replays_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE retention (
    organisation_id bigint NOT NULL,
    bodies_days integer NOT NULL,
    logs_days integer NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT retention_bodies_days_check CHECK (((bodies_days >= 1) AND (bodies_days <= 3650))),
    CONSTRAINT retention_check CHECK ((bodies_days <= logs_days)),
    CONSTRAINT retention_logs_days_check CHECK (((logs_days >= 3) AND (logs_days <= 3650)))
);

COMMENT ON COLUMN retention.organisation_id IS '0 for all organisations without a row of their own';

CREATE TABLE retention_marks (
    organisation_id bigint NOT NULL,
    bodies_until timestamp with time zone NOT NULL
);

COMMENT ON COLUMN retention_marks.bodies_until IS 'contents before this time were deleted';

CREATE TABLE review_comments (
    id bigint NOT NULL,
    thread_id bigint NOT NULL,
    author_id bigint,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT review_comments_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 2000)))
);

ALTER TABLE review_comments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME review_comments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE review_notices (
    id bigint NOT NULL,
    change_set_id bigint NOT NULL,
    event text NOT NULL,
    actor_id bigint,
    note text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT review_notices_event_check CHECK ((event = ANY (ARRAY['submitted'::text, 'changes_requested'::text, 'comment'::text, 'approved'::text, 'rejected'::text, 'published'::text, 'blocked'::text]))),
    CONSTRAINT review_notices_note_check CHECK ((char_length(note) <= 2000))
);

COMMENT ON COLUMN review_notices.actor_id IS 'null: the program itself';

ALTER TABLE review_notices ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME review_notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE review_threads (
    id bigint NOT NULL,
    change_set_id bigint NOT NULL,
    item_id bigint NOT NULL,
    field text DEFAULT ''::text NOT NULL,
    excerpt text DEFAULT ''::text NOT NULL,
    seen_hash bytea,
    resolved_by bigint,
    resolved_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    version_id bigint,
    contract_change text DEFAULT ''::text NOT NULL,
    CONSTRAINT review_threads_check CHECK (((resolved_by IS NULL) = (resolved_at IS NULL))),
    CONSTRAINT review_threads_check2 CHECK (((seen_hash IS NULL) = (field = ''::text))),
    CONSTRAINT review_threads_contract CHECK ((((version_id IS NULL) = (contract_change = ''::text)) AND ((contract_change = ''::text) OR (field = ''::text)))),
    CONSTRAINT review_threads_contract_change_check CHECK ((char_length(contract_change) <= 40)),
    CONSTRAINT review_threads_excerpt CHECK (((excerpt = ''::text) OR (field <> ''::text) OR (contract_change <> ''::text))),
    CONSTRAINT review_threads_field_check CHECK ((char_length(field) <= 40)),
    CONSTRAINT review_threads_seen_hash_check CHECK ((octet_length(seen_hash) = 32))
);

COMMENT ON COLUMN review_threads.field IS 'empty: the item as a whole';

COMMENT ON COLUMN review_threads.excerpt IS 'the lines it is about, empty for the whole field';

COMMENT ON COLUMN review_threads.seen_hash IS 'of the field''s text when the thread began';

COMMENT ON COLUMN review_threads.contract_change IS 'the fingerprint; empty for other threads';

ALTER TABLE review_threads ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME review_threads_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE reviews (
    id bigint NOT NULL,
    change_set_id bigint NOT NULL,
    reviewer_id bigint,
    verdict text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    content_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT reviews_check CHECK (((verdict = 'approved'::text) OR (reason <> ''::text))),
    CONSTRAINT reviews_content_hash_check CHECK ((octet_length(content_hash) = 32)),
    CONSTRAINT reviews_verdict_check CHECK ((verdict = ANY (ARRAY['comment'::text, 'changes_requested'::text, 'approved'::text, 'rejected'::text])))
);

COMMENT ON COLUMN reviews.content_hash IS 'what was approved';

ALTER TABLE reviews ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME reviews_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE revisions (
    id bigint NOT NULL,
    item_id bigint NOT NULL,
    number integer NOT NULL,
    content json NOT NULL,
    content_hash bytea NOT NULL,
    base_id bigint,
    restored_from_id bigint,
    author_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    origin text,
    outline json GENERATED ALWAYS AS (revision_outline(content)) STORED,
    form text,
    CONSTRAINT revisions_content_hash_check CHECK ((octet_length(content_hash) = 32)),
    CONSTRAINT revisions_form_check CHECK ((char_length(form) <= 40)),
    CONSTRAINT revisions_number_check CHECK ((number > 0)),
    CONSTRAINT revisions_origin_check CHECK ((origin = ANY (ARRAY['seed'::text, 'import'::text, 'edit'::text, 'restore'::text])))
);

COMMENT ON TABLE revisions IS 'Content is json, not jsonb: the order of keys is part of a document.';

COMMENT ON COLUMN revisions.author_id IS 'null: the program itself, when seeding';

ALTER TABLE revisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME revisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sdk_builds (
    release_id bigint NOT NULL,
    language text NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    sdk_version text DEFAULT ''::text NOT NULL,
    object text DEFAULT ''::text NOT NULL,
    sha256 text DEFAULT ''::text NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    preview jsonb DEFAULT '{}'::jsonb NOT NULL,
    calls jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT sdk_builds_language_check CHECK ((language = ANY (ARRAY['node'::text, 'python'::text, 'java'::text, 'php'::text, 'csharp'::text, 'go'::text]))),
    CONSTRAINT sdk_builds_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'built'::text, 'failed'::text])))
);

CREATE UNLOGGED TABLE search_loads (
    place integer NOT NULL,
    scope_id bigint NOT NULL,
    item_id bigint NOT NULL,
    kind text NOT NULL,
    product text NOT NULL,
    version text NOT NULL,
    method text NOT NULL,
    title text NOT NULL,
    path text NOT NULL,
    url text NOT NULL,
    breadcrumb text[] NOT NULL,
    body text NOT NULL,
    deprecated boolean NOT NULL,
    weight real NOT NULL,
    names text NOT NULL,
    others text NOT NULL,
    words text NOT NULL,
    context text NOT NULL,
    size smallint NOT NULL,
    key text NOT NULL,
    alias text NOT NULL,
    shape text NOT NULL,
    digest bytea NOT NULL,
    headings text DEFAULT ''::text NOT NULL,
    texts text DEFAULT ''::text NOT NULL,
    fields text DEFAULT ''::text NOT NULL,
    whole boolean DEFAULT false NOT NULL,
    form smallint DEFAULT 0 NOT NULL,
    searched_as text[] DEFAULT '{}'::text[] NOT NULL
);

COMMENT ON TABLE search_loads IS 'Rows on their way into the index, by COPY: nobody reads them, and they are gone when the transaction ends. Words are texts that become vectors there.';

COMMENT ON COLUMN search_loads.place IS 'ascending within the scope';

CREATE TABLE search_names (
    id bigint NOT NULL,
    scope_id bigint NOT NULL,
    kind text NOT NULL,
    product text NOT NULL,
    version text NOT NULL,
    method text NOT NULL,
    weight real NOT NULL,
    size smallint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    alias text NOT NULL COLLATE pg_catalog."C",
    shape text NOT NULL,
    words tsvector NOT NULL,
    near tsvector DEFAULT ''::tsvector NOT NULL,
    CONSTRAINT search_names_size_check CHECK ((size > 0))
);

COMMENT ON TABLE search_names IS 'The names of those rows, apart, since nearly every search is answered from them: narrow rows stay in memory.';

COMMENT ON COLUMN search_names.id IS 'of the row';

COMMENT ON COLUMN search_names.size IS 'words of the title';

COMMENT ON COLUMN search_names.key IS 'the title in lower case without spaces or signs';

COMMENT ON COLUMN search_names.alias IS 'the same of another name: operation id, dotted path';

COMMENT ON COLUMN search_names.shape IS 'the path in lower case with {} for every parameter';

COMMENT ON COLUMN search_names.near IS 'A the name, B what else it is called, D where it stands';

CREATE TABLE search_rows (
    id bigint NOT NULL,
    scope_id bigint NOT NULL,
    item_id bigint NOT NULL,
    kind text NOT NULL,
    product text NOT NULL,
    version text DEFAULT ''::text NOT NULL,
    method text DEFAULT ''::text NOT NULL,
    title text NOT NULL,
    path text DEFAULT ''::text NOT NULL,
    url text NOT NULL,
    breadcrumb text[] DEFAULT '{}'::text[] NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    deprecated boolean DEFAULT false NOT NULL,
    weight real NOT NULL,
    terms tsvector NOT NULL,
    digest bytea,
    page tsvector,
    form smallint DEFAULT 0 NOT NULL,
    searched_as text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT search_rows_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'version'::text, 'category'::text, 'endpoint'::text, 'schema'::text, 'field'::text, 'example'::text, 'error'::text, 'guide'::text]))),
    CONSTRAINT search_rows_weight_check CHECK ((weight > (0)::double precision))
);

COMMENT ON TABLE search_rows IS 'Written when publishing; one row per thing that a reader can look for.';

COMMENT ON COLUMN search_rows.scope_id IS 'the release scope that wrote it';

COMMENT ON COLUMN search_rows.body IS 'plain text that snippets are cut from';

COMMENT ON COLUMN search_rows.weight IS 'how much it is worth by what it is, 1 for an endpoint';

COMMENT ON COLUMN search_rows.terms IS 'A the name, B path, C text, D where it stands';

COMMENT ON COLUMN search_rows.page IS 'A the title, B headings, C text, D fields; null for parts of pages';

COMMENT ON COLUMN search_rows.form IS 'of the index that wrote the row: older ones are written again';

ALTER TABLE search_rows ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME search_rows_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE search_synonyms (
    id bigint NOT NULL,
    term text NOT NULL,
    means text NOT NULL,
    CONSTRAINT search_synonyms_check CHECK (((means = lower(means)) AND ((char_length(means) >= 1) AND (char_length(means) <= 60)) AND (means <> term))),
    CONSTRAINT search_synonyms_term_check CHECK (((term = lower(term)) AND ((char_length(term) >= 1) AND (char_length(term) <= 60))))
);

COMMENT ON TABLE search_synonyms IS 'Who looks for the term also finds what is said with the other words.';

ALTER TABLE search_synonyms ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME search_synonyms_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE search_words (
    scope_id bigint NOT NULL,
    word text NOT NULL,
    rows integer NOT NULL,
    CONSTRAINT search_words_rows_check CHECK ((rows > 0)),
    CONSTRAINT search_words_word_check CHECK (((char_length(word) >= 3) AND (char_length(word) <= 40)))
);

COMMENT ON TABLE search_words IS 'The words within those rows, as they are written.';

COMMENT ON COLUMN search_words.rows IS 'that have it';

CREATE TABLE searches (
    day date DEFAULT CURRENT_DATE NOT NULL,
    length integer NOT NULL,
    results integer NOT NULL,
    CONSTRAINT searches_length_check CHECK ((length > 0)),
    CONSTRAINT searches_results_check CHECK ((results >= 0))
);

COMMENT ON TABLE searches IS 'One row for each search: nothing about who searched, nor for what.';

COMMENT ON COLUMN searches.length IS 'characters of the query';

CREATE TABLE sessions (
    id_hash bytea NOT NULL,
    surface text NOT NULL,
    organisation_user_id bigint,
    admin_user_id bigint,
    session_version integer NOT NULL,
    user_agent text DEFAULT ''::text NOT NULL,
    ip_hash bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT sessions_check CHECK (((surface = 'account'::text) = (organisation_user_id IS NOT NULL))),
    CONSTRAINT sessions_check1 CHECK (((surface = 'admin'::text) = (admin_user_id IS NOT NULL))),
    CONSTRAINT sessions_id_hash_check CHECK ((octet_length(id_hash) = 32)),
    CONSTRAINT sessions_surface_check CHECK ((surface = ANY (ARRAY['account'::text, 'admin'::text]))),
    CONSTRAINT sessions_user_agent_check CHECK ((char_length(user_agent) <= 400))
);

COMMENT ON TABLE sessions IS 'The cookie holds the session id; only its hash is kept here.';

CREATE TABLE setting_secrets (
    name text NOT NULL,
    sealed bytea NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT setting_secrets_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);

COMMENT ON TABLE setting_secrets IS 'Keys and passwords of providers, each sealed for its own row.';

COMMENT ON COLUMN setting_secrets.name IS 'for instance sms.api_key';

CREATE TABLE settings (
    name text NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT settings_name_check CHECK ((name ~ '^[a-z_]{1,40}$'::text))
);

CREATE TABLE settle_mark (
    one boolean DEFAULT true NOT NULL,
    examined uuid NOT NULL,
    stepped_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT settle_mark_one_check CHECK (one)
);

COMMENT ON COLUMN settle_mark.examined IS 'messages up to this id were looked at';

COMMENT ON COLUMN settle_mark.stepped_at IS 'when the mark was last put back, for ids of slow clocks';

CREATE TABLE sms_accounts (
    organisation_id bigint NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    class text DEFAULT 'standard'::text NOT NULL,
    expires_at timestamp with time zone,
    api_access boolean DEFAULT true NOT NULL,
    promotional boolean DEFAULT true NOT NULL,
    scheduling boolean DEFAULT true NOT NULL,
    international boolean DEFAULT true NOT NULL,
    auto_unicode boolean DEFAULT true NOT NULL,
    wide_reference boolean DEFAULT false NOT NULL,
    return_otp boolean DEFAULT false NOT NULL,
    reports smallint DEFAULT 1 NOT NULL,
    allowed_addresses text[] DEFAULT '{}'::text[] NOT NULL,
    entity_id text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_accounts_class_check CHECK ((class = ANY (ARRAY['standard'::text, 'otp'::text]))),
    CONSTRAINT sms_accounts_entity_id_check CHECK ((entity_id ~ '^([0-9]{6,20})?$'::text)),
    CONSTRAINT sms_accounts_reports_check CHECK (((reports >= 0) AND (reports <= 2))),
    CONSTRAINT sms_accounts_state_check CHECK ((state = ANY (ARRAY['active'::text, 'inactive'::text, 'suspended'::text, 'deactivated'::text])))
);

CREATE TABLE sms_budgets (
    day date NOT NULL,
    used integer NOT NULL,
    alerted_at timestamp with time zone,
    warned_at timestamp with time zone,
    CONSTRAINT sms_budgets_used_check CHECK ((used >= 0))
);

COMMENT ON TABLE sms_budgets IS 'How many SMS were handed over on a day (UTC).';

COMMENT ON COLUMN sms_budgets.alerted_at IS 'when administrators were told that nothing is left';

COMMENT ON COLUMN sms_budgets.warned_at IS 'when administrators were told that little is left';

CREATE TABLE sms_headers (
    organisation_id bigint NOT NULL,
    header text NOT NULL,
    kind text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    id bigint NOT NULL,
    state text DEFAULT 'requested'::text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT sms_headers_header_check CHECK (((char_length(header) >= 1) AND (char_length(header) <= 15))),
    CONSTRAINT sms_headers_kind_check CHECK ((kind = ANY (ARRAY['transactional'::text, 'promotional'::text, 'international'::text]))),
    CONSTRAINT sms_headers_reason_check CHECK ((char_length(reason) <= 500)),
    CONSTRAINT sms_headers_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'granted'::text, 'contested'::text, 'declined'::text, 'released'::text])))
);

ALTER TABLE sms_headers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sms_headers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sms_numbers (
    number text NOT NULL,
    organisation_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_numbers_number_check CHECK ((number ~ '^[0-9]{3,15}$'::text))
);

COMMENT ON COLUMN sms_numbers.number IS 'as carriers name it; a short one has no country code';

CREATE TABLE sms_otp_blocks (
    organisation_id bigint NOT NULL,
    prefix text NOT NULL,
    sent integer NOT NULL,
    verified integer NOT NULL,
    blocked_at timestamp with time zone DEFAULT now() NOT NULL,
    until timestamp with time zone NOT NULL,
    CONSTRAINT sms_otp_blocks_prefix_check CHECK ((prefix ~ '^\+[0-9]{6}$'::text)),
    CONSTRAINT sms_otp_blocks_sent_check CHECK ((sent > 0)),
    CONSTRAINT sms_otp_blocks_verified_check CHECK ((verified >= 0))
);

COMMENT ON COLUMN sms_otp_blocks.sent IS 'codes of the hour before';

COMMENT ON COLUMN sms_otp_blocks.verified IS 'of them';

CREATE TABLE sms_otps (
    id text NOT NULL,
    organisation_id bigint NOT NULL,
    phone text NOT NULL,
    header text NOT NULL,
    message text NOT NULL,
    entity_id text DEFAULT ''::text NOT NULL,
    template_id text DEFAULT ''::text NOT NULL,
    digits smallint NOT NULL,
    life_seconds integer NOT NULL,
    hash bytea NOT NULL,
    returned boolean DEFAULT false NOT NULL,
    codes smallint DEFAULT 1 NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    verified_at timestamp with time zone,
    CONSTRAINT sms_otps_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5))),
    CONSTRAINT sms_otps_check CHECK (((verified_at IS NULL) OR (consumed_at IS NOT NULL))),
    CONSTRAINT sms_otps_codes_check CHECK (((codes >= 1) AND (codes <= 4))),
    CONSTRAINT sms_otps_digits_check CHECK (((digits >= 4) AND (digits <= 9))),
    CONSTRAINT sms_otps_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT sms_otps_header_check CHECK (((char_length(header) >= 1) AND (char_length(header) <= 15))),
    CONSTRAINT sms_otps_id_check CHECK ((id ~ '^otp_[A-Z2-7]{26}$'::text)),
    CONSTRAINT sms_otps_life_seconds_check CHECK (((life_seconds >= 60) AND (life_seconds <= 86400))),
    CONSTRAINT sms_otps_message_check CHECK ((char_length(message) <= 1000)),
    CONSTRAINT sms_otps_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);

COMMENT ON COLUMN sms_otps.id IS 'random';

COMMENT ON COLUMN sms_otps.message IS 'with {otp} where the code goes';

COMMENT ON COLUMN sms_otps.hash IS 'HMAC of the newest code';

COMMENT ON COLUMN sms_otps.returned IS 'the organisation got the code and checks it itself';

COMMENT ON COLUMN sms_otps.codes IS 'that were sent';

COMMENT ON COLUMN sms_otps.attempts IS 'at the newest code';

COMMENT ON COLUMN sms_otps.sent_at IS 'the newest code';

CREATE TABLE sms_references (
    organisation_id bigint NOT NULL,
    reference text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_references_reference_check CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 50)))
);

COMMENT ON TABLE sms_references IS 'Small and never partitioned, so that a reference is unique across processes. Rows older than a day are replaced, and deleted by housekeeping.';

CREATE TABLE sms_templates (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    name text NOT NULL,
    dlt_template_id text DEFAULT ''::text NOT NULL,
    header text DEFAULT ''::text NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_templates_dlt_template_id_check CHECK ((dlt_template_id ~ '^([0-9]{6,20})?$'::text)),
    CONSTRAINT sms_templates_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT sms_templates_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 2000)))
);

ALTER TABLE sms_templates ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sms_templates_id_seq
    START WITH 4001
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE suppressions (
    organisation_id bigint NOT NULL,
    recipient text NOT NULL,
    channel text DEFAULT ''::text NOT NULL,
    reason text NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    actor text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT suppressions_actor_check CHECK (((char_length(actor) >= 1) AND (char_length(actor) <= 200))),
    CONSTRAINT suppressions_channel_check CHECK ((channel = ANY (ARRAY[''::text, 'messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT suppressions_note_check CHECK ((char_length(note) <= 200)),
    CONSTRAINT suppressions_reason_check CHECK ((reason = ANY (ARRAY['stop'::text, 'list'::text]))),
    CONSTRAINT suppressions_recipient_check CHECK ((recipient ~ '^([0-9]{5,20}|[A-Z]{2}[.](ENT[.])?[A-Za-z0-9]{1,128})$'::text))
);

COMMENT ON COLUMN suppressions.organisation_id IS '0: every organisation';

COMMENT ON COLUMN suppressions.recipient IS 'with country code';

COMMENT ON COLUMN suppressions.channel IS 'empty: every channel';

COMMENT ON COLUMN suppressions.reason IS 'stop: the recipient wrote it';

CREATE TABLE theme_drafts (
    surface text NOT NULL,
    document jsonb NOT NULL,
    stylesheet text NOT NULL,
    hash text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    author_id bigint,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT theme_drafts_hash_check CHECK (((hash = ''::text) OR (hash ~ '^[0-9a-f]{15}$'::text))),
    CONSTRAINT theme_drafts_stylesheet_check CHECK ((octet_length(stylesheet) <= 20000)),
    CONSTRAINT theme_drafts_surface_check CHECK ((surface = ANY (ARRAY['public'::text, 'organisation'::text, 'administration'::text])))
);

COMMENT ON TABLE theme_drafts IS 'What Super Admins prepare. A save names the version that it was based on.';

CREATE TABLE theme_pictures (
    name text NOT NULL,
    object text NOT NULL,
    content_type text NOT NULL,
    size integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT theme_pictures_content_type_check CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/svg+xml'::text]))),
    CONSTRAINT theme_pictures_name_check CHECK ((name ~ '^[0-9a-f]{32}\.(png|svg)$'::text)),
    CONSTRAINT theme_pictures_size_check CHECK (((size >= 1) AND (size <= 200000)))
);

COMMENT ON TABLE theme_pictures IS 'Logos and icons, by the hash of their bytes.';

COMMENT ON COLUMN theme_pictures.size IS 'bytes';

CREATE TABLE theme_revisions (
    id bigint NOT NULL,
    surface text NOT NULL,
    number integer NOT NULL,
    document jsonb NOT NULL,
    stylesheet text NOT NULL,
    hash text NOT NULL,
    origin text DEFAULT ''::text NOT NULL,
    author_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT theme_revisions_hash_check CHECK (((hash = ''::text) OR (hash ~ '^[0-9a-f]{15}$'::text))),
    CONSTRAINT theme_revisions_number_check CHECK ((number > 0)),
    CONSTRAINT theme_revisions_origin_check CHECK ((char_length(origin) <= 100)),
    CONSTRAINT theme_revisions_stylesheet_check CHECK ((octet_length(stylesheet) <= 20000)),
    CONSTRAINT theme_revisions_surface_check CHECK ((surface = ANY (ARRAY['public'::text, 'organisation'::text, 'administration'::text])))
);

COMMENT ON COLUMN theme_revisions.stylesheet IS 'empty for the default theme';

COMMENT ON COLUMN theme_revisions.origin IS 'how it came about, such as "Restored from 3"';

ALTER TABLE theme_revisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME theme_revisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE tutor_progress (
    admin_user_id bigint NOT NULL,
    guide_id bigint,
    endpoint_id bigint,
    skipped text[] DEFAULT '{}'::text[] NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    found_at timestamp with time zone,
    previewed_at timestamp with time zone,
    seen_at timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE unsettled_messages (
    message_id uuid NOT NULL
);

COMMENT ON TABLE unsettled_messages IS 'Messages that were still accepted minutes after their acceptance. An index of accepted messages would be written to with every step of every message; here each message is looked at once, behind a mark that moves along the ids.';

CREATE TABLE upload_parts (
    upload_id uuid NOT NULL,
    start bigint NOT NULL,
    object text NOT NULL,
    CONSTRAINT upload_parts_start_check CHECK ((start >= 0))
);

COMMENT ON COLUMN upload_parts.start IS 'offset of its first byte';

CREATE TABLE uploaded_bytes (
    organisation_id bigint NOT NULL,
    day date DEFAULT ((now() AT TIME ZONE 'utc'::text))::date NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT uploaded_bytes_bytes_check CHECK ((bytes >= 0))
);

CREATE TABLE uploads (
    id uuid NOT NULL,
    organisation_id bigint NOT NULL,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    received bigint DEFAULT 0 NOT NULL,
    file_name text NOT NULL,
    object text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT uploads_check CHECK (((received >= 0) AND (received <= size))),
    CONSTRAINT uploads_check1 CHECK (((object IS NULL) OR (received = size))),
    CONSTRAINT uploads_file_name_check CHECK ((char_length(file_name) <= 120)),
    CONSTRAINT uploads_mime_type_check CHECK ((mime_type = ANY (ARRAY['application/pdf'::text, 'image/jpeg'::text, 'image/jpg'::text, 'image/png'::text, 'video/mp4'::text]))),
    CONSTRAINT uploads_size_check CHECK (((size >= 1) AND (size <= 104857600)))
);

COMMENT ON COLUMN uploads.size IS 'bytes announced';

COMMENT ON COLUMN uploads.received IS 'bytes stored';

COMMENT ON COLUMN uploads.object IS 'the whole file, null until it is complete';

COMMENT ON COLUMN uploads.expires_at IS 'of the session, and once complete of the handle';

CREATE TABLE upstream_assets (
    kind text NOT NULL,
    asset_id bigint NOT NULL,
    item text DEFAULT ''::text NOT NULL,
    carrier text DEFAULT ''::text NOT NULL,
    upstream_id text DEFAULT ''::text NOT NULL,
    attempted boolean DEFAULT false NOT NULL,
    revision bigint DEFAULT 1 NOT NULL,
    pushed bigint DEFAULT 0 NOT NULL,
    state text DEFAULT ''::text NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    pushed_at timestamp with time zone,
    CONSTRAINT upstream_assets_error_check CHECK ((char_length(error) <= 1000)),
    CONSTRAINT upstream_assets_item_check CHECK ((char_length(item) <= 100)),
    CONSTRAINT upstream_assets_kind_check CHECK ((kind = ANY (ARRAY['profile'::text, 'encryption_key'::text, 'qr_code'::text, 'product'::text]))),
    CONSTRAINT upstream_assets_state_check CHECK ((char_length(state) <= 200)),
    CONSTRAINT upstream_assets_upstream_id_check CHECK ((char_length(upstream_id) <= 500))
);

COMMENT ON TABLE upstream_assets IS 'What was changed of numbers and catalogues that live at an upstream, and how far each change has come there.';

COMMENT ON COLUMN upstream_assets.asset_id IS 'a number or a catalogue of ours';

COMMENT ON COLUMN upstream_assets.item IS 'the code of a QR code, the retailer id of a product';

COMMENT ON COLUMN upstream_assets.carrier IS 'that has it';

COMMENT ON COLUMN upstream_assets.upstream_id IS 'the code of a QR code there, the name of the picture that a profile has there, the batch of a product that is not finished';

COMMENT ON COLUMN upstream_assets.attempted IS 'a creation whose answer may be lost';

COMMENT ON COLUMN upstream_assets.revision IS 'counts the changes here';

COMMENT ON COLUMN upstream_assets.pushed IS 'the change that the upstream has taken or refused';

COMMENT ON COLUMN upstream_assets.state IS 'in the words of the upstream: of the signature of a key, the link of a QR code';

COMMENT ON COLUMN upstream_assets.error IS 'of the last try';

CREATE TABLE upstream_media (
    carrier text NOT NULL,
    media_id bigint NOT NULL,
    upstream_id text NOT NULL,
    uploaded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT upstream_media_upstream_id_check CHECK (((char_length(upstream_id) >= 1) AND (char_length(upstream_id) <= 200)))
);

COMMENT ON TABLE upstream_media IS 'What an upstream calls the files that it has.';

CREATE TABLE upstream_messages (
    carrier text NOT NULL,
    upstream_id text NOT NULL,
    message_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT upstream_messages_upstream_id_check CHECK (((char_length(upstream_id) >= 1) AND (char_length(upstream_id) <= 200)))
);

COMMENT ON TABLE upstream_messages IS 'What an upstream calls the messages that people sent. Each is taken once.';

CREATE TABLE upstream_posts (
    id bigint NOT NULL,
    carrier text NOT NULL,
    body bytea NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE upstream_posts IS 'Posts that no job has read yet.';

ALTER TABLE upstream_posts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME upstream_posts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE upstream_states (
    carrier text NOT NULL,
    kind text NOT NULL,
    asset_id bigint NOT NULL,
    upstream_id text NOT NULL,
    state text DEFAULT ''::text NOT NULL,
    quality text DEFAULT ''::text NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT upstream_states_kind_check CHECK ((kind = ANY (ARRAY['number'::text, 'account'::text]))),
    CONSTRAINT upstream_states_problem_check CHECK ((char_length(problem) <= 500)),
    CONSTRAINT upstream_states_quality_check CHECK ((char_length(quality) <= 40)),
    CONSTRAINT upstream_states_state_check CHECK ((char_length(state) <= 40)),
    CONSTRAINT upstream_states_upstream_id_check CHECK ((char_length(upstream_id) <= 30))
);

COMMENT ON TABLE upstream_states IS 'What upstreams say about the numbers and accounts that live there, as last read.';

COMMENT ON COLUMN upstream_states.asset_id IS 'of ours';

COMMENT ON COLUMN upstream_states.state IS 'in the words of the upstream';

COMMENT ON COLUMN upstream_states.problem IS 'empty if all is well';

COMMENT ON COLUMN upstream_states.since IS 'when the problem came or went';

CREATE TABLE upstream_templates (
    template_id bigint NOT NULL,
    carrier text NOT NULL,
    account text NOT NULL,
    upstream_id text DEFAULT ''::text NOT NULL,
    attempted boolean DEFAULT false NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    status text DEFAULT ''::text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    components json,
    error text DEFAULT ''::text NOT NULL,
    observed_at timestamp with time zone,
    CONSTRAINT upstream_templates_error_check CHECK ((char_length(error) <= 1000)),
    CONSTRAINT upstream_templates_reason_check CHECK ((char_length(reason) <= 200)),
    CONSTRAINT upstream_templates_status_check CHECK ((char_length(status) <= 40)),
    CONSTRAINT upstream_templates_upstream_id_check CHECK ((char_length(upstream_id) <= 200))
);

COMMENT ON TABLE upstream_templates IS 'What an upstream has of the templates that live there. What the partner wrote is in message_templates.';

COMMENT ON COLUMN upstream_templates.account IS 'of the upstream';

COMMENT ON COLUMN upstream_templates.upstream_id IS 'empty until it was created';

COMMENT ON COLUMN upstream_templates.attempted IS 'a creation whose answer may be lost';

COMMENT ON COLUMN upstream_templates.revision IS 'that the upstream has';

COMMENT ON COLUMN upstream_templates.status IS 'in the words of the upstream, also ones that are not known here';

COMMENT ON COLUMN upstream_templates.components IS 'as the upstream has them';

COMMENT ON COLUMN upstream_templates.error IS 'of the last try';

CREATE TABLE usage_clock (
    one boolean DEFAULT true NOT NULL,
    counted_until timestamp with time zone NOT NULL,
    CONSTRAINT usage_clock_one_check CHECK (one)
);

COMMENT ON COLUMN usage_clock.counted_until IS 'messages accepted before are in usage_days';

CREATE TABLE usage_days (
    organisation_id bigint NOT NULL,
    day date NOT NULL,
    channel text NOT NULL,
    messages integer NOT NULL,
    delivered integer NOT NULL,
    failed integer NOT NULL,
    CONSTRAINT usage_days_delivered_check CHECK ((delivered >= 0)),
    CONSTRAINT usage_days_failed_check CHECK ((failed >= 0)),
    CONSTRAINT usage_days_messages_check CHECK ((messages >= 0))
);

COMMENT ON COLUMN usage_days.day IS 'UTC';

COMMENT ON COLUMN usage_days.delivered IS 'or read';

CREATE TABLE user_links (
    hash bytea NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    CONSTRAINT user_links_check CHECK ((expires_at > created_at)),
    CONSTRAINT user_links_hash_check CHECK ((octet_length(hash) = 32))
);

COMMENT ON COLUMN user_links.hash IS 'SHA-256 of the token';

CREATE TABLE webhook_range_ids (
    organisation_id bigint NOT NULL,
    key bytea NOT NULL,
    number bigint NOT NULL,
    CONSTRAINT webhook_range_ids_key_check CHECK ((octet_length(key) = 16))
);

CREATE TABLE webhook_range_requests (
    id uuid NOT NULL,
    organisation_id bigint NOT NULL,
    number bigint NOT NULL,
    method text NOT NULL,
    content bytea,
    size integer NOT NULL,
    inside boolean NOT NULL,
    delivery_id bigint,
    event text DEFAULT ''::text NOT NULL,
    event_at timestamp with time zone,
    first_number bigint,
    replay_of bigint,
    status smallint NOT NULL,
    delay_ms integer NOT NULL,
    kept boolean DEFAULT false NOT NULL,
    taken_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhook_range_requests_method_check CHECK ((octet_length(method) <= 32))
);

CREATE TABLE webhook_ranges (
    organisation_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    token bytea,
    status smallint DEFAULT 200 NOT NULL,
    delay_ms integer DEFAULT 0 NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    taken bigint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_ranges_answer_check CHECK ((octet_length(answer) <= 4096)),
    CONSTRAINT webhook_ranges_delay_ms_check CHECK (((delay_ms >= 0) AND (delay_ms <= 20000))),
    CONSTRAINT webhook_ranges_status_check CHECK (((status >= 200) AND (status <= 599))),
    CONSTRAINT webhook_ranges_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE webhooks (
    id bigint NOT NULL,
    organisation_id bigint NOT NULL,
    channel text NOT NULL,
    subject text NOT NULL,
    url text NOT NULL,
    headers bytea NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    open_until timestamp with time zone,
    disabled_at timestamp with time zone,
    disabled_reason text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    secret bytea,
    format text DEFAULT ''::text NOT NULL,
    recent_attempts double precision DEFAULT 0 NOT NULL,
    recent_failures double precision DEFAULT 0 NOT NULL,
    counted_at timestamp with time zone,
    previous_secret bytea,
    previous_secret_until timestamp with time zone,
    CONSTRAINT webhooks_channel_check CHECK ((channel = ANY (ARRAY['messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT webhooks_format_check CHECK ((char_length(format) <= 40)),
    CONSTRAINT webhooks_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 64))),
    CONSTRAINT webhooks_url_check CHECK ((char_length(url) <= 2048))
);

COMMENT ON COLUMN webhooks.subject IS 'messaging: the phone number id';

COMMENT ON COLUMN webhooks.url IS 'empty once cleared: its deliveries stay';

COMMENT ON COLUMN webhooks.headers IS 'sealed JSON object';

COMMENT ON COLUMN webhooks.failures IS 'in a row';

COMMENT ON COLUMN webhooks.open_until IS 'the circuit is open: nothing is posted before';

COMMENT ON COLUMN webhooks.secret IS 'sealed; null: that of the subject';

COMMENT ON COLUMN webhooks.format IS 'in the channel''s words';

COMMENT ON COLUMN webhooks.recent_attempts IS 'fading; counted from the first failure on';

COMMENT ON COLUMN webhooks.previous_secret IS 'sealed';

ALTER TABLE webhooks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME webhooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE accepted_changes
    ADD CONSTRAINT accepted_changes_pkey PRIMARY KEY (version_id, fingerprint);

ALTER TABLE admin_links
    ADD CONSTRAINT admin_links_pkey PRIMARY KEY (hash);

ALTER TABLE admin_users
    ADD CONSTRAINT admin_users_email_key UNIQUE (email);

ALTER TABLE admin_users
    ADD CONSTRAINT admin_users_pkey PRIMARY KEY (id);

ALTER TABLE api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE audit_anchors
    ADD CONSTRAINT audit_anchors_pkey PRIMARY KEY (at);

ALTER TABLE audit_checks
    ADD CONSTRAINT audit_checks_pkey PRIMARY KEY (at);

ALTER TABLE audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (seq);

ALTER TABLE audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (singleton);

ALTER TABLE audit_waiting
    ADD CONSTRAINT audit_waiting_pkey PRIMARY KEY (id);

ALTER TABLE business_account_clients
    ADD CONSTRAINT business_account_clients_pkey PRIMARY KEY (business_id, business_account_id);

ALTER TABLE business_accounts
    ADD CONSTRAINT business_accounts_message_template_namespace_key UNIQUE (message_template_namespace);

ALTER TABLE business_accounts
    ADD CONSTRAINT business_accounts_pkey PRIMARY KEY (id);

ALTER TABLE business_profiles
    ADD CONSTRAINT business_profiles_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE businesses
    ADD CONSTRAINT businesses_pkey PRIMARY KEY (id);

ALTER TABLE carriages
    ADD CONSTRAINT carriages_pkey PRIMARY KEY (message_id, leg, part);

ALTER TABLE carrier_ids
    ADD CONSTRAINT carrier_ids_pkey PRIMARY KEY (provider_id, carrier);

ALTER TABLE carrier_minutes
    ADD CONSTRAINT carrier_minutes_pkey PRIMARY KEY (carrier, minute);

ALTER TABLE carrier_routes
    ADD CONSTRAINT carrier_routes_channel_sender_organisation_id_key UNIQUE (channel, sender, organisation_id);

ALTER TABLE carrier_routes
    ADD CONSTRAINT carrier_routes_pkey PRIMARY KEY (id);

ALTER TABLE carriers
    ADD CONSTRAINT carriers_name_key UNIQUE (name);

ALTER TABLE carriers
    ADD CONSTRAINT carriers_pkey PRIMARY KEY (id);

ALTER TABLE catalogue_batches
    ADD CONSTRAINT catalogue_batches_pkey PRIMARY KEY (handle);

ALTER TABLE catalogues
    ADD CONSTRAINT catalogues_pkey PRIMARY KEY (id);

ALTER TABLE change_set_items
    ADD CONSTRAINT change_set_items_pkey PRIMARY KEY (change_set_id, item_id);

ALTER TABLE change_sets
    ADD CONSTRAINT change_sets_pkey PRIMARY KEY (id);

ALTER TABLE check_policies
    ADD CONSTRAINT check_policies_pkey PRIMARY KEY (product_id, check_name);

ALTER TABLE check_results
    ADD CONSTRAINT check_results_pkey PRIMARY KEY (change_set_id, item_id);

ALTER TABLE contact_attempts
    ADD CONSTRAINT contact_attempts_pkey PRIMARY KEY (enquiry_id, number);

ALTER TABLE contact_deliveries
    ADD CONSTRAINT contact_deliveries_pkey PRIMARY KEY (enquiry_id, kind);

ALTER TABLE contact_enquiries
    ADD CONSTRAINT contact_enquiries_pkey PRIMARY KEY (id);

ALTER TABLE contact_enquiries
    ADD CONSTRAINT contact_enquiries_reference_key UNIQUE (reference);

ALTER TABLE contact_events
    ADD CONSTRAINT contact_events_pkey PRIMARY KEY (id);

ALTER TABLE contact_stamps
    ADD CONSTRAINT contact_stamps_pkey PRIMARY KEY (nonce);

ALTER TABLE conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (phone_number_id, contact);

ALTER TABLE deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE delivery_marks
    ADD CONSTRAINT delivery_marks_pkey PRIMARY KEY (at);

ALTER TABLE discarded_objects
    ADD CONSTRAINT discarded_objects_pkey PRIMARY KEY (object);

ALTER TABLE encryption_keys
    ADD CONSTRAINT encryption_keys_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE expiry_marks
    ADD CONSTRAINT expiry_marks_pkey PRIMARY KEY (channel);

ALTER TABLE feedback
    ADD CONSTRAINT feedback_page_reader_key UNIQUE (page, reader);

ALTER TABLE feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (id);

ALTER TABLE fetched_files
    ADD CONSTRAINT fetched_files_object_key UNIQUE (object);

ALTER TABLE fetched_files
    ADD CONSTRAINT fetched_files_pkey PRIMARY KEY (organisation_id, sha256);

ALTER TABLE fetched_links
    ADD CONSTRAINT fetched_links_pkey PRIMARY KEY (organisation_id, link);

ALTER TABLE gallery_files
    ADD CONSTRAINT gallery_files_object_key UNIQUE (object);

ALTER TABLE gallery_files
    ADD CONSTRAINT gallery_files_pkey PRIMARY KEY (id);

ALTER TABLE gallery_folders
    ADD CONSTRAINT gallery_folders_parent_id_name_key UNIQUE NULLS NOT DISTINCT (parent_id, name);

ALTER TABLE gallery_folders
    ADD CONSTRAINT gallery_folders_pkey PRIMARY KEY (id);

ALTER TABLE gallery_items
    ADD CONSTRAINT gallery_items_pkey PRIMARY KEY (id);

ALTER TABLE gallery_renditions
    ADD CONSTRAINT gallery_renditions_object_key UNIQUE (object);

ALTER TABLE gallery_renditions
    ADD CONSTRAINT gallery_renditions_pkey PRIMARY KEY (file_id, variant);

ALTER TABLE gallery_uses
    ADD CONSTRAINT gallery_uses_pkey PRIMARY KEY (media_id, revision_id);

ALTER TABLE goose_db_version
    ADD CONSTRAINT goose_db_version_pkey PRIMARY KEY (id);

ALTER TABLE idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organisation_id, key);

ALTER TABLE import_tokens
    ADD CONSTRAINT import_tokens_hash_key UNIQUE (hash);

ALTER TABLE import_tokens
    ADD CONSTRAINT import_tokens_pkey PRIMARY KEY (id);

ALTER TABLE import_watches
    ADD CONSTRAINT import_watches_pkey PRIMARY KEY (id);

ALTER TABLE imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);

ALTER TABLE inbound_messages
    ADD CONSTRAINT inbound_messages_pkey PRIMARY KEY (id);

ALTER TABLE inbox_reads
    ADD CONSTRAINT inbox_reads_pkey PRIMARY KEY (notification_id, actor);

ALTER TABLE insight_batches
    ADD CONSTRAINT insight_batches_pkey PRIMARY KEY (id);

ALTER TABLE insight_days
    ADD CONSTRAINT insight_days_pkey PRIMARY KEY (what, day, product, version, name, detail);

ALTER TABLE insight_months
    ADD CONSTRAINT insight_months_pkey PRIMARY KEY (what, month, product, version, name, detail);

ALTER TABLE insight_steps
    ADD CONSTRAINT insight_steps_pkey PRIMARY KEY (organisation_id);

ALTER TABLE insight_totals
    ADD CONSTRAINT insight_totals_pkey PRIMARY KEY (grain, start, product, kind, reader);

ALTER TABLE insight_views
    ADD CONSTRAINT insight_views_pkey PRIMARY KEY (grain, start, page, reader) INCLUDE (count, kind, product);

ALTER TABLE invitations
    ADD CONSTRAINT invitations_organisation_id_email_key UNIQUE (organisation_id, email);

ALTER TABLE invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE invitations
    ADD CONSTRAINT invitations_token_hash_key UNIQUE (token_hash);

ALTER TABLE item_redirects
    ADD CONSTRAINT item_redirects_pkey PRIMARY KEY (id);

ALTER TABLE items
    ADD CONSTRAINT items_pkey PRIMARY KEY (id);

ALTER TABLE key_checks
    ADD CONSTRAINT key_checks_pkey PRIMARY KEY (key_id);

ALTER TABLE leg_events
    ADD CONSTRAINT leg_events_pkey PRIMARY KEY (message_id, leg, state);

ALTER TABLE list_filters
    ADD CONSTRAINT list_filters_admin_user_id_list_name_key UNIQUE (admin_user_id, list, name);

ALTER TABLE list_filters
    ADD CONSTRAINT list_filters_pkey PRIMARY KEY (id);

ALTER TABLE media
    ADD CONSTRAINT media_object_key UNIQUE (object);

ALTER TABLE media
    ADD CONSTRAINT media_pkey PRIMARY KEY (id);

ALTER TABLE message_events
    ADD CONSTRAINT message_events_pkey PRIMARY KEY (message_id, state);

ALTER TABLE message_templates
    ADD CONSTRAINT message_templates_pkey PRIMARY KEY (id);

ALTER TABLE messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);

ALTER TABLE messaging_identities
    ADD CONSTRAINT messaging_identities_pkey PRIMARY KEY (organisation_id, identity);

ALTER TABLE mock_callbacks
    ADD CONSTRAINT mock_callbacks_pkey PRIMARY KEY (id);

ALTER TABLE mock_records
    ADD CONSTRAINT mock_records_pkey PRIMARY KEY (scope, id);

ALTER TABLE notification_attempts
    ADD CONSTRAINT notification_attempts_pkey PRIMARY KEY (notification_id, number);

ALTER TABLE notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE number_notices
    ADD CONSTRAINT number_notices_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE orders
    ADD CONSTRAINT orders_phone_number_id_payment_configuration_reference_id_key UNIQUE (phone_number_id, payment_configuration, reference_id);

ALTER TABLE orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (message_id);

ALTER TABLE organisation_users
    ADD CONSTRAINT organisation_users_email_key UNIQUE (email);

ALTER TABLE organisation_users
    ADD CONSTRAINT organisation_users_pkey PRIMARY KEY (id);

ALTER TABLE organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);

ALTER TABLE otp_blocks
    ADD CONSTRAINT otp_blocks_pkey PRIMARY KEY (prefix);

ALTER TABLE otp_challenges
    ADD CONSTRAINT otp_challenges_pkey PRIMARY KEY (id);

ALTER TABLE parked_parts
    ADD CONSTRAINT parked_parts_pkey PRIMARY KEY (message_id, leg, part);

ALTER TABLE payment_transactions
    ADD CONSTRAINT payment_transactions_id_key UNIQUE (id);

ALTER TABLE payment_transactions
    ADD CONSTRAINT payment_transactions_pkey PRIMARY KEY (order_id, number);

ALTER TABLE phone_numbers
    ADD CONSTRAINT phone_numbers_pkey PRIMARY KEY (id);

ALTER TABLE presences
    ADD CONSTRAINT presences_pkey PRIMARY KEY (place, admin_user_id);

ALTER TABLE preview_links
    ADD CONSTRAINT preview_links_pkey PRIMARY KEY (id);

ALTER TABLE preview_links
    ADD CONSTRAINT preview_links_token_hash_key UNIQUE (token_hash);

ALTER TABLE product_editors
    ADD CONSTRAINT product_editors_pkey PRIMARY KEY (admin_user_id, product_id);

ALTER TABLE products
    ADD CONSTRAINT products_catalogue_id_retailer_id_key UNIQUE (catalogue_id, retailer_id);

ALTER TABLE products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);

ALTER TABLE profile_pictures
    ADD CONSTRAINT profile_pictures_name_key UNIQUE (name);

ALTER TABLE profile_pictures
    ADD CONSTRAINT profile_pictures_object_key UNIQUE (object);

ALTER TABLE profile_pictures
    ADD CONSTRAINT profile_pictures_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE qr_codes
    ADD CONSTRAINT qr_codes_pkey PRIMARY KEY (code);

ALTER TABLE rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE rcs_bots
    ADD CONSTRAINT rcs_bots_client_id_key UNIQUE (client_id);

ALTER TABLE rcs_bots
    ADD CONSTRAINT rcs_bots_organisation_id_name_key UNIQUE (organisation_id, name);

ALTER TABLE rcs_bots
    ADD CONSTRAINT rcs_bots_pkey PRIMARY KEY (id);

ALTER TABLE rcs_carrier_events
    ADD CONSTRAINT rcs_carrier_events_pkey PRIMARY KEY (carrier, event_id);

ALTER TABLE rcs_devices
    ADD CONSTRAINT rcs_devices_pkey PRIMARY KEY (bot_id, number);

ALTER TABLE rcs_images
    ADD CONSTRAINT rcs_images_pkey PRIMARY KEY (bot_id, name);

ALTER TABLE rcs_message_ids
    ADD CONSTRAINT rcs_message_ids_pkey PRIMARY KEY (bot_id, message_id);

ALTER TABLE rcs_templates
    ADD CONSTRAINT rcs_templates_bot_id_name_key UNIQUE (bot_id, name);

ALTER TABLE rcs_templates
    ADD CONSTRAINT rcs_templates_pkey PRIMARY KEY (id);

ALTER TABLE refused_calls
    ADD CONSTRAINT refused_calls_pkey PRIMARY KEY (id);

ALTER TABLE registry
    ADD CONSTRAINT registry_id_kind_key UNIQUE (id, kind);

ALTER TABLE registry
    ADD CONSTRAINT registry_pkey PRIMARY KEY (id);

ALTER TABLE release_items
    ADD CONSTRAINT release_items_pkey PRIMARY KEY (release_id, item_id);

ALTER TABLE releases
    ADD CONSTRAINT releases_pkey PRIMARY KEY (id);

ALTER TABLE releases
    ADD CONSTRAINT releases_scope_id_number_key UNIQUE (scope_id, number);

ALTER TABLE replays
    ADD CONSTRAINT replays_pkey PRIMARY KEY (id);

ALTER TABLE retention_marks
    ADD CONSTRAINT retention_marks_pkey PRIMARY KEY (organisation_id);

ALTER TABLE retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (organisation_id);

ALTER TABLE review_comments
    ADD CONSTRAINT review_comments_pkey PRIMARY KEY (id);

ALTER TABLE review_notices
    ADD CONSTRAINT review_notices_pkey PRIMARY KEY (id);

ALTER TABLE review_threads
    ADD CONSTRAINT review_threads_pkey PRIMARY KEY (id);

ALTER TABLE reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (id);

ALTER TABLE revisions
    ADD CONSTRAINT revisions_item_id_id_key UNIQUE (item_id, id);

ALTER TABLE revisions
    ADD CONSTRAINT revisions_item_id_number_key UNIQUE (item_id, number);

ALTER TABLE revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (id);

ALTER TABLE sdk_builds
    ADD CONSTRAINT sdk_builds_pkey PRIMARY KEY (release_id, language);

ALTER TABLE search_rows
    ADD CONSTRAINT search_rows_pkey PRIMARY KEY (id);

ALTER TABLE search_synonyms
    ADD CONSTRAINT search_synonyms_pkey PRIMARY KEY (id);

ALTER TABLE search_synonyms
    ADD CONSTRAINT search_synonyms_term_means_key UNIQUE (term, means);

ALTER TABLE search_words
    ADD CONSTRAINT search_words_pkey PRIMARY KEY (word, scope_id);

ALTER TABLE sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id_hash);

ALTER TABLE setting_secrets
    ADD CONSTRAINT setting_secrets_pkey PRIMARY KEY (name);

ALTER TABLE settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE settle_mark
    ADD CONSTRAINT settle_mark_pkey PRIMARY KEY (one);

ALTER TABLE sms_accounts
    ADD CONSTRAINT sms_accounts_pkey PRIMARY KEY (organisation_id);

ALTER TABLE sms_budgets
    ADD CONSTRAINT sms_budgets_pkey PRIMARY KEY (day);

ALTER TABLE sms_headers
    ADD CONSTRAINT sms_headers_pkey PRIMARY KEY (organisation_id, header);

ALTER TABLE sms_numbers
    ADD CONSTRAINT sms_numbers_pkey PRIMARY KEY (number);

ALTER TABLE sms_otp_blocks
    ADD CONSTRAINT sms_otp_blocks_pkey PRIMARY KEY (organisation_id, prefix);

ALTER TABLE sms_otps
    ADD CONSTRAINT sms_otps_pkey PRIMARY KEY (id);

ALTER TABLE sms_references
    ADD CONSTRAINT sms_references_pkey PRIMARY KEY (organisation_id, reference);

ALTER TABLE sms_templates
    ADD CONSTRAINT sms_templates_pkey PRIMARY KEY (id);

ALTER TABLE suppressions
    ADD CONSTRAINT suppressions_pkey PRIMARY KEY (organisation_id, recipient, channel);

ALTER TABLE theme_drafts
    ADD CONSTRAINT theme_drafts_pkey PRIMARY KEY (surface);

ALTER TABLE theme_pictures
    ADD CONSTRAINT theme_pictures_object_key UNIQUE (object);

ALTER TABLE theme_pictures
    ADD CONSTRAINT theme_pictures_pkey PRIMARY KEY (name);

ALTER TABLE theme_revisions
    ADD CONSTRAINT theme_revisions_pkey PRIMARY KEY (id);

ALTER TABLE theme_revisions
    ADD CONSTRAINT theme_revisions_surface_number_key UNIQUE (surface, number);

ALTER TABLE tutor_progress
    ADD CONSTRAINT tutor_progress_pkey PRIMARY KEY (admin_user_id);

ALTER TABLE unsettled_messages
    ADD CONSTRAINT unsettled_messages_pkey PRIMARY KEY (message_id);

ALTER TABLE upload_parts
    ADD CONSTRAINT upload_parts_object_key UNIQUE (object);

ALTER TABLE upload_parts
    ADD CONSTRAINT upload_parts_pkey PRIMARY KEY (upload_id, start);

ALTER TABLE uploaded_bytes
    ADD CONSTRAINT uploaded_bytes_pkey PRIMARY KEY (organisation_id, day);

ALTER TABLE uploads
    ADD CONSTRAINT uploads_object_key UNIQUE (object);

ALTER TABLE uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);

ALTER TABLE upstream_assets
    ADD CONSTRAINT upstream_assets_pkey PRIMARY KEY (kind, asset_id, item);

ALTER TABLE upstream_media
    ADD CONSTRAINT upstream_media_pkey PRIMARY KEY (carrier, media_id);

ALTER TABLE upstream_messages
    ADD CONSTRAINT upstream_messages_pkey PRIMARY KEY (carrier, upstream_id);

ALTER TABLE upstream_posts
    ADD CONSTRAINT upstream_posts_pkey PRIMARY KEY (id);

ALTER TABLE upstream_states
    ADD CONSTRAINT upstream_states_pkey PRIMARY KEY (carrier, kind, asset_id);

ALTER TABLE upstream_templates
    ADD CONSTRAINT upstream_templates_pkey PRIMARY KEY (template_id);

ALTER TABLE usage_clock
    ADD CONSTRAINT usage_clock_pkey PRIMARY KEY (one);

ALTER TABLE usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (organisation_id, day, channel);

ALTER TABLE user_links
    ADD CONSTRAINT user_links_pkey PRIMARY KEY (hash);

ALTER TABLE webhook_range_ids
    ADD CONSTRAINT webhook_range_ids_pkey PRIMARY KEY (organisation_id, key);

ALTER TABLE webhook_range_requests
    ADD CONSTRAINT webhook_range_requests_organisation_id_number_key UNIQUE (organisation_id, number);

ALTER TABLE webhook_range_requests
    ADD CONSTRAINT webhook_range_requests_pkey PRIMARY KEY (id);

ALTER TABLE webhook_ranges
    ADD CONSTRAINT webhook_ranges_pkey PRIMARY KEY (organisation_id);

ALTER TABLE webhook_ranges
    ADD CONSTRAINT webhook_ranges_token_hash_key UNIQUE (token_hash);

ALTER TABLE webhooks
    ADD CONSTRAINT webhooks_channel_subject_key UNIQUE (channel, subject);

ALTER TABLE webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

CREATE INDEX admin_links_admin_user_id_idx ON admin_links USING btree (admin_user_id);

CREATE INDEX admin_links_expires_at_idx ON admin_links USING btree (expires_at);

CREATE UNIQUE INDEX api_keys_active_slot ON api_keys USING btree (organisation_id, slot) WHERE (revoked_at IS NULL);

CREATE INDEX audit_entries_actor ON audit_entries USING btree (actor, seq DESC);

CREATE INDEX audit_entries_at_idx ON audit_entries USING btree (at);

CREATE INDEX audit_entries_target ON audit_entries USING btree (target, seq DESC);

CREATE INDEX business_account_clients_business_account_id_idx ON business_account_clients USING btree (business_account_id);

CREATE INDEX business_accounts_business_id_idx ON business_accounts USING btree (business_id);

CREATE INDEX business_accounts_organisation_id_idx ON business_accounts USING btree (organisation_id);

CREATE INDEX businesses_organisation_id_idx ON businesses USING btree (organisation_id);

CREATE INDEX carrier_ids_created_at_idx ON carrier_ids USING brin (created_at) WITH (pages_per_range='32');

CREATE INDEX carrier_minutes_minute_idx ON carrier_minutes USING btree (minute);

CREATE INDEX carrier_routes_carrier_id_idx ON carrier_routes USING btree (carrier_id);

CREATE INDEX catalogue_batches_catalogue_id_idx ON catalogue_batches USING btree (catalogue_id);

CREATE INDEX catalogue_batches_created_at_idx ON catalogue_batches USING btree (created_at);

CREATE INDEX catalogues_business_id_idx ON catalogues USING btree (business_id);

CREATE INDEX catalogues_organisation_id_idx ON catalogues USING btree (organisation_id);

CREATE INDEX change_set_items_item_id_idx ON change_set_items USING btree (item_id);

CREATE UNIQUE INDEX change_set_items_open ON change_set_items USING btree (item_id) WHERE open;

CREATE INDEX change_sets_author_id_idx ON change_sets USING btree (author_id) WHERE (state <> ALL (ARRAY['published'::text, 'rejected'::text, 'withdrawn'::text]));

CREATE INDEX change_sets_product_id_state_idx ON change_sets USING btree (product_id, state);

CREATE INDEX check_results_item_id_idx ON check_results USING btree (item_id);

CREATE INDEX contact_deliveries_failed ON contact_deliveries USING btree (enquiry_id) WHERE (state = 'failed'::text);

CREATE INDEX contact_deliveries_open ON contact_deliveries USING btree (state, kind) WHERE (state = ANY (ARRAY['waiting'::text, 'pending'::text]));

CREATE INDEX contact_enquiries_email ON contact_enquiries USING btree (email);

CREATE INDEX contact_enquiries_fingerprint ON contact_enquiries USING btree (fingerprint, created_at);

CREATE INDEX contact_enquiries_status ON contact_enquiries USING btree (status, id);

CREATE INDEX contact_events_enquiry_id_id_idx ON contact_events USING btree (enquiry_id, id);

CREATE INDEX contact_stamps_expires_at_idx ON contact_stamps USING btree (expires_at);

CREATE INDEX deliveries_failed ON deliveries USING btree (organisation_id, created_at DESC, id DESC) WHERE (state = 'failed'::text);

CREATE INDEX deliveries_message_id_idx ON deliveries USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX deliveries_organisation_id_created_at_id_idx ON deliveries USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX deliveries_replayed ON deliveries USING btree (replay_id) WHERE (replay_id IS NOT NULL);

CREATE INDEX deliveries_waiting ON deliveries USING btree (webhook_id, next_attempt_at, id) WHERE (state = 'pending'::text);

CREATE INDEX deliveries_webhook_id_created_at_idx ON deliveries USING btree (webhook_id, created_at DESC);

CREATE INDEX discarded_objects_due_at_idx ON discarded_objects USING btree (due_at);

CREATE INDEX feedback_created_at ON feedback USING btree (created_at);

CREATE INDEX fetched_files_expires_at_idx ON fetched_files USING btree (expires_at);

CREATE INDEX fetched_links_claimed_until_idx ON fetched_links USING btree (claimed_until) WHERE (sha256 IS NULL);

CREATE INDEX fetched_links_organisation_id_sha256_idx ON fetched_links USING btree (organisation_id, sha256);

CREATE INDEX gallery_files_item_id_id_idx ON gallery_files USING btree (item_id, id);

CREATE INDEX gallery_files_source_sha256_idx ON gallery_files USING btree (source_sha256);

CREATE INDEX gallery_items_folder_id_name_idx ON gallery_items USING btree (folder_id, name);

CREATE INDEX gallery_items_trashed_at_idx ON gallery_items USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);

CREATE INDEX gallery_uses_item_id_idx ON gallery_uses USING btree (item_id);

CREATE INDEX gallery_uses_revision_id_idx ON gallery_uses USING btree (revision_id);

CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);

CREATE INDEX import_tokens_admin_user_id_idx ON import_tokens USING btree (admin_user_id);

CREATE INDEX import_tokens_product_id_idx ON import_tokens USING btree (product_id);

CREATE INDEX import_watches_created_by_idx ON import_watches USING btree (created_by);

CREATE INDEX import_watches_next_at_idx ON import_watches USING btree (next_at);

CREATE INDEX import_watches_product_id_idx ON import_watches USING btree (product_id);

CREATE INDEX imports_change_set_id_idx ON imports USING btree (change_set_id);

CREATE INDEX imports_created_at_idx ON imports USING btree (created_at);

CREATE INDEX imports_created_by_idx ON imports USING btree (created_by);

CREATE INDEX imports_decided_by_idx ON imports USING btree (decided_by);

CREATE INDEX imports_product_id_version_slug_idx ON imports USING btree (product_id, version_slug);

CREATE INDEX imports_sha256_idx ON imports USING btree (sha256);

CREATE INDEX imports_token_id_idx ON imports USING btree (token_id);

CREATE INDEX imports_watch_id_idx ON imports USING btree (watch_id);

CREATE INDEX inbound_messages_contact ON inbound_messages USING btree (contact);

CREATE INDEX inbound_messages_organisation_id_id_idx ON inbound_messages USING btree (organisation_id, id DESC);

CREATE INDEX inbound_messages_phone_number_id_contact_id_idx ON inbound_messages USING btree (phone_number_id, contact, id DESC);

CREATE INDEX insight_batches_written_at_idx ON insight_batches USING btree (written_at);

CREATE INDEX insight_months_month_idx ON insight_months USING btree (month);

CREATE INDEX insight_steps_registered_at_idx ON insight_steps USING btree (registered_at);

CREATE INDEX insight_views_page_grain_start_reader_count_idx ON insight_views USING btree (page, grain, start) INCLUDE (reader, count);

CREATE INDEX invitations_expires_at_idx ON invitations USING btree (expires_at);

CREATE UNIQUE INDEX item_redirects_address ON item_redirects USING btree (parent_id, address_space(kind), slug) NULLS NOT DISTINCT;

CREATE INDEX item_redirects_item_id_idx ON item_redirects USING btree (item_id);

CREATE UNIQUE INDEX items_address ON items USING btree (parent_id, address_space(kind), slug) NULLS NOT DISTINCT;

CREATE UNIQUE INDEX items_practice ON items USING btree (practice_of) WHERE ((practice_of IS NOT NULL) AND (kind = 'product'::text));

CREATE INDEX items_practice_parts ON items USING btree (practice_of) WHERE (practice_of IS NOT NULL);

CREATE INDEX media_expires_at_idx ON media USING btree (expires_at);

CREATE INDEX media_organisation_id_idx ON media USING btree (organisation_id);

CREATE INDEX media_phone_number_id_idx ON media USING btree (phone_number_id);

CREATE INDEX message_events_failed ON message_events USING btree (organisation_id, message_id DESC) WHERE (state = ANY (ARRAY['failed'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text]));

CREATE INDEX message_templates_blocked ON message_templates USING btree (business_account_id, name) WHERE (name_blocked_until IS NOT NULL);

CREATE INDEX message_templates_due ON message_templates USING btree (status) WHERE (status = ANY (ARRAY['PAUSED'::text, 'PENDING_DELETION'::text]));

CREATE UNIQUE INDEX message_templates_list ON message_templates USING btree (business_account_id, seq DESC);

CREATE UNIQUE INDEX message_templates_name ON message_templates USING btree (business_account_id, name, language) WHERE (status <> 'DELETED'::text);

CREATE INDEX message_templates_organisation_id_idx ON message_templates USING btree (organisation_id);

CREATE INDEX message_templates_pending ON message_templates USING btree (seq) WHERE (status = 'PENDING'::text);

CREATE INDEX messages_by_recipient ON messages USING btree (organisation_id, recipient, id DESC);

CREATE INDEX messages_by_time ON messages USING btree (organisation_id, id DESC);

CREATE INDEX messages_reference ON messages USING btree (reference, id) WHERE (reference <> ''::text);

CREATE INDEX messaging_identities_person ON messaging_identities USING btree (person);

CREATE INDEX messaging_identities_seen ON messaging_identities USING btree (organisation_id, seen_at);

CREATE INDEX mock_callbacks_created_at ON mock_callbacks USING btree (created_at);

CREATE INDEX mock_callbacks_organisation_id ON mock_callbacks USING btree (organisation_id);

CREATE INDEX mock_records_client ON mock_records USING btree (client);

CREATE INDEX mock_records_expires_at ON mock_records USING btree (expires_at);

CREATE INDEX notifications_failed ON notifications USING btree (finished_at) WHERE (state = ANY (ARRAY['failed'::text, 'expired'::text]));

CREATE INDEX notifications_inbox ON notifications USING btree (id) WHERE virtual;

CREATE INDEX notifications_queued ON notifications USING btree (kind, expires_at) WHERE (state = 'queued'::text);

CREATE INDEX notifications_readable ON notifications USING btree (created_at) WHERE (body IS NOT NULL);

CREATE INDEX notifications_recipient ON notifications USING btree (lower(recipient), id);

CREATE INDEX notifications_topic ON notifications USING btree (topic, id) WHERE (topic <> ''::text);

CREATE INDEX notifications_topic_idx ON notifications USING btree (topic) WHERE ((state = 'queued'::text) AND (topic <> ''::text));

CREATE INDEX orders_phone_number_id_reference_id_recipient_idx ON orders USING btree (phone_number_id, reference_id, recipient);

CREATE INDEX organisation_users_organisation_id_idx ON organisation_users USING btree (organisation_id);

CREATE INDEX organisations_name ON organisations USING gin (lower(name) gin_trgm_ops);

CREATE INDEX otp_challenges_expires_at_idx ON otp_challenges USING btree (expires_at);

CREATE INDEX otp_challenges_left_sent_at_idx ON otp_challenges USING btree ("left"(phone, 7), sent_at) WHERE (sent_at IS NOT NULL);

CREATE UNIQUE INDEX otp_challenges_open ON otp_challenges USING btree (user_id, purpose) WHERE (consumed_at IS NULL);

CREATE INDEX parked_parts_parked_at_idx ON parked_parts USING btree (parked_at);

CREATE INDEX phone_numbers_business_account_id_idx ON phone_numbers USING btree (business_account_id);

CREATE UNIQUE INDEX phone_numbers_number_key ON phone_numbers USING btree (number) WHERE (removed_at IS NULL);

CREATE INDEX phone_numbers_organisation_id_idx ON phone_numbers USING btree (organisation_id);

CREATE INDEX preview_links_created_by_idx ON preview_links USING btree (created_by);

CREATE INDEX preview_links_item_id_revision_id_idx ON preview_links USING btree (item_id, revision_id);

CREATE INDEX product_editors_product_id_idx ON product_editors USING btree (product_id);

CREATE UNIQUE INDEX products_page ON products USING btree (catalogue_id, id);

CREATE UNIQUE INDEX qr_codes_page ON qr_codes USING btree (phone_number_id, "position");

CREATE INDEX rcs_bots_created_at_id_idx ON rcs_bots USING btree (created_at DESC, id);

CREATE INDEX rcs_carrier_events_received_at_idx ON rcs_carrier_events USING btree (received_at);

CREATE INDEX rcs_message_ids_created_at_idx ON rcs_message_ids USING btree (created_at);

CREATE INDEX rcs_templates_created_at_id_idx ON rcs_templates USING btree (created_at, id) WHERE (state = 'PENDING'::text);

CREATE INDEX rcs_templates_organisation_id_created_at_id_idx ON rcs_templates USING btree (organisation_id, created_at DESC, id);

CREATE INDEX refused_calls_at_idx ON refused_calls USING btree (at);

CREATE INDEX refused_calls_organisation_id_id_idx ON refused_calls USING btree (organisation_id, id DESC);

CREATE INDEX registry_organisation_id_kind_idx ON registry USING btree (organisation_id, kind);

CREATE INDEX releases_product_id_published_at_idx ON releases USING btree (product_id, published_at DESC);

CREATE INDEX replays_webhook_id_id_idx ON replays USING btree (webhook_id, id DESC);

CREATE INDEX review_comments_thread_id_idx ON review_comments USING btree (thread_id);

CREATE INDEX review_notices_change_set_id_idx ON review_notices USING btree (change_set_id);

CREATE INDEX review_threads_change_set_id_idx ON review_threads USING btree (change_set_id);

CREATE INDEX review_threads_item_id_idx ON review_threads USING btree (item_id);

CREATE INDEX review_threads_version_id_idx ON review_threads USING btree (version_id) WHERE (version_id IS NOT NULL);

CREATE INDEX reviews_change_set_id_idx ON reviews USING btree (change_set_id);

CREATE INDEX revisions_form ON revisions USING btree (item_id, form) WHERE (form IS NOT NULL);

CREATE INDEX sdk_builds_state ON sdk_builds USING btree (state, requested_at) WHERE (state <> 'built'::text);

CREATE INDEX search_loads_place ON search_loads USING btree (scope_id, place);

CREATE INDEX search_names_alias_weight_id_kind_product_version_method_idx ON search_names USING btree (alias, weight DESC) INCLUDE (id, kind, product, version, method) WHERE (alias <> ''::text);

CREATE INDEX search_names_id_idx ON search_names USING btree (id);

CREATE INDEX search_names_key_weight_id_kind_product_version_method_idx ON search_names USING btree (key, weight DESC) INCLUDE (id, kind, product, version, method);

CREATE INDEX search_names_method_weight_idx ON search_names USING btree (method, weight DESC) WHERE (kind = 'endpoint'::text);

CREATE INDEX search_names_near_idx ON search_names USING gin (near) WHERE (kind = 'field'::text);

CREATE INDEX search_names_near_idx1 ON search_names USING gin (near) WHERE (kind <> 'field'::text);

CREATE INDEX search_names_scope_id_idx ON search_names USING btree (scope_id);

CREATE INDEX search_names_shape_idx ON search_names USING gin (shape gin_trgm_ops) WHERE (shape <> ''::text);

CREATE INDEX search_names_words_idx ON search_names USING gin (words) WHERE (kind = 'field'::text);

CREATE INDEX search_names_words_idx1 ON search_names USING gin (words) WHERE (kind <> 'field'::text);

CREATE INDEX search_rows_contracts ON search_rows USING gin (page) WHERE ((page IS NOT NULL) AND (kind <> 'guide'::text));

CREATE INDEX search_rows_guides ON search_rows USING gin (page) WHERE ((page IS NOT NULL) AND (kind = 'guide'::text));

CREATE INDEX search_rows_item_id_idx ON search_rows USING btree (item_id);

CREATE INDEX search_rows_scope_id_idx ON search_rows USING btree (scope_id);

CREATE INDEX search_rows_terms_idx ON search_rows USING gin (terms);

CREATE INDEX search_words_scope_id_idx ON search_words USING btree (scope_id);

CREATE INDEX searches_day_idx ON searches USING btree (day);

CREATE INDEX sessions_admin_user_id_idx ON sessions USING btree (admin_user_id) WHERE (admin_user_id IS NOT NULL);

CREATE INDEX sessions_expires_at_idx ON sessions USING btree (expires_at);

CREATE INDEX sessions_organisation_user_id_idx ON sessions USING btree (organisation_user_id) WHERE (organisation_user_id IS NOT NULL);

CREATE INDEX sms_headers_alike ON sms_headers USING btree (regexp_replace(regexp_replace(upper(header), '\s'::text, ''::text, 'g'::text), '^\+?0*([0-9]+)$'::text, '\1'::text));

CREATE UNIQUE INDEX sms_headers_id ON sms_headers USING btree (id);

CREATE INDEX sms_headers_name ON sms_headers USING btree (upper(header));

CREATE UNIQUE INDEX sms_headers_owner ON sms_headers USING btree (upper(header)) WHERE (state = 'granted'::text);

CREATE INDEX sms_headers_undecided ON sms_headers USING btree (created_at) WHERE (state = ANY (ARRAY['requested'::text, 'contested'::text]));

CREATE INDEX sms_numbers_alike ON sms_numbers USING btree (regexp_replace(regexp_replace(upper(number), '\s'::text, ''::text, 'g'::text), '^\+?0*([0-9]+)$'::text, '\1'::text));

CREATE INDEX sms_numbers_organisation_id_idx ON sms_numbers USING btree (organisation_id);

CREATE INDEX sms_otps_expires_at_idx ON sms_otps USING btree (expires_at);

CREATE UNIQUE INDEX sms_otps_open ON sms_otps USING btree (organisation_id, phone, lower(header)) WHERE (consumed_at IS NULL);

CREATE INDEX sms_otps_organisation_id_left_sent_at_idx ON sms_otps USING btree (organisation_id, "left"(phone, 7), sent_at);

CREATE INDEX sms_references_created_at_idx ON sms_references USING btree (created_at);

CREATE INDEX sms_templates_organisation_id_id_idx ON sms_templates USING btree (organisation_id, id);

CREATE INDEX suppressions_recipient_idx ON suppressions USING btree (recipient);

CREATE INDEX theme_drafts_author_id_idx ON theme_drafts USING btree (author_id);

CREATE INDEX theme_revisions_author_id_idx ON theme_revisions USING btree (author_id);

CREATE INDEX theme_revisions_surface_hash_idx ON theme_revisions USING btree (surface, hash);

CREATE INDEX uploaded_bytes_day_idx ON uploaded_bytes USING btree (day);

CREATE INDEX uploads_expires_at_idx ON uploads USING btree (expires_at);

CREATE INDEX uploads_organisation_id_idx ON uploads USING btree (organisation_id);

CREATE INDEX upstream_assets_asset_id_idx ON upstream_assets USING btree (asset_id);

CREATE INDEX upstream_assets_changed_at_idx ON upstream_assets USING btree (changed_at) WHERE ((pushed < revision) OR (error <> ''::text));

CREATE INDEX upstream_media_uploaded_at_idx ON upstream_media USING btree (uploaded_at);

CREATE INDEX upstream_messages_message_id_idx ON upstream_messages USING btree (message_id);

CREATE INDEX upstream_messages_received_at_idx ON upstream_messages USING btree (received_at);

CREATE INDEX upstream_posts_received_at_idx ON upstream_posts USING btree (received_at);

CREATE INDEX upstream_templates_carrier_upstream_id_idx ON upstream_templates USING btree (carrier, upstream_id);

CREATE INDEX user_links_expires_at_idx ON user_links USING btree (expires_at);

CREATE INDEX user_links_user_id_idx ON user_links USING btree (user_id);

CREATE INDEX webhook_ranges_expires_at ON webhook_ranges USING btree (expires_at);

CREATE INDEX webhooks_organisation_id_idx ON webhooks USING btree (organisation_id);

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF revoked_at, channels ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON carrier_routes FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON carriers FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON gallery_items FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON gallery_renditions FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON message_templates FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF status ON organisations FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON phone_numbers FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON rcs_bots FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON rcs_devices FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON rcs_templates FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON search_synonyms FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE ON search_words FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON setting_secrets FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON settings FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON sms_accounts FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON sms_headers FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON sms_templates FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE ON theme_revisions FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER DELETE ON webhooks FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER deleted AFTER DELETE ON deliveries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION deliveries_deleted();

CREATE TRIGGER deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION messages_deleted();

CREATE TRIGGER deleted AFTER DELETE ON webhooks REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION webhooks_deleted();

CREATE TRIGGER discarded AFTER DELETE ON fetched_files FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON gallery_files FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON gallery_renditions FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON media FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON profile_pictures FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON theme_pictures FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON upload_parts FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON uploads FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER draft_ended AFTER UPDATE OF draft_revision_id ON items FOR EACH ROW WHEN (((old.draft_revision_id IS NOT NULL) AND (new.draft_revision_id IS NULL))) EXECUTE FUNCTION end_preview_links();

CREATE TRIGGER failed BEFORE INSERT ON message_events FOR EACH ROW WHEN ((new.state = ANY (ARRAY['failed'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text]))) EXECUTE FUNCTION message_failed();

CREATE TRIGGER follows BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION check_audit_entry();

CREATE TRIGGER gallery_uses AFTER INSERT ON revisions FOR EACH ROW EXECUTE FUNCTION record_gallery_uses();

CREATE TRIGGER heads AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION move_audit_head();

CREATE TRIGGER immutable BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER immutable BEFORE UPDATE ON revisions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER inherits_practice BEFORE INSERT ON items FOR EACH ROW WHEN ((new.parent_id IS NOT NULL)) EXECUTE FUNCTION inherit_practice();

CREATE TRIGGER owned BEFORE INSERT ON inbound_messages FOR EACH ROW WHEN ((new.organisation_id IS NULL)) EXECUTE FUNCTION inbound_message_owned();

CREATE TRIGGER played BEFORE INSERT OR UPDATE ON review_comments FOR EACH ROW WHEN ((new.author_id IS NULL)) EXECUTE FUNCTION check_played();

CREATE TRIGGER played BEFORE INSERT OR UPDATE ON reviews FOR EACH ROW WHEN ((new.reviewer_id IS NULL)) EXECUTE FUNCTION check_played();

CREATE TRIGGER signal AFTER INSERT OR DELETE OR UPDATE OF updated_at ON webhooks FOR EACH ROW EXECUTE FUNCTION signal_webhook();

CREATE TRIGGER signal_keys AFTER INSERT OR DELETE OR UPDATE OF revoked_at, name, channels ON api_keys FOR EACH ROW EXECUTE FUNCTION signal_organisation('keys');

CREATE TRIGGER signal_numbers AFTER INSERT OR DELETE OR UPDATE OF removed_at, verified_name ON phone_numbers FOR EACH ROW EXECUTE FUNCTION signal_organisation('webhooks');

CREATE TRIGGER untruncated BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE accepted_changes
    ADD CONSTRAINT accepted_changes_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES admin_users(id);

ALTER TABLE accepted_changes
    ADD CONSTRAINT accepted_changes_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id);

ALTER TABLE accepted_changes
    ADD CONSTRAINT accepted_changes_version_id_fkey FOREIGN KEY (version_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE admin_links
    ADD CONSTRAINT admin_links_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE api_keys
    ADD CONSTRAINT api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE business_account_clients
    ADD CONSTRAINT business_account_clients_business_account_id_fkey FOREIGN KEY (business_account_id) REFERENCES business_accounts(id) ON DELETE CASCADE;

ALTER TABLE business_account_clients
    ADD CONSTRAINT business_account_clients_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id) ON DELETE CASCADE;

ALTER TABLE business_accounts
    ADD CONSTRAINT business_accounts_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id) ON DELETE CASCADE;

ALTER TABLE business_accounts
    ADD CONSTRAINT business_accounts_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE business_accounts
    ADD CONSTRAINT business_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE business_profiles
    ADD CONSTRAINT business_profiles_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE businesses
    ADD CONSTRAINT businesses_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE businesses
    ADD CONSTRAINT businesses_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE carrier_routes
    ADD CONSTRAINT carrier_routes_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carriers(id) ON DELETE CASCADE;

ALTER TABLE catalogue_batches
    ADD CONSTRAINT catalogue_batches_catalogue_id_fkey FOREIGN KEY (catalogue_id) REFERENCES catalogues(id) ON DELETE CASCADE;

ALTER TABLE catalogues
    ADD CONSTRAINT catalogues_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id) ON DELETE CASCADE;

ALTER TABLE catalogues
    ADD CONSTRAINT catalogues_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE catalogues
    ADD CONSTRAINT catalogues_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE change_set_items
    ADD CONSTRAINT change_set_items_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE change_set_items
    ADD CONSTRAINT change_set_items_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id);

ALTER TABLE change_set_items
    ADD CONSTRAINT change_set_items_item_id_revision_id_fkey FOREIGN KEY (item_id, revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE change_set_items
    ADD CONSTRAINT change_set_items_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES items(id);

ALTER TABLE change_sets
    ADD CONSTRAINT change_sets_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id);

ALTER TABLE change_sets
    ADD CONSTRAINT change_sets_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id);

ALTER TABLE change_sets
    ADD CONSTRAINT change_sets_scheduled_by_fkey FOREIGN KEY (scheduled_by) REFERENCES admin_users(id);

ALTER TABLE check_policies
    ADD CONSTRAINT check_policies_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE check_results
    ADD CONSTRAINT check_results_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE check_results
    ADD CONSTRAINT check_results_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE contact_attempts
    ADD CONSTRAINT contact_attempts_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES contact_enquiries(id) ON DELETE CASCADE;

ALTER TABLE contact_deliveries
    ADD CONSTRAINT contact_deliveries_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES contact_enquiries(id) ON DELETE CASCADE;

ALTER TABLE contact_enquiries
    ADD CONSTRAINT contact_enquiries_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE contact_events
    ADD CONSTRAINT contact_events_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES contact_enquiries(id) ON DELETE CASCADE;

ALTER TABLE encryption_keys
    ADD CONSTRAINT encryption_keys_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE fetched_files
    ADD CONSTRAINT fetched_files_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE fetched_links
    ADD CONSTRAINT fetched_links_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE fetched_links
    ADD CONSTRAINT fetched_links_organisation_id_sha256_fkey FOREIGN KEY (organisation_id, sha256) REFERENCES fetched_files(organisation_id, sha256) ON DELETE CASCADE;

ALTER TABLE gallery_files
    ADD CONSTRAINT gallery_files_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE gallery_files
    ADD CONSTRAINT gallery_files_item_id_fkey FOREIGN KEY (item_id) REFERENCES gallery_items(id) ON DELETE CASCADE;

ALTER TABLE gallery_folders
    ADD CONSTRAINT gallery_folders_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES gallery_folders(id);

ALTER TABLE gallery_items
    ADD CONSTRAINT gallery_items_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE gallery_items
    ADD CONSTRAINT gallery_items_file_id_fkey FOREIGN KEY (file_id) REFERENCES gallery_files(id) ON DELETE SET NULL;

ALTER TABLE gallery_items
    ADD CONSTRAINT gallery_items_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES gallery_folders(id);

ALTER TABLE gallery_renditions
    ADD CONSTRAINT gallery_renditions_file_id_fkey FOREIGN KEY (file_id) REFERENCES gallery_files(id) ON DELETE CASCADE;

ALTER TABLE gallery_uses
    ADD CONSTRAINT gallery_uses_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE gallery_uses
    ADD CONSTRAINT gallery_uses_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES revisions(id) ON DELETE CASCADE;

ALTER TABLE import_tokens
    ADD CONSTRAINT import_tokens_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE import_tokens
    ADD CONSTRAINT import_tokens_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE import_watches
    ADD CONSTRAINT import_watches_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE import_watches
    ADD CONSTRAINT import_watches_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE imports
    ADD CONSTRAINT imports_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE SET NULL;

ALTER TABLE imports
    ADD CONSTRAINT imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE imports
    ADD CONSTRAINT imports_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE imports
    ADD CONSTRAINT imports_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE SET NULL;

ALTER TABLE imports
    ADD CONSTRAINT imports_token_id_fkey FOREIGN KEY (token_id) REFERENCES import_tokens(id) ON DELETE SET NULL;

ALTER TABLE imports
    ADD CONSTRAINT imports_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES import_watches(id) ON DELETE SET NULL;

ALTER TABLE inbox_reads
    ADD CONSTRAINT inbox_reads_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE;

ALTER TABLE insight_steps
    ADD CONSTRAINT insight_steps_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE invitations
    ADD CONSTRAINT invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE item_redirects
    ADD CONSTRAINT item_redirects_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE item_redirects
    ADD CONSTRAINT item_redirects_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE items
    ADD CONSTRAINT items_id_draft_revision_id_fkey FOREIGN KEY (id, draft_revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE items
    ADD CONSTRAINT items_id_live_revision_id_fkey FOREIGN KEY (id, live_revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE items
    ADD CONSTRAINT items_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES items(id);

ALTER TABLE items
    ADD CONSTRAINT items_practice_of_fkey FOREIGN KEY (practice_of) REFERENCES admin_users(id);

ALTER TABLE list_filters
    ADD CONSTRAINT list_filters_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE media
    ADD CONSTRAINT media_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE media
    ADD CONSTRAINT media_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE media
    ADD CONSTRAINT media_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE message_templates
    ADD CONSTRAINT message_templates_business_account_id_fkey FOREIGN KEY (business_account_id) REFERENCES business_accounts(id) ON DELETE CASCADE;

ALTER TABLE message_templates
    ADD CONSTRAINT message_templates_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE message_templates
    ADD CONSTRAINT message_templates_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE messaging_identities
    ADD CONSTRAINT messaging_identities_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE mock_callbacks
    ADD CONSTRAINT mock_callbacks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE notification_attempts
    ADD CONSTRAINT notification_attempts_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE;

ALTER TABLE number_notices
    ADD CONSTRAINT number_notices_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE orders
    ADD CONSTRAINT orders_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE organisation_users
    ADD CONSTRAINT organisation_users_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE otp_challenges
    ADD CONSTRAINT otp_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES organisation_users(id) ON DELETE CASCADE;

ALTER TABLE payment_transactions
    ADD CONSTRAINT payment_transactions_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(message_id) ON DELETE CASCADE;

ALTER TABLE phone_numbers
    ADD CONSTRAINT phone_numbers_business_account_id_fkey FOREIGN KEY (business_account_id) REFERENCES business_accounts(id) ON DELETE CASCADE;

ALTER TABLE phone_numbers
    ADD CONSTRAINT phone_numbers_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE phone_numbers
    ADD CONSTRAINT phone_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE presences
    ADD CONSTRAINT presences_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE preview_links
    ADD CONSTRAINT preview_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE preview_links
    ADD CONSTRAINT preview_links_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE preview_links
    ADD CONSTRAINT preview_links_item_id_revision_id_fkey FOREIGN KEY (item_id, revision_id) REFERENCES revisions(item_id, id) ON DELETE CASCADE;

ALTER TABLE product_editors
    ADD CONSTRAINT product_editors_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE product_editors
    ADD CONSTRAINT product_editors_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE products
    ADD CONSTRAINT products_catalogue_id_fkey FOREIGN KEY (catalogue_id) REFERENCES catalogues(id) ON DELETE CASCADE;

ALTER TABLE products
    ADD CONSTRAINT products_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE profile_pictures
    ADD CONSTRAINT profile_pictures_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE qr_codes
    ADD CONSTRAINT qr_codes_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE rcs_bots
    ADD CONSTRAINT rcs_bots_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE rcs_devices
    ADD CONSTRAINT rcs_devices_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES rcs_bots(id) ON DELETE CASCADE;

ALTER TABLE rcs_images
    ADD CONSTRAINT rcs_images_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES rcs_bots(id) ON DELETE CASCADE;

ALTER TABLE rcs_templates
    ADD CONSTRAINT rcs_templates_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES rcs_bots(id) ON DELETE CASCADE;

ALTER TABLE refused_calls
    ADD CONSTRAINT refused_calls_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE registry
    ADD CONSTRAINT registry_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE release_items
    ADD CONSTRAINT release_items_item_id_revision_id_fkey FOREIGN KEY (item_id, revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE release_items
    ADD CONSTRAINT release_items_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

ALTER TABLE releases
    ADD CONSTRAINT releases_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id);

ALTER TABLE releases
    ADD CONSTRAINT releases_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id);

ALTER TABLE releases
    ADD CONSTRAINT releases_published_by_fkey FOREIGN KEY (published_by) REFERENCES admin_users(id);

ALTER TABLE releases
    ADD CONSTRAINT releases_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id);

ALTER TABLE replays
    ADD CONSTRAINT replays_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

ALTER TABLE retention_marks
    ADD CONSTRAINT retention_marks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE review_comments
    ADD CONSTRAINT review_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id);

ALTER TABLE review_comments
    ADD CONSTRAINT review_comments_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES review_threads(id) ON DELETE CASCADE;

ALTER TABLE review_notices
    ADD CONSTRAINT review_notices_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE review_notices
    ADD CONSTRAINT review_notices_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE review_threads
    ADD CONSTRAINT review_threads_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE review_threads
    ADD CONSTRAINT review_threads_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE review_threads
    ADD CONSTRAINT review_threads_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES admin_users(id);

ALTER TABLE review_threads
    ADD CONSTRAINT review_threads_version_id_fkey FOREIGN KEY (version_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE reviews
    ADD CONSTRAINT reviews_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE reviews
    ADD CONSTRAINT reviews_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES admin_users(id);

ALTER TABLE revisions
    ADD CONSTRAINT revisions_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id);

ALTER TABLE revisions
    ADD CONSTRAINT revisions_base_id_fkey FOREIGN KEY (base_id) REFERENCES revisions(id);

ALTER TABLE revisions
    ADD CONSTRAINT revisions_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE revisions
    ADD CONSTRAINT revisions_restored_from_id_fkey FOREIGN KEY (restored_from_id) REFERENCES revisions(id);

ALTER TABLE sdk_builds
    ADD CONSTRAINT sdk_builds_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

ALTER TABLE search_names
    ADD CONSTRAINT search_names_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE search_rows
    ADD CONSTRAINT search_rows_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE search_rows
    ADD CONSTRAINT search_rows_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE search_words
    ADD CONSTRAINT search_words_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE sessions
    ADD CONSTRAINT sessions_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE sessions
    ADD CONSTRAINT sessions_organisation_user_id_fkey FOREIGN KEY (organisation_user_id) REFERENCES organisation_users(id) ON DELETE CASCADE;

ALTER TABLE sms_accounts
    ADD CONSTRAINT sms_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE sms_headers
    ADD CONSTRAINT sms_headers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES sms_accounts(organisation_id) ON DELETE CASCADE;

ALTER TABLE sms_numbers
    ADD CONSTRAINT sms_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE sms_otp_blocks
    ADD CONSTRAINT sms_otp_blocks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE sms_otps
    ADD CONSTRAINT sms_otps_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE sms_templates
    ADD CONSTRAINT sms_templates_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES sms_accounts(organisation_id) ON DELETE CASCADE;

ALTER TABLE theme_drafts
    ADD CONSTRAINT theme_drafts_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE theme_revisions
    ADD CONSTRAINT theme_revisions_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE tutor_progress
    ADD CONSTRAINT tutor_progress_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE tutor_progress
    ADD CONSTRAINT tutor_progress_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES items(id) ON DELETE SET NULL;

ALTER TABLE tutor_progress
    ADD CONSTRAINT tutor_progress_guide_id_fkey FOREIGN KEY (guide_id) REFERENCES items(id) ON DELETE SET NULL;

ALTER TABLE upload_parts
    ADD CONSTRAINT upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE;

ALTER TABLE uploaded_bytes
    ADD CONSTRAINT uploaded_bytes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE uploads
    ADD CONSTRAINT uploads_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE upstream_assets
    ADD CONSTRAINT upstream_assets_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE upstream_templates
    ADD CONSTRAINT upstream_templates_template_id_fkey FOREIGN KEY (template_id) REFERENCES message_templates(id) ON DELETE CASCADE;

ALTER TABLE user_links
    ADD CONSTRAINT user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES organisation_users(id) ON DELETE CASCADE;

ALTER TABLE webhook_range_ids
    ADD CONSTRAINT webhook_range_ids_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES webhook_ranges(organisation_id) ON DELETE CASCADE;

ALTER TABLE webhook_range_requests
    ADD CONSTRAINT webhook_range_requests_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES webhook_ranges(organisation_id) ON DELETE CASCADE;

ALTER TABLE webhook_ranges
    ADD CONSTRAINT webhook_ranges_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE webhooks
    ADD CONSTRAINT webhooks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

insert into goose_db_version (version_id, is_applied) values (0, true), (351, true), (360, true), (361, true), (362, true), (370, true), (380, true), (390, true), (395, true), (405, true), (410, true), (420, true), (425, true), (435, true), (445, true), (475, true), (476, true), (500, true), (510, true), (520, true), (521, true), (522, true), (530, true), (545, true), (560, true), (561, true), (570, true), (595, true), (600, true), (601, true), (602, true);
