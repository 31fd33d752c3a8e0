-- Orders that were sent to be paid, and the attempts to pay them.
-- +goose Up
create table orders (
    message_id            uuid primary key references messages on delete cascade, -- the message that opened it
    phone_number_id       bigint      not null references phone_numbers on delete cascade,
    payment_configuration text        not null check (char_length(payment_configuration) between 1 and 60),
    reference_id          text        not null check (reference_id ~ '^[A-Za-z0-9_.-]{1,35}$'),
    recipient             text        not null check (char_length(recipient) between 1 and 32),
    payment_type          text        not null check (char_length(payment_type) between 1 and 60),
    currency              text        not null check (currency ~ '^[A-Z]{3}$'),
    amount                bigint      not null check (amount >= 0), -- in the smallest unit
    amount_offset         integer     not null check (amount_offset > 0), -- smallest units in one
    status                text        not null default 'pending' check (status in ('pending', 'processing', 'partially_shipped', 'shipped', 'completed', 'canceled')),
    payment_status        text        not null default 'NEW' check (payment_status in ('NEW', 'PENDING', 'CAPTURED', 'FAILED', 'CANCELED')),
    expires_at            timestamptz, -- no attempt to pay begins after it
    created_at            timestamptz not null default now(),
    check (status <> 'canceled' or payment_status = 'CANCELED'),
    unique (phone_number_id, payment_configuration, reference_id)
);
create index on orders (phone_number_id, reference_id, recipient);

create table payment_transactions (
    order_id   uuid        not null references orders on delete cascade,
    number     smallint    not null check (number > 0), -- of the attempt, from 1
    id         text        not null unique check (char_length(id) between 1 and 60),
    status     text        not null default 'pending' check (status in ('pending', 'success', 'failed')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (order_id, number)
);
