-- The schema of version 351, the oldest that is migrated.
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

CREATE TABLE audit_checks (
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    broken_seq bigint,
    reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT audit_checks_check CHECK (((broken_seq IS NULL) = (reason = ''::text))),
    CONSTRAINT audit_checks_hash_check CHECK ((octet_length(hash) = 32))
);

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

CREATE TABLE audit_head (
    singleton boolean DEFAULT true NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_head_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_head_singleton_check CHECK (singleton)
);

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

CREATE TABLE carrier_ids (
    carrier text NOT NULL,
    provider_id text NOT NULL,
    message_id uuid NOT NULL,
    leg smallint NOT NULL,
    part smallint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT carrier_ids_provider_id_check CHECK (((char_length(provider_id) >= 1) AND (char_length(provider_id) <= 200)))
);

CREATE TABLE carrier_minutes (
    carrier text NOT NULL,
    minute timestamp with time zone NOT NULL,
    taken integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    delayed integer DEFAULT 0 NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    CONSTRAINT carrier_minutes_error_check CHECK ((char_length(error) <= 500))
);

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
    CONSTRAINT carriers_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 40))),
    CONSTRAINT carriers_name_check CHECK (((name ~ '^[a-z0-9][a-z0-9_-]{0,39}$'::text) AND (name <> 'virtual'::text))),
    CONSTRAINT carriers_url_check CHECK ((char_length(url) <= 2048))
);

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

CREATE TABLE contact_attempts (
    enquiry_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    latency_ms integer NOT NULL,
    status integer NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    response text DEFAULT ''::text NOT NULL
);

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

CREATE TABLE conversations (
    phone_number_id bigint NOT NULL,
    contact text NOT NULL,
    last_inbound_at timestamp with time zone NOT NULL,
    CONSTRAINT conversations_contact_check CHECK ((contact ~ '^[1-9][0-9]{4,14}$'::text))
);

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

CREATE TABLE delivery_marks (
    at timestamp with time zone NOT NULL,
    number bigint NOT NULL
);

CREATE TABLE discarded_objects (
    object text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT discarded_objects_object_check CHECK ((object ~ '^(media|uploads|builds)/[a-z0-9][a-z0-9-]{0,63}$'::text))
);

CREATE TABLE encryption_keys (
    phone_number_id bigint NOT NULL,
    public_key text NOT NULL,
    private_key bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT encryption_keys_public_key_check CHECK (((char_length(public_key) >= 1) AND (char_length(public_key) <= 8192)))
);

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

CREATE TABLE fetched_links (
    organisation_id bigint NOT NULL,
    link bytea NOT NULL,
    sha256 text,
    problem text DEFAULT ''::text NOT NULL,
    fetched_at timestamp with time zone,
    claimed_until timestamp with time zone NOT NULL,
    CONSTRAINT fetched_links_link_check CHECK ((octet_length(link) = 32))
);

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
    CONSTRAINT inbound_messages_channel_check CHECK ((channel = ANY (ARRAY['messaging'::text, 'sms'::text, 'rcs'::text]))),
    CONSTRAINT inbound_messages_contact_check CHECK ((contact ~ '^[1-9][0-9]{4,14}$'::text)),
    CONSTRAINT inbound_messages_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 40))),
    CONSTRAINT inbound_messages_recipient_check CHECK ((char_length(recipient) <= 64))
)
PARTITION BY RANGE (id);

CREATE TABLE inbox_reads (
    notification_id uuid NOT NULL,
    actor text NOT NULL,
    CONSTRAINT inbox_reads_actor_check CHECK ((char_length(actor) <= 200))
);

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
    CONSTRAINT messages_recipient_check CHECK (((char_length(recipient) >= 1) AND (char_length(recipient) <= 32))),
    CONSTRAINT messages_reference_check CHECK ((char_length(reference) <= 512)),
    CONSTRAINT messages_request_id_check CHECK ((char_length(request_id) <= 64)),
    CONSTRAINT messages_sender_check CHECK (((char_length(sender) >= 1) AND (char_length(sender) <= 64))),
    CONSTRAINT messages_subject_check CHECK ((char_length(subject) <= 64)),
    CONSTRAINT messages_traceparent_check CHECK ((char_length(traceparent) <= 55))
)
PARTITION BY RANGE (id);

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
    CONSTRAINT orders_recipient_check CHECK (((char_length(recipient) >= 1) AND (char_length(recipient) <= 32))),
    CONSTRAINT orders_reference_id_check CHECK ((reference_id ~ '^[A-Za-z0-9_.-]{1,35}$'::text)),
    CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'partially_shipped'::text, 'shipped'::text, 'completed'::text, 'canceled'::text])))
);

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

CREATE UNLOGGED TABLE presences (
    place text NOT NULL,
    admin_user_id bigint NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT presences_place_check CHECK ((char_length(place) <= 40))
);

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

CREATE TABLE profile_pictures (
    phone_number_id bigint NOT NULL,
    name text NOT NULL,
    object text NOT NULL,
    size integer NOT NULL,
    CONSTRAINT profile_pictures_name_check CHECK ((name ~ '^[A-Za-z0-9_-]{22}$'::text)),
    CONSTRAINT profile_pictures_size_check CHECK (((size >= 1) AND (size <= 5242880)))
);

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

CREATE TABLE rcs_message_ids (
    bot_id text NOT NULL,
    message_id text NOT NULL,
    fingerprint bytea NOT NULL,
    id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rcs_message_ids_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT rcs_message_ids_message_id_check CHECK (((char_length(message_id) >= 1) AND (char_length(message_id) <= 64)))
);

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

CREATE TABLE retention_marks (
    organisation_id bigint NOT NULL,
    bodies_until timestamp with time zone NOT NULL
);

CREATE TABLE review_comments (
    id bigint NOT NULL,
    thread_id bigint NOT NULL,
    author_id bigint NOT NULL,
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
    reviewer_id bigint NOT NULL,
    verdict text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    content_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT reviews_check CHECK (((verdict = 'approved'::text) OR (reason <> ''::text))),
    CONSTRAINT reviews_content_hash_check CHECK ((octet_length(content_hash) = 32)),
    CONSTRAINT reviews_verdict_check CHECK ((verdict = ANY (ARRAY['comment'::text, 'changes_requested'::text, 'approved'::text, 'rejected'::text])))
);

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

ALTER TABLE revisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME revisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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
    form smallint DEFAULT 0 NOT NULL
);

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
    CONSTRAINT search_rows_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'version'::text, 'category'::text, 'endpoint'::text, 'schema'::text, 'field'::text, 'example'::text, 'error'::text, 'guide'::text]))),
    CONSTRAINT search_rows_weight_check CHECK ((weight > (0)::double precision))
);

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

CREATE TABLE searches (
    day date DEFAULT CURRENT_DATE NOT NULL,
    length integer NOT NULL,
    results integer NOT NULL,
    CONSTRAINT searches_length_check CHECK ((length > 0)),
    CONSTRAINT searches_results_check CHECK ((results >= 0))
);

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

CREATE TABLE setting_secrets (
    name text NOT NULL,
    sealed bytea NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT setting_secrets_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);

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

CREATE TABLE sms_headers (
    organisation_id bigint NOT NULL,
    header text NOT NULL,
    kind text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_headers_header_check CHECK (((char_length(header) >= 1) AND (char_length(header) <= 15))),
    CONSTRAINT sms_headers_kind_check CHECK ((kind = ANY (ARRAY['transactional'::text, 'promotional'::text, 'international'::text])))
);

CREATE TABLE sms_numbers (
    number text NOT NULL,
    organisation_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_numbers_number_check CHECK ((number ~ '^[0-9]{3,15}$'::text))
);

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

CREATE TABLE sms_references (
    organisation_id bigint NOT NULL,
    reference text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sms_references_reference_check CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 50)))
);

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
    CONSTRAINT suppressions_recipient_check CHECK ((recipient ~ '^[0-9]{5,20}$'::text))
);

CREATE TABLE unsettled_messages (
    message_id uuid NOT NULL
);

CREATE TABLE upload_parts (
    upload_id uuid NOT NULL,
    start bigint NOT NULL,
    object text NOT NULL,
    CONSTRAINT upload_parts_start_check CHECK ((start >= 0))
);

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

CREATE TABLE usage_clock (
    one boolean DEFAULT true NOT NULL,
    counted_until timestamp with time zone NOT NULL,
    CONSTRAINT usage_clock_one_check CHECK (one)
);

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

CREATE TABLE user_links (
    hash bytea NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    CONSTRAINT user_links_check CHECK ((expires_at > created_at)),
    CONSTRAINT user_links_hash_check CHECK ((octet_length(hash) = 32))
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

ALTER TABLE webhooks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME webhooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY accepted_changes
    ADD CONSTRAINT accepted_changes_pkey PRIMARY KEY (version_id, fingerprint);

ALTER TABLE ONLY admin_links
    ADD CONSTRAINT admin_links_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY admin_users
    ADD CONSTRAINT admin_users_email_key UNIQUE (email);

ALTER TABLE ONLY admin_users
    ADD CONSTRAINT admin_users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_anchors
    ADD CONSTRAINT audit_anchors_pkey PRIMARY KEY (at);

ALTER TABLE ONLY audit_checks
    ADD CONSTRAINT audit_checks_pkey PRIMARY KEY (at);

ALTER TABLE ONLY audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY audit_waiting
    ADD CONSTRAINT audit_waiting_pkey PRIMARY KEY (id);

ALTER TABLE ONLY business_account_clients
    ADD CONSTRAINT business_account_clients_pkey PRIMARY KEY (business_id, business_account_id);

ALTER TABLE ONLY business_accounts
    ADD CONSTRAINT business_accounts_message_template_namespace_key UNIQUE (message_template_namespace);

ALTER TABLE ONLY business_accounts
    ADD CONSTRAINT business_accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY business_profiles
    ADD CONSTRAINT business_profiles_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE ONLY businesses
    ADD CONSTRAINT businesses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY carriages
    ADD CONSTRAINT carriages_pkey PRIMARY KEY (message_id, leg, part);

ALTER TABLE ONLY carrier_ids
    ADD CONSTRAINT carrier_ids_pkey PRIMARY KEY (carrier, provider_id);

ALTER TABLE ONLY carrier_minutes
    ADD CONSTRAINT carrier_minutes_pkey PRIMARY KEY (carrier, minute);

ALTER TABLE ONLY carrier_routes
    ADD CONSTRAINT carrier_routes_channel_sender_organisation_id_key UNIQUE (channel, sender, organisation_id);

ALTER TABLE ONLY carrier_routes
    ADD CONSTRAINT carrier_routes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY carriers
    ADD CONSTRAINT carriers_name_key UNIQUE (name);

ALTER TABLE ONLY carriers
    ADD CONSTRAINT carriers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalogue_batches
    ADD CONSTRAINT catalogue_batches_pkey PRIMARY KEY (handle);

ALTER TABLE ONLY catalogues
    ADD CONSTRAINT catalogues_pkey PRIMARY KEY (id);

ALTER TABLE ONLY change_set_items
    ADD CONSTRAINT change_set_items_pkey PRIMARY KEY (change_set_id, item_id);

ALTER TABLE ONLY change_sets
    ADD CONSTRAINT change_sets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY check_policies
    ADD CONSTRAINT check_policies_pkey PRIMARY KEY (product_id, check_name);

ALTER TABLE ONLY check_results
    ADD CONSTRAINT check_results_pkey PRIMARY KEY (change_set_id, item_id);

ALTER TABLE ONLY contact_attempts
    ADD CONSTRAINT contact_attempts_pkey PRIMARY KEY (enquiry_id, number);

ALTER TABLE ONLY contact_deliveries
    ADD CONSTRAINT contact_deliveries_pkey PRIMARY KEY (enquiry_id, kind);

ALTER TABLE ONLY contact_enquiries
    ADD CONSTRAINT contact_enquiries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY contact_enquiries
    ADD CONSTRAINT contact_enquiries_reference_key UNIQUE (reference);

ALTER TABLE ONLY contact_events
    ADD CONSTRAINT contact_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY contact_stamps
    ADD CONSTRAINT contact_stamps_pkey PRIMARY KEY (nonce);

ALTER TABLE ONLY conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (phone_number_id, contact);

ALTER TABLE ONLY deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE ONLY delivery_marks
    ADD CONSTRAINT delivery_marks_pkey PRIMARY KEY (at);

ALTER TABLE ONLY discarded_objects
    ADD CONSTRAINT discarded_objects_pkey PRIMARY KEY (object);

ALTER TABLE ONLY encryption_keys
    ADD CONSTRAINT encryption_keys_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE ONLY feedback
    ADD CONSTRAINT feedback_page_reader_key UNIQUE (page, reader);

ALTER TABLE ONLY feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (id);

ALTER TABLE ONLY fetched_files
    ADD CONSTRAINT fetched_files_object_key UNIQUE (object);

ALTER TABLE ONLY fetched_files
    ADD CONSTRAINT fetched_files_pkey PRIMARY KEY (organisation_id, sha256);

ALTER TABLE ONLY fetched_links
    ADD CONSTRAINT fetched_links_pkey PRIMARY KEY (organisation_id, link);

ALTER TABLE ONLY goose_db_version
    ADD CONSTRAINT goose_db_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organisation_id, key);

ALTER TABLE ONLY inbound_messages
    ADD CONSTRAINT inbound_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY inbox_reads
    ADD CONSTRAINT inbox_reads_pkey PRIMARY KEY (notification_id, actor);

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_organisation_id_email_key UNIQUE (organisation_id, email);

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY item_redirects
    ADD CONSTRAINT item_redirects_pkey PRIMARY KEY (id);

ALTER TABLE ONLY items
    ADD CONSTRAINT items_pkey PRIMARY KEY (id);

ALTER TABLE ONLY key_checks
    ADD CONSTRAINT key_checks_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY leg_events
    ADD CONSTRAINT leg_events_pkey PRIMARY KEY (message_id, leg, state);

ALTER TABLE ONLY list_filters
    ADD CONSTRAINT list_filters_admin_user_id_list_name_key UNIQUE (admin_user_id, list, name);

ALTER TABLE ONLY list_filters
    ADD CONSTRAINT list_filters_pkey PRIMARY KEY (id);

ALTER TABLE ONLY media
    ADD CONSTRAINT media_object_key UNIQUE (object);

ALTER TABLE ONLY media
    ADD CONSTRAINT media_pkey PRIMARY KEY (id);

ALTER TABLE ONLY message_events
    ADD CONSTRAINT message_events_pkey PRIMARY KEY (message_id, state);

ALTER TABLE ONLY message_templates
    ADD CONSTRAINT message_templates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY notification_attempts
    ADD CONSTRAINT notification_attempts_pkey PRIMARY KEY (notification_id, number);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY number_notices
    ADD CONSTRAINT number_notices_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_phone_number_id_payment_configuration_reference_id_key UNIQUE (phone_number_id, payment_configuration, reference_id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (message_id);

ALTER TABLE ONLY organisation_users
    ADD CONSTRAINT organisation_users_email_key UNIQUE (email);

ALTER TABLE ONLY organisation_users
    ADD CONSTRAINT organisation_users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY otp_blocks
    ADD CONSTRAINT otp_blocks_pkey PRIMARY KEY (prefix);

ALTER TABLE ONLY otp_challenges
    ADD CONSTRAINT otp_challenges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY payment_transactions
    ADD CONSTRAINT payment_transactions_id_key UNIQUE (id);

ALTER TABLE ONLY payment_transactions
    ADD CONSTRAINT payment_transactions_pkey PRIMARY KEY (order_id, number);

ALTER TABLE ONLY phone_numbers
    ADD CONSTRAINT phone_numbers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY presences
    ADD CONSTRAINT presences_pkey PRIMARY KEY (place, admin_user_id);

ALTER TABLE ONLY preview_links
    ADD CONSTRAINT preview_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY preview_links
    ADD CONSTRAINT preview_links_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY product_editors
    ADD CONSTRAINT product_editors_pkey PRIMARY KEY (admin_user_id, product_id);

ALTER TABLE ONLY products
    ADD CONSTRAINT products_catalogue_id_retailer_id_key UNIQUE (catalogue_id, retailer_id);

ALTER TABLE ONLY products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);

ALTER TABLE ONLY profile_pictures
    ADD CONSTRAINT profile_pictures_name_key UNIQUE (name);

ALTER TABLE ONLY profile_pictures
    ADD CONSTRAINT profile_pictures_object_key UNIQUE (object);

ALTER TABLE ONLY profile_pictures
    ADD CONSTRAINT profile_pictures_pkey PRIMARY KEY (phone_number_id);

ALTER TABLE ONLY qr_codes
    ADD CONSTRAINT qr_codes_pkey PRIMARY KEY (code);

ALTER TABLE ONLY rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY rcs_bots
    ADD CONSTRAINT rcs_bots_client_id_key UNIQUE (client_id);

ALTER TABLE ONLY rcs_bots
    ADD CONSTRAINT rcs_bots_organisation_id_name_key UNIQUE (organisation_id, name);

ALTER TABLE ONLY rcs_bots
    ADD CONSTRAINT rcs_bots_pkey PRIMARY KEY (id);

ALTER TABLE ONLY rcs_carrier_events
    ADD CONSTRAINT rcs_carrier_events_pkey PRIMARY KEY (carrier, event_id);

ALTER TABLE ONLY rcs_devices
    ADD CONSTRAINT rcs_devices_pkey PRIMARY KEY (bot_id, number);

ALTER TABLE ONLY rcs_images
    ADD CONSTRAINT rcs_images_pkey PRIMARY KEY (bot_id, name);

ALTER TABLE ONLY rcs_message_ids
    ADD CONSTRAINT rcs_message_ids_pkey PRIMARY KEY (bot_id, message_id);

ALTER TABLE ONLY rcs_templates
    ADD CONSTRAINT rcs_templates_bot_id_name_key UNIQUE (bot_id, name);

ALTER TABLE ONLY rcs_templates
    ADD CONSTRAINT rcs_templates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY registry
    ADD CONSTRAINT registry_id_kind_key UNIQUE (id, kind);

ALTER TABLE ONLY registry
    ADD CONSTRAINT registry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY release_items
    ADD CONSTRAINT release_items_pkey PRIMARY KEY (release_id, item_id);

ALTER TABLE ONLY releases
    ADD CONSTRAINT releases_pkey PRIMARY KEY (id);

ALTER TABLE ONLY releases
    ADD CONSTRAINT releases_scope_id_number_key UNIQUE (scope_id, number);

ALTER TABLE ONLY replays
    ADD CONSTRAINT replays_pkey PRIMARY KEY (id);

ALTER TABLE ONLY retention_marks
    ADD CONSTRAINT retention_marks_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY review_comments
    ADD CONSTRAINT review_comments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY review_notices
    ADD CONSTRAINT review_notices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY review_threads
    ADD CONSTRAINT review_threads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (id);

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_item_id_id_key UNIQUE (item_id, id);

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_item_id_number_key UNIQUE (item_id, number);

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY search_rows
    ADD CONSTRAINT search_rows_pkey PRIMARY KEY (id);

ALTER TABLE ONLY search_synonyms
    ADD CONSTRAINT search_synonyms_pkey PRIMARY KEY (id);

ALTER TABLE ONLY search_synonyms
    ADD CONSTRAINT search_synonyms_term_means_key UNIQUE (term, means);

ALTER TABLE ONLY search_words
    ADD CONSTRAINT search_words_pkey PRIMARY KEY (word, scope_id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id_hash);

ALTER TABLE ONLY setting_secrets
    ADD CONSTRAINT setting_secrets_pkey PRIMARY KEY (name);

ALTER TABLE ONLY settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY settle_mark
    ADD CONSTRAINT settle_mark_pkey PRIMARY KEY (one);

ALTER TABLE ONLY sms_accounts
    ADD CONSTRAINT sms_accounts_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY sms_budgets
    ADD CONSTRAINT sms_budgets_pkey PRIMARY KEY (day);

ALTER TABLE ONLY sms_headers
    ADD CONSTRAINT sms_headers_pkey PRIMARY KEY (organisation_id, header);

ALTER TABLE ONLY sms_numbers
    ADD CONSTRAINT sms_numbers_pkey PRIMARY KEY (number);

ALTER TABLE ONLY sms_otp_blocks
    ADD CONSTRAINT sms_otp_blocks_pkey PRIMARY KEY (organisation_id, prefix);

ALTER TABLE ONLY sms_otps
    ADD CONSTRAINT sms_otps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sms_references
    ADD CONSTRAINT sms_references_pkey PRIMARY KEY (organisation_id, reference);

ALTER TABLE ONLY sms_templates
    ADD CONSTRAINT sms_templates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY suppressions
    ADD CONSTRAINT suppressions_pkey PRIMARY KEY (organisation_id, recipient, channel);

ALTER TABLE ONLY unsettled_messages
    ADD CONSTRAINT unsettled_messages_pkey PRIMARY KEY (message_id);

ALTER TABLE ONLY upload_parts
    ADD CONSTRAINT upload_parts_object_key UNIQUE (object);

ALTER TABLE ONLY upload_parts
    ADD CONSTRAINT upload_parts_pkey PRIMARY KEY (upload_id, start);

ALTER TABLE ONLY uploaded_bytes
    ADD CONSTRAINT uploaded_bytes_pkey PRIMARY KEY (organisation_id, day);

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_object_key UNIQUE (object);

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY usage_clock
    ADD CONSTRAINT usage_clock_pkey PRIMARY KEY (one);

ALTER TABLE ONLY usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (organisation_id, day, channel);

ALTER TABLE ONLY user_links
    ADD CONSTRAINT user_links_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_channel_subject_key UNIQUE (channel, subject);

ALTER TABLE ONLY webhooks
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

CREATE INDEX carrier_ids_created_at_idx ON carrier_ids USING btree (created_at);

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

CREATE INDEX deliveries_failed ON ONLY deliveries USING btree (organisation_id, created_at DESC, id DESC) WHERE (state = 'failed'::text);

CREATE INDEX deliveries_message_id_idx ON ONLY deliveries USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX deliveries_organisation_id_created_at_id_idx ON ONLY deliveries USING btree (organisation_id, created_at DESC, id DESC);

CREATE INDEX deliveries_replayed ON ONLY deliveries USING btree (replay_id) WHERE (replay_id IS NOT NULL);

CREATE INDEX deliveries_waiting ON ONLY deliveries USING btree (webhook_id, next_attempt_at, id) WHERE (state = 'pending'::text);

CREATE INDEX deliveries_webhook_id_created_at_idx ON ONLY deliveries USING btree (webhook_id, created_at DESC);

CREATE INDEX discarded_objects_due_at_idx ON discarded_objects USING btree (due_at);

CREATE INDEX feedback_created_at ON feedback USING btree (created_at);

CREATE INDEX fetched_files_expires_at_idx ON fetched_files USING btree (expires_at);

CREATE INDEX fetched_links_claimed_until_idx ON fetched_links USING btree (claimed_until) WHERE (sha256 IS NULL);

CREATE INDEX fetched_links_organisation_id_sha256_idx ON fetched_links USING btree (organisation_id, sha256);

CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);

CREATE INDEX inbound_messages_contact ON ONLY inbound_messages USING btree (contact);

CREATE INDEX inbound_messages_organisation_id_id_idx ON ONLY inbound_messages USING btree (organisation_id, id DESC);

CREATE INDEX inbound_messages_phone_number_id_contact_id_idx ON ONLY inbound_messages USING btree (phone_number_id, contact, id DESC);

CREATE INDEX invitations_expires_at_idx ON invitations USING btree (expires_at);

CREATE UNIQUE INDEX item_redirects_address ON item_redirects USING btree (parent_id, address_space(kind), slug) NULLS NOT DISTINCT;

CREATE INDEX item_redirects_item_id_idx ON item_redirects USING btree (item_id);

CREATE UNIQUE INDEX items_address ON items USING btree (parent_id, address_space(kind), slug) NULLS NOT DISTINCT;

CREATE INDEX media_expires_at_idx ON media USING btree (expires_at);

CREATE INDEX media_organisation_id_idx ON media USING btree (organisation_id);

CREATE INDEX media_phone_number_id_idx ON media USING btree (phone_number_id);

CREATE INDEX message_events_failed ON ONLY message_events USING btree (organisation_id, message_id DESC) WHERE (state = ANY (ARRAY['failed'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text]));

CREATE INDEX message_templates_blocked ON message_templates USING btree (business_account_id, name) WHERE (name_blocked_until IS NOT NULL);

CREATE INDEX message_templates_due ON message_templates USING btree (status) WHERE (status = ANY (ARRAY['PAUSED'::text, 'PENDING_DELETION'::text]));

CREATE UNIQUE INDEX message_templates_list ON message_templates USING btree (business_account_id, seq DESC);

CREATE UNIQUE INDEX message_templates_name ON message_templates USING btree (business_account_id, name, language) WHERE (status <> 'DELETED'::text);

CREATE INDEX message_templates_organisation_id_idx ON message_templates USING btree (organisation_id);

CREATE INDEX messages_by_recipient ON ONLY messages USING btree (organisation_id, recipient, id DESC);

CREATE INDEX messages_by_time ON ONLY messages USING btree (organisation_id, id DESC);

CREATE INDEX messages_reference ON ONLY messages USING btree (reference, id) WHERE (reference <> ''::text);

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

CREATE INDEX phone_numbers_business_account_id_idx ON phone_numbers USING btree (business_account_id);

CREATE UNIQUE INDEX phone_numbers_number_key ON phone_numbers USING btree (number) WHERE (removed_at IS NULL);

CREATE INDEX phone_numbers_organisation_id_idx ON phone_numbers USING btree (organisation_id);

CREATE INDEX preview_links_created_by_idx ON preview_links USING btree (created_by);

CREATE INDEX preview_links_item_id_revision_id_idx ON preview_links USING btree (item_id, revision_id);

CREATE INDEX product_editors_product_id_idx ON product_editors USING btree (product_id);

CREATE UNIQUE INDEX products_page ON products USING btree (catalogue_id, id);

CREATE UNIQUE INDEX qr_codes_page ON qr_codes USING btree (phone_number_id, "position");

CREATE INDEX rate_limits_tat_idx ON rate_limits USING btree (tat);

CREATE INDEX rcs_bots_created_at_id_idx ON rcs_bots USING btree (created_at DESC, id);

CREATE INDEX rcs_carrier_events_received_at_idx ON rcs_carrier_events USING btree (received_at);

CREATE INDEX rcs_message_ids_created_at_idx ON rcs_message_ids USING btree (created_at);

CREATE INDEX rcs_templates_created_at_id_idx ON rcs_templates USING btree (created_at, id) WHERE (state = 'PENDING'::text);

CREATE INDEX rcs_templates_organisation_id_created_at_id_idx ON rcs_templates USING btree (organisation_id, created_at DESC, id);

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

CREATE INDEX sms_numbers_organisation_id_idx ON sms_numbers USING btree (organisation_id);

CREATE INDEX sms_otps_expires_at_idx ON sms_otps USING btree (expires_at);

CREATE UNIQUE INDEX sms_otps_open ON sms_otps USING btree (organisation_id, phone, lower(header)) WHERE (consumed_at IS NULL);

CREATE INDEX sms_otps_organisation_id_left_sent_at_idx ON sms_otps USING btree (organisation_id, "left"(phone, 7), sent_at);

CREATE INDEX sms_references_created_at_idx ON sms_references USING btree (created_at);

CREATE INDEX sms_templates_organisation_id_id_idx ON sms_templates USING btree (organisation_id, id);

CREATE INDEX suppressions_recipient_idx ON suppressions USING btree (recipient);

CREATE INDEX uploaded_bytes_day_idx ON uploaded_bytes USING btree (day);

CREATE INDEX uploads_expires_at_idx ON uploads USING btree (expires_at);

CREATE INDEX uploads_organisation_id_idx ON uploads USING btree (organisation_id);

CREATE INDEX user_links_expires_at_idx ON user_links USING btree (expires_at);

CREATE INDEX user_links_user_id_idx ON user_links USING btree (user_id);

CREATE INDEX webhooks_organisation_id_idx ON webhooks USING btree (organisation_id);

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF revoked_at, channels ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON carrier_routes FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE ON carriers FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

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

CREATE TRIGGER changed AFTER DELETE ON webhooks FOR EACH STATEMENT EXECUTE FUNCTION notify_changed();

CREATE TRIGGER deleted AFTER DELETE ON deliveries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION deliveries_deleted();

CREATE TRIGGER deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION messages_deleted();

CREATE TRIGGER deleted AFTER DELETE ON webhooks REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION webhooks_deleted();

CREATE TRIGGER discarded AFTER DELETE ON fetched_files FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON media FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON profile_pictures FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON upload_parts FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER discarded AFTER DELETE ON uploads FOR EACH ROW EXECUTE FUNCTION discard_object();

CREATE TRIGGER draft_ended AFTER UPDATE OF draft_revision_id ON items FOR EACH ROW WHEN (((old.draft_revision_id IS NOT NULL) AND (new.draft_revision_id IS NULL))) EXECUTE FUNCTION end_preview_links();

CREATE TRIGGER failed BEFORE INSERT ON message_events FOR EACH ROW WHEN ((new.state = ANY (ARRAY['failed'::text, 'undelivered'::text, 'expired'::text, 'rejected'::text, 'unknown'::text]))) EXECUTE FUNCTION message_failed();

CREATE TRIGGER follows BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION check_audit_entry();

CREATE TRIGGER heads AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION move_audit_head();

CREATE TRIGGER immutable BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER immutable BEFORE UPDATE ON revisions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER owned BEFORE INSERT ON inbound_messages FOR EACH ROW WHEN ((new.organisation_id IS NULL)) EXECUTE FUNCTION inbound_message_owned();

CREATE TRIGGER signal AFTER INSERT OR DELETE OR UPDATE OF updated_at ON webhooks FOR EACH ROW EXECUTE FUNCTION signal_webhook();

CREATE TRIGGER untruncated BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE ONLY accepted_changes
    ADD CONSTRAINT accepted_changes_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES admin_users(id);

ALTER TABLE ONLY accepted_changes
    ADD CONSTRAINT accepted_changes_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id);

ALTER TABLE ONLY accepted_changes
    ADD CONSTRAINT accepted_changes_version_id_fkey FOREIGN KEY (version_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY admin_links
    ADD CONSTRAINT admin_links_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY business_account_clients
    ADD CONSTRAINT business_account_clients_business_account_id_fkey FOREIGN KEY (business_account_id) REFERENCES business_accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY business_account_clients
    ADD CONSTRAINT business_account_clients_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id) ON DELETE CASCADE;

ALTER TABLE ONLY business_accounts
    ADD CONSTRAINT business_accounts_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id) ON DELETE CASCADE;

ALTER TABLE ONLY business_accounts
    ADD CONSTRAINT business_accounts_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY business_accounts
    ADD CONSTRAINT business_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY business_profiles
    ADD CONSTRAINT business_profiles_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY businesses
    ADD CONSTRAINT businesses_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY businesses
    ADD CONSTRAINT businesses_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY carrier_routes
    ADD CONSTRAINT carrier_routes_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carriers(id) ON DELETE CASCADE;

ALTER TABLE ONLY catalogue_batches
    ADD CONSTRAINT catalogue_batches_catalogue_id_fkey FOREIGN KEY (catalogue_id) REFERENCES catalogues(id) ON DELETE CASCADE;

ALTER TABLE ONLY catalogues
    ADD CONSTRAINT catalogues_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id) ON DELETE CASCADE;

ALTER TABLE ONLY catalogues
    ADD CONSTRAINT catalogues_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY catalogues
    ADD CONSTRAINT catalogues_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_set_items
    ADD CONSTRAINT change_set_items_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE ONLY change_set_items
    ADD CONSTRAINT change_set_items_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id);

ALTER TABLE ONLY change_set_items
    ADD CONSTRAINT change_set_items_item_id_revision_id_fkey FOREIGN KEY (item_id, revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE ONLY change_set_items
    ADD CONSTRAINT change_set_items_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES items(id);

ALTER TABLE ONLY change_sets
    ADD CONSTRAINT change_sets_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id);

ALTER TABLE ONLY change_sets
    ADD CONSTRAINT change_sets_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id);

ALTER TABLE ONLY change_sets
    ADD CONSTRAINT change_sets_scheduled_by_fkey FOREIGN KEY (scheduled_by) REFERENCES admin_users(id);

ALTER TABLE ONLY check_policies
    ADD CONSTRAINT check_policies_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY check_results
    ADD CONSTRAINT check_results_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE ONLY check_results
    ADD CONSTRAINT check_results_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY contact_attempts
    ADD CONSTRAINT contact_attempts_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES contact_enquiries(id) ON DELETE CASCADE;

ALTER TABLE ONLY contact_deliveries
    ADD CONSTRAINT contact_deliveries_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES contact_enquiries(id) ON DELETE CASCADE;

ALTER TABLE ONLY contact_enquiries
    ADD CONSTRAINT contact_enquiries_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES admin_users(id) ON DELETE SET NULL;

ALTER TABLE ONLY contact_events
    ADD CONSTRAINT contact_events_enquiry_id_fkey FOREIGN KEY (enquiry_id) REFERENCES contact_enquiries(id) ON DELETE CASCADE;

ALTER TABLE ONLY encryption_keys
    ADD CONSTRAINT encryption_keys_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY fetched_files
    ADD CONSTRAINT fetched_files_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY fetched_links
    ADD CONSTRAINT fetched_links_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY fetched_links
    ADD CONSTRAINT fetched_links_organisation_id_sha256_fkey FOREIGN KEY (organisation_id, sha256) REFERENCES fetched_files(organisation_id, sha256) ON DELETE CASCADE;

ALTER TABLE ONLY inbox_reads
    ADD CONSTRAINT inbox_reads_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE;

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY item_redirects
    ADD CONSTRAINT item_redirects_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY item_redirects
    ADD CONSTRAINT item_redirects_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY items
    ADD CONSTRAINT items_id_draft_revision_id_fkey FOREIGN KEY (id, draft_revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE ONLY items
    ADD CONSTRAINT items_id_live_revision_id_fkey FOREIGN KEY (id, live_revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE ONLY items
    ADD CONSTRAINT items_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES items(id);

ALTER TABLE ONLY list_filters
    ADD CONSTRAINT list_filters_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY media
    ADD CONSTRAINT media_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY media
    ADD CONSTRAINT media_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY media
    ADD CONSTRAINT media_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY message_templates
    ADD CONSTRAINT message_templates_business_account_id_fkey FOREIGN KEY (business_account_id) REFERENCES business_accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY message_templates
    ADD CONSTRAINT message_templates_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY message_templates
    ADD CONSTRAINT message_templates_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY notification_attempts
    ADD CONSTRAINT notification_attempts_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE;

ALTER TABLE ONLY number_notices
    ADD CONSTRAINT number_notices_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY organisation_users
    ADD CONSTRAINT organisation_users_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY otp_challenges
    ADD CONSTRAINT otp_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES organisation_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY payment_transactions
    ADD CONSTRAINT payment_transactions_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(message_id) ON DELETE CASCADE;

ALTER TABLE ONLY phone_numbers
    ADD CONSTRAINT phone_numbers_business_account_id_fkey FOREIGN KEY (business_account_id) REFERENCES business_accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY phone_numbers
    ADD CONSTRAINT phone_numbers_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY phone_numbers
    ADD CONSTRAINT phone_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY presences
    ADD CONSTRAINT presences_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY preview_links
    ADD CONSTRAINT preview_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY preview_links
    ADD CONSTRAINT preview_links_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY preview_links
    ADD CONSTRAINT preview_links_item_id_revision_id_fkey FOREIGN KEY (item_id, revision_id) REFERENCES revisions(item_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY product_editors
    ADD CONSTRAINT product_editors_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY product_editors
    ADD CONSTRAINT product_editors_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY products
    ADD CONSTRAINT products_catalogue_id_fkey FOREIGN KEY (catalogue_id) REFERENCES catalogues(id) ON DELETE CASCADE;

ALTER TABLE ONLY products
    ADD CONSTRAINT products_id_fkey FOREIGN KEY (id) REFERENCES registry(id) ON DELETE CASCADE;

ALTER TABLE ONLY profile_pictures
    ADD CONSTRAINT profile_pictures_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY qr_codes
    ADD CONSTRAINT qr_codes_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(id) ON DELETE CASCADE;

ALTER TABLE ONLY rcs_bots
    ADD CONSTRAINT rcs_bots_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY rcs_devices
    ADD CONSTRAINT rcs_devices_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES rcs_bots(id) ON DELETE CASCADE;

ALTER TABLE ONLY rcs_images
    ADD CONSTRAINT rcs_images_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES rcs_bots(id) ON DELETE CASCADE;

ALTER TABLE ONLY rcs_templates
    ADD CONSTRAINT rcs_templates_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES rcs_bots(id) ON DELETE CASCADE;

ALTER TABLE ONLY registry
    ADD CONSTRAINT registry_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY release_items
    ADD CONSTRAINT release_items_item_id_revision_id_fkey FOREIGN KEY (item_id, revision_id) REFERENCES revisions(item_id, id);

ALTER TABLE ONLY release_items
    ADD CONSTRAINT release_items_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

ALTER TABLE ONLY releases
    ADD CONSTRAINT releases_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id);

ALTER TABLE ONLY releases
    ADD CONSTRAINT releases_product_id_fkey FOREIGN KEY (product_id) REFERENCES items(id);

ALTER TABLE ONLY releases
    ADD CONSTRAINT releases_published_by_fkey FOREIGN KEY (published_by) REFERENCES admin_users(id);

ALTER TABLE ONLY releases
    ADD CONSTRAINT releases_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id);

ALTER TABLE ONLY replays
    ADD CONSTRAINT replays_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE;

ALTER TABLE ONLY retention_marks
    ADD CONSTRAINT retention_marks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY review_comments
    ADD CONSTRAINT review_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id);

ALTER TABLE ONLY review_comments
    ADD CONSTRAINT review_comments_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES review_threads(id) ON DELETE CASCADE;

ALTER TABLE ONLY review_notices
    ADD CONSTRAINT review_notices_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY review_notices
    ADD CONSTRAINT review_notices_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE ONLY review_threads
    ADD CONSTRAINT review_threads_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE ONLY review_threads
    ADD CONSTRAINT review_threads_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY review_threads
    ADD CONSTRAINT review_threads_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES admin_users(id);

ALTER TABLE ONLY review_threads
    ADD CONSTRAINT review_threads_version_id_fkey FOREIGN KEY (version_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY reviews
    ADD CONSTRAINT reviews_change_set_id_fkey FOREIGN KEY (change_set_id) REFERENCES change_sets(id) ON DELETE CASCADE;

ALTER TABLE ONLY reviews
    ADD CONSTRAINT reviews_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES admin_users(id);

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_author_id_fkey FOREIGN KEY (author_id) REFERENCES admin_users(id);

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_base_id_fkey FOREIGN KEY (base_id) REFERENCES revisions(id);

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY revisions
    ADD CONSTRAINT revisions_restored_from_id_fkey FOREIGN KEY (restored_from_id) REFERENCES revisions(id);

ALTER TABLE ONLY search_names
    ADD CONSTRAINT search_names_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY search_rows
    ADD CONSTRAINT search_rows_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY search_rows
    ADD CONSTRAINT search_rows_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY search_words
    ADD CONSTRAINT search_words_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES items(id) ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_organisation_user_id_fkey FOREIGN KEY (organisation_user_id) REFERENCES organisation_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY sms_accounts
    ADD CONSTRAINT sms_accounts_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY sms_headers
    ADD CONSTRAINT sms_headers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES sms_accounts(organisation_id) ON DELETE CASCADE;

ALTER TABLE ONLY sms_numbers
    ADD CONSTRAINT sms_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY sms_otp_blocks
    ADD CONSTRAINT sms_otp_blocks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY sms_otps
    ADD CONSTRAINT sms_otps_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY sms_templates
    ADD CONSTRAINT sms_templates_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES sms_accounts(organisation_id) ON DELETE CASCADE;

ALTER TABLE ONLY upload_parts
    ADD CONSTRAINT upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE;

ALTER TABLE ONLY uploaded_bytes
    ADD CONSTRAINT uploaded_bytes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

ALTER TABLE ONLY user_links
    ADD CONSTRAINT user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES organisation_users(id) ON DELETE CASCADE;

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(id) ON DELETE CASCADE;

insert into goose_db_version (version_id, is_applied) values (0, true), (351, true);
