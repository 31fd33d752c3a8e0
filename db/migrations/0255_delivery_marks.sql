-- Callbacks are partitioned by their number (0224), and much that is asked about them
-- knows a time: that of their message, or the ends of a range. A mark says which number
-- was the last one at a time, so that partitions on the other side of it need not be
-- looked into. Workers set marks (app/operation/retention). Without one, all partitions are.
--
-- The clocks of different machines may differ, and a transaction that stores callbacks
-- may take its time; neither by as much as a day.

-- +goose Up
create table delivery_marks (
    at     timestamptz primary key,
    number bigint      not null
);

-- The time in an id of version 7.
-- +goose StatementBegin
create function id_made(id uuid) returns timestamptz immutable language sql as $$
    select case when substr(id::text, 15, 1) = '7' then to_timestamp(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint::double precision / 1000) else '-infinity' end
$$;
-- +goose StatementEnd

-- Callbacks that were stored at a time or later have a number above this.
-- +goose StatementBegin
create function deliveries_after(since timestamptz) returns bigint stable language sql as $$
    select coalesce((select number from delivery_marks where at <= since - interval '1 day' order by at desc limit 1), 0)
$$;
-- +goose StatementEnd

-- Callbacks that were stored before a time have this number or one below.
-- +goose StatementBegin
create function deliveries_until(before timestamptz) returns bigint stable language sql as $$
    select coalesce((select number from delivery_marks where at >= before + interval '1 day' order by at limit 1), 9223372036854775807)
$$;
-- +goose StatementEnd
