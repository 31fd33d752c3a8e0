-- Practice products: documentation that one administrator learns on and nobody else
-- sees. A reviewer who is played is null, and there is none elsewhere. Processes of the
-- version before do not know that such a product is private: start practising once all
-- of them are gone.
-- +goose Up
alter table items add column practice_of bigint references admin_users;
create unique index items_practice on items (practice_of) where practice_of is not null and kind = 'product';
create index items_practice_parts on items (practice_of) where practice_of is not null;

-- What is below a practice product is part of it.
-- +goose StatementBegin
create function inherit_practice() returns trigger language plpgsql as $$
begin
    select practice_of into new.practice_of from items where id = new.parent_id;
    return new;
end
$$;
-- +goose StatementEnd
create trigger inherits_practice before insert on items for each row when (new.parent_id is not null) execute function inherit_practice();

alter table reviews alter column reviewer_id drop not null;
alter table review_comments alter column author_id drop not null;

-- +goose StatementBegin
create function check_played() returns trigger language plpgsql as $$
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
-- +goose StatementEnd
create trigger played before insert or update on reviews for each row when (new.reviewer_id is null) execute function check_played();
create trigger played before insert or update on review_comments for each row when (new.author_id is null) execute function check_played();

-- Where an administrator is in the tutor. Most steps are seen from the practice product
-- itself; what leaves nothing there is noted here.
create table tutor_progress (
    admin_user_id bigint      primary key references admin_users on delete cascade,
    guide_id      bigint      references items on delete set null, -- what the steps are about
    endpoint_id   bigint      references items on delete set null,
    skipped       text[]      not null default '{}', -- names of steps
    paused        boolean     not null default false,
    found_at      timestamptz, -- the practice product was opened
    previewed_at  timestamptz, -- a draft of it was looked at as a reader
    seen_at       timestamptz, -- it was looked at after a release
    started_at    timestamptz not null default now(),
    used_at       timestamptz not null default now()
);
