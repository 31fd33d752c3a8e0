-- A live header belongs to one organisation, which an administrator has granted it.
-- A sandbox writes with any header, because its messages stay in the virtual
-- carrier: its rows keep the state "requested" and never own anything. Code of
-- before reads and writes the rows without their state, so that a header that it
-- adds waits for a decision.
-- +goose Up
alter table sms_headers
    add column id bigint generated always as identity,
    add column state text not null default 'requested' check (state in ('requested', 'granted', 'contested', 'declined', 'released')),
    add column reason text not null default '' check (char_length(reason) <= 500),
    add column decided_at timestamptz;

-- Live organisations keep the headers that they have. A header that two of them
-- have, or that is the number of another, stays usable and waits for an
-- administrator; nobody receives the replies to it until then.
delete from sms_headers h using organisations o, sms_headers earlier
where o.id = h.organisation_id and not o.sandbox
  and earlier.organisation_id = h.organisation_id and upper(earlier.header) = upper(h.header) and earlier.id < h.id;
update sms_headers h set
    state = case when exists (
            select from sms_headers other join organisations o on o.id = other.organisation_id
            where upper(other.header) = upper(h.header) and other.organisation_id <> h.organisation_id and not o.sandbox)
        or exists (select from sms_numbers n where n.number = h.header and n.organisation_id <> h.organisation_id)
        then 'contested' else 'granted' end,
    decided_at = now()
from organisations own where own.id = h.organisation_id and not own.sandbox;

create unique index sms_headers_id on sms_headers (id);
create unique index sms_headers_owner on sms_headers (upper(header)) where state = 'granted';
create index sms_headers_name on sms_headers (upper(header));
create index sms_headers_undecided on sms_headers (created_at) where state in ('requested', 'contested');
