package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

const headerColumns = `h.id, h.organisation_id, o.name as organisation, o.sandbox, h.header, h.kind, h.state, h.reason, h.created_at, h.decided_at`

const headerTables = `sms_headers h join organisations o on o.id = h.organisation_id`

// SMSHeaderList returns the headers of an organisation with the ones that it has
// asked for, oldest first.
func SMSHeaderList(ctx context.Context, q db.Querier, organisationID int64) ([]models.SMSHeader, error) {
	return many[models.SMSHeader](ctx, q, `
		select `+headerColumns+` from `+headerTables+` where h.organisation_id = $1 and h.state <> 'released' order by h.created_at, h.header`, organisationID)
}

// SMSHeaderInsert adds a header to an organisation. One that was declined or given
// back is asked for again. It reports false if the organisation has it already or
// has max headers.
func SMSHeaderInsert(ctx context.Context, q db.Querier, h models.SMSHeader, max int) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into sms_headers as s (organisation_id, header, kind)
		select $1, $2, $3
		where (select count(*) from sms_headers where organisation_id = $1 and state <> 'released') < $4
		  and not exists (select from sms_headers where organisation_id = $1 and upper(header) = upper($2) and header <> $2 and state <> 'released')
		on conflict (organisation_id, header) do update set state = 'requested', reason = '', created_at = now()
			where s.state in ('declined', 'released')`, h.OrganisationID, h.Header, h.Kind, max)
	return tag.RowsAffected() == 1, err
}

// SMSHeaderRelease takes a header from an organisation and reports whether it had
// it. The row of a header that the organisation may have sent with stays: a
// recipient may still write STOP to it.
func SMSHeaderRelease(ctx context.Context, q db.Querier, organisationID int64, header string) (existed bool, err error) {
	err = q.QueryRow(ctx, `
		with found as (
			select h.id, h.decided_at is null or o.sandbox as unused from `+headerTables+`
			where h.organisation_id = $1 and h.header = $2 and h.state <> 'released'
		), deleted as (
			delete from sms_headers where id in (select id from found where unused) returning 1
		), released as (
			update sms_headers set state = 'released', decided_at = now() where id in (select id from found where not unused) returning 1
		)
		select exists (select from deleted) or exists (select from released)`, organisationID, header).Scan(&existed)
	return existed, err
}

// SMSHeaderListAll returns up to limit headers of live organisations, the undecided
// ones first.
func SMSHeaderListAll(ctx context.Context, q db.Querier, limit int) ([]models.SMSHeader, error) {
	return many[models.SMSHeader](ctx, q, `
		select `+headerColumns+` from `+headerTables+` where not o.sandbox
		order by h.state <> 'contested', h.state <> 'requested', case when h.state in ('contested', 'requested') then h.created_at end, upper(h.header), h.id limit $1`, limit)
}

// SMSHeaderGet returns a header of a live organisation.
func SMSHeaderGet(ctx context.Context, q db.Querier, id int64) (models.SMSHeader, error) {
	return one[models.SMSHeader](ctx, q, `select `+headerColumns+` from `+headerTables+` where h.id = $1 and not o.sandbox`, id)
}

// These stand around a number or header and give what it has in common with others
// that a phone or a carrier takes for it: capitals without blanks. Digits have no plus
// sign and no zeros before them.
const (
	smsKey    = `regexp_replace(regexp_replace(upper(`
	smsKeyEnd = `), '\s', '', 'g'), '^\+?0*([0-9]+)$', '\1')`
)

// SMSHeaderListAlike returns the rows of a header and of its look-alikes of all live
// organisations, and locks them if lock is set.
func SMSHeaderListAlike(ctx context.Context, q db.Querier, header string, lock bool) ([]models.SMSHeader, error) {
	text := `select ` + headerColumns + ` from ` + headerTables + ` where ` + smsKey + `h.header` + smsKeyEnd + ` = ` + smsKey + `$1::text` + smsKeyEnd + ` and not o.sandbox order by h.id`
	if lock {
		text += ` for update of h`
	}
	return many[models.SMSHeader](ctx, q, text, header)
}

// SMSHeaderDecide stores the state of a header and its reason.
func SMSHeaderDecide(ctx context.Context, q db.Querier, id int64, state, reason string) error {
	_, err := q.Exec(ctx, `update sms_headers set state = $2, reason = $3, decided_at = now() where id = $1`, id, state, reason)
	return err
}

// SMSHeaderUsageGet returns how much an organisation has sent with a header in 30 days.
func SMSHeaderUsageGet(ctx context.Context, q db.Querier, h models.SMSHeader) (u models.SMSHeaderUsage, err error) {
	return one[models.SMSHeaderUsage](ctx, q, `
		select count(*) as messages, max(created_at) as last_at from (
			select m.created_at from messages m
			where m.organisation_id = $1 and m.channel = 'sms' and upper(m.sender) = upper($2) and m.created_at > now() - interval '30 days'
			order by m.id desc limit 1000) recent`, h.OrganisationID, h.Header)
}

// SMSAddressLock holds a number or header with its look-alikes until the end of the
// transaction, so that it is never given to two organisations, once as a number and
// once as a header.
func SMSAddressLock(ctx context.Context, q db.Querier, address string) error {
	_, err := q.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('sms address ' || `+smsKey+`$1::text`+smsKeyEnd+`, 0))`, address)
	return err
}

// SMSNumberOther returns the organisation, other than one, that receives SMS at a
// number or at a look-alike, or 0.
func SMSNumberOther(ctx context.Context, q db.Querier, organisationID int64, number string) (other int64, err error) {
	err = q.QueryRow(ctx, `
		select coalesce((select organisation_id from sms_numbers
			where `+smsKey+`number`+smsKeyEnd+` = `+smsKey+`$2::text`+smsKeyEnd+` and organisation_id <> $1 order by number limit 1), 0)`, organisationID, number).Scan(&other)
	return other, err
}

// SMSHeaderOther returns the organisation, other than one, that a header or a
// look-alike was granted to, or 0.
func SMSHeaderOther(ctx context.Context, q db.Querier, organisationID int64, header string) (other int64, err error) {
	err = q.QueryRow(ctx, `
		select coalesce((select organisation_id from sms_headers
			where `+smsKey+`header`+smsKeyEnd+` = `+smsKey+`$2::text`+smsKeyEnd+` and state = 'granted' and organisation_id <> $1 order by id limit 1), 0)`, organisationID, header).Scan(&other)
	return other, err
}

// contestedHeaders selects up to five headers that wait for an administrator to choose
// between the organisations that use them.
const contestedHeaders = `
	select c.id, c.header, (
		select string_agg(named.name, ' and ' order by named.name) from (
			select o.name from sms_headers other join organisations o on o.id = other.organisation_id
			where upper(other.header) = c.header and other.state in ('contested', 'granted') and not o.sandbox
			union select o.name from sms_numbers n join organisations o on o.id = n.organisation_id where n.number = c.header) named
	) as organisations
	from (
		select min(h.id) as id, upper(h.header) as header from sms_headers h join organisations own on own.id = h.organisation_id
		where h.state = 'contested' and not own.sandbox group by upper(h.header) order by 2 limit 5
	) c order by c.header`
