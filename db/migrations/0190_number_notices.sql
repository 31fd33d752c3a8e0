-- Numbers without a carrier whose owners were told. Code of before does not tell.
-- +goose Up
create table number_notices (
    phone_number_id bigint primary key references phone_numbers on delete cascade,
    told_at         timestamptz not null default now()
);
