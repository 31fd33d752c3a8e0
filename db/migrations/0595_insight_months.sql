-- Sums of whole months of insight_days, so that two years of hosts, programs and calls
-- are read from few rows. A job adds a month once its days no longer change, and the days
-- stay. Code of before adds up days, which is slower.
-- +goose Up
create table insight_months (
    what    text   not null check (char_length(what) between 1 and 20),
    month   date   not null, -- its first day
    product text   not null check (char_length(product) <= 200),
    version text   not null check (char_length(version) <= 100),
    name    text   not null check (char_length(name) <= 500),
    detail  text   not null check (char_length(detail) <= 200),
    count   bigint not null check (count > 0),
    primary key (what, month, product, version, name, detail)
);
create index on insight_months (month);
comment on table insight_months is 'Sums of whole months of insight_days. A month is added once its days no longer change.';
comment on column insight_months.month is 'its first day';

-- Pages of a period are read from the index alone.
alter table insight_views
    drop constraint insight_views_pkey,
    add primary key (grain, start, page, reader) include (count, kind, product);
