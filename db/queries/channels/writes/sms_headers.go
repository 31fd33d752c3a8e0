package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// SMSHeaderInsert adds a header to an organisation. One that was declined or given
// back is asked for again. It reports false if the organisation has it already or
// has max headers.
func SMSHeaderInsert(ctx context.Context, q db.Querier, h models.SMSHeader, max int) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into sms_headers as s (organisation_id, header, kind)
		select $1, $2, $3
		where (select count(*) from sms_headers where organisation_id = $1 and state <> 'released') < $4
		  and not exists (select from sms_headers where organisation_id = $1 and upper(header) = upper($2) and header <> $2 and state <> 'released')
		on conflict (organisation_id, header) do update set state = 'requested', reason = '', created_at = now()
			where s.state in ('declined', 'released')`, h.OrganisationID, h.Header, h.Kind, max)
}

// SMSHeaderRelease takes a header from an organisation and reports whether it had
// it. The row of a header that the organisation may have sent with stays: a
// recipient may still write STOP to it.
func SMSHeaderRelease(ctx context.Context, q db.Querier, organisationID int64, header string) (existed bool, err error) {
	return collect.Value[bool](ctx, q, `
		with found as (
			select h.id, h.decided_at is null or o.sandbox as unused from `+queries.HeaderTables+`
			where h.organisation_id = $1 and h.header = $2 and h.state <> 'released'
		), deleted as (
			delete from sms_headers where id in (select id from found where unused) returning 1
		), released as (
			update sms_headers set state = 'released', decided_at = now() where id in (select id from found where not unused) returning 1
		)
		select exists (select from deleted) or exists (select from released)`, organisationID, header)
}

// SMSHeaderListAlike returns the rows of a header and of its look-alikes of all live
// organisations, and locks them if lock is set.
func SMSHeaderListAlike(ctx context.Context, q db.Querier, header string, lock bool) ([]models.SMSHeader, error) {
	text := `select ` + queries.HeaderColumns + ` from ` + queries.HeaderTables + ` where ` + queries.SMSKey + `h.header` + queries.SMSKeyEnd + ` = ` + queries.SMSKey + `$1::text` + queries.SMSKeyEnd + ` and not o.sandbox order by h.id`
	if lock {
		text += ` for update of h`
	}
	return collect.Many[models.SMSHeader](ctx, q, text, header)
}

// SMSHeaderDecide stores the state of a header and its reason.
func SMSHeaderDecide(ctx context.Context, q db.Querier, id int64, state, reason string) error {
	return collect.Execute(ctx, q, `update sms_headers set state = $2, reason = $3, decided_at = now() where id = $1`, id, state, reason)
}

// SMSAddressLock holds a number or header with its look-alikes until the end of the
// transaction, so that it is never given to two organisations, once as a number and
// once as a header.
func SMSAddressLock(ctx context.Context, q db.Querier, address string) error {
	return collect.Execute(ctx, q, `select pg_advisory_xact_lock(hashtextextended('sms address ' || `+queries.SMSKey+`$1::text`+queries.SMSKeyEnd+`, 0))`, address)
}
