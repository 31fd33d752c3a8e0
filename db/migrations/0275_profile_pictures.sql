-- The picture of a number's profile: a copy of the upload that its handle named, at an
-- address that nobody can guess. Code of before leaves pictures as they are.
-- +goose Up
create table profile_pictures (
    phone_number_id bigint primary key references phone_numbers on delete cascade,
    name            text    not null unique check (name ~ '^[A-Za-z0-9_-]{22}$'), -- in its address
    object          text    not null unique,
    size            integer not null check (size between 1 and 5242880) -- bytes
);
create trigger discarded after delete on profile_pictures for each row execute function discard_object();
