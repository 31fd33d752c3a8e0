-- The audit holds against rows that were added beside it: an entry must follow
-- the head, by number and by hash, and becomes the head whoever inserts it. A
-- row that was added with triggers switched off does not stop the chain; its
-- check finds the row.
-- +goose Up
-- +goose StatementBegin
create function check_audit_entry() returns trigger language plpgsql as $$
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
create function move_audit_head() returns trigger language plpgsql as $$
begin
    update audit_head set seq = new.seq, hash = new.hash where seq < new.seq;
    return null;
end
$$;
-- +goose StatementEnd
create trigger follows before insert on audit_entries for each row execute function check_audit_entry();
create trigger heads after insert on audit_entries for each row execute function move_audit_head();

-- Entries that could not be appended when they happened, such as sign-ins while
-- the chain was locked. The next check appends them.
create table audit_waiting (
    id      bigint generated always as identity primary key,
    at      timestamptz not null default now(),
    actor   text        not null check (char_length(actor) between 1 and 200),
    action  text        not null check (char_length(action) between 1 and 100),
    target  text        not null check (char_length(target) between 1 and 200),
    details jsonb       not null default '{}'
);
