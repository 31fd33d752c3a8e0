-- Enquiries of visitors, how they are worked, and how people and programs were
-- notified of them.
-- +goose Up
alter table settings drop constraint settings_name_check;
alter table settings add constraint settings_name_check check (name ~ '^[a-z_]{1,40}$');

create table contact_enquiries (
    id              uuid        primary key,
    reference       text        not null unique check (char_length(reference) between 1 and 20),
    status          text        not null default 'new'
                    check (status in ('unconfirmed', 'new', 'contacted', 'qualified', 'won', 'lost', 'spam')),
    organisation    text        not null check (char_length(organisation) between 1 and 200),
    website         text        not null default '' check (char_length(website) <= 300),
    name            text        not null check (char_length(name) between 1 and 200),
    email           text        not null check (char_length(email) between 3 and 254),
    phones          text[]      not null default '{}',
    gst_number      text        not null default '' check (gst_number ~ '^([0-9A-Z]{15})?$'),
    message         text        not null check (char_length(message) between 1 and 5000),
    page            text        not null default '' check (char_length(page) <= 500),
    consent_version text        not null,
    consented_at    timestamptz not null default now(),
    assignee_id     bigint      references admin_users on delete set null,
    client_hash     bytea,                       -- of the address, keyed for its day; null when it is no longer kept
    fingerprint     bytea       not null,        -- of what makes two submissions the same
    repeats         integer     not null default 0,
    repeated_at     timestamptz,
    created_at      timestamptz not null default now(),
    updated_at      timestamptz not null default now()
);
-- The list by status and by time, and the age of the oldest open enquiry.
create index contact_enquiries_status on contact_enquiries (status, id);
-- Repeated submissions.
create index contact_enquiries_fingerprint on contact_enquiries (fingerprint, created_at);
-- Erasing a person.
create index contact_enquiries_email on contact_enquiries (email);

create table contact_events (
    id         bigint      generated always as identity primary key,
    enquiry_id uuid        not null references contact_enquiries on delete cascade,
    actor      text        not null,
    kind       text        not null check (kind in ('received', 'repeated', 'confirmed', 'status', 'assigned', 'note', 'retried')),
    before     text        not null default '',
    after      text        not null default '' check (char_length(after) <= 5000),
    created_at timestamptz not null default now()
);
create index on contact_events (enquiry_id, id);

create table contact_deliveries (
    enquiry_id      uuid        not null references contact_enquiries on delete cascade,
    kind            text        not null check (kind in ('email', 'webhook')),
    -- waiting: nobody is set up to receive it. pending: on its way.
    state           text        not null check (state in ('waiting', 'pending', 'delivered', 'failed')),
    notification_id uuid,                        -- of an email
    attempts        integer     not null default 0, -- at the webhook
    queued_at       timestamptz not null default now(),
    problem         text        not null default '',
    finished_at     timestamptz,
    primary key (enquiry_id, kind)
);
-- What is settled every minute.
create index contact_deliveries_open on contact_deliveries (state, kind) where state in ('waiting', 'pending');
-- The concern about failed deliveries, and the filter.
create index contact_deliveries_failed on contact_deliveries (enquiry_id) where state = 'failed';

create table contact_attempts (
    enquiry_id uuid        not null references contact_enquiries on delete cascade,
    number     integer     not null,
    started_at timestamptz not null,
    latency_ms integer     not null,
    status     integer     not null,             -- of the response; 0 without one
    problem    text        not null default '',
    response   text        not null default '',
    primary key (enquiry_id, number)
);

-- Forms that were sent, so that each is sent once. Deleted when the form is too
-- old to be sent.
create table contact_stamps (
    nonce      bytea       primary key,
    expires_at timestamptz not null
);
create index on contact_stamps (expires_at);
