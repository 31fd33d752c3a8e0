package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// HeaderColumns are the columns of HeaderTables that a models.SMSHeader has.
const HeaderColumns = `h.id, h.organisation_id, o.name as organisation, o.sandbox, h.header, h.kind, h.state, h.reason, h.created_at, h.decided_at`

// HeaderTables are the headers h with their organisations o.
const HeaderTables = `sms_headers h join organisations o on o.id = h.organisation_id`

// SMSHeaderList returns the headers of an organisation with the ones that it has
// asked for, oldest first.
func SMSHeaderList(ctx context.Context, q db.Querier, organisationID int64) ([]models.SMSHeader, error) {
	return collect.Many[models.SMSHeader](ctx, q, `
		select `+HeaderColumns+` from `+HeaderTables+` where h.organisation_id = $1 and h.state <> 'released' order by h.created_at, h.header`, organisationID)
}

// SMSHeaderListAll returns up to limit headers of live organisations, the undecided
// ones first.
func SMSHeaderListAll(ctx context.Context, q db.Querier, limit int) ([]models.SMSHeader, error) {
	return collect.Many[models.SMSHeader](ctx, q, `
		select `+HeaderColumns+` from `+HeaderTables+` where not o.sandbox
		order by h.state <> 'contested', h.state <> 'requested', case when h.state in ('contested', 'requested') then h.created_at end, upper(h.header), h.id limit $1`, limit)
}

// SMSHeaderGet returns a header of a live organisation.
func SMSHeaderGet(ctx context.Context, q db.Querier, id int64) (models.SMSHeader, error) {
	return collect.One[models.SMSHeader](ctx, q, `select `+HeaderColumns+` from `+HeaderTables+` where h.id = $1 and not o.sandbox`, id)
}

// These stand around a number or header and give what it has in common with others
// that a phone or a carrier takes for it: capitals without blanks. Digits have no plus
// sign and no zeros before them.
const (
	SMSKey    = `regexp_replace(regexp_replace(upper(`
	SMSKeyEnd = `), '\s', '', 'g'), '^\+?0*([0-9]+)$', '\1')`
)

// SMSHeaderUsageGet returns how much an organisation has sent with a header in 30 days.
func SMSHeaderUsageGet(ctx context.Context, q db.Querier, h models.SMSHeader) (u models.SMSHeaderUsage, err error) {
	return collect.One[models.SMSHeaderUsage](ctx, q, `
		select count(*) as messages, max(created_at) as last_at from (
			select m.created_at from messages m
			where m.organisation_id = $1 and m.channel = 'sms' and upper(m.sender) = upper($2) and m.created_at > now() - interval '30 days'
			order by m.id desc limit 1000) recent`, h.OrganisationID, h.Header)
}

// SMSNumberOther returns the organisation, other than one, that receives SMS at a
// number or at a look-alike, or 0.
func SMSNumberOther(ctx context.Context, q db.Querier, organisationID int64, number string) (other int64, err error) {
	return collect.Value[int64](ctx, q, `
		select coalesce((select organisation_id from sms_numbers
			where `+SMSKey+`number`+SMSKeyEnd+` = `+SMSKey+`$2::text`+SMSKeyEnd+` and organisation_id <> $1 order by number limit 1), 0)`, organisationID, number)
}

// SMSHeaderOther returns the organisation, other than one, that a header or a
// look-alike was granted to, or 0.
func SMSHeaderOther(ctx context.Context, q db.Querier, organisationID int64, header string) (other int64, err error) {
	return collect.Value[int64](ctx, q, `
		select coalesce((select organisation_id from sms_headers
			where `+SMSKey+`header`+SMSKeyEnd+` = `+SMSKey+`$2::text`+SMSKeyEnd+` and state = 'granted' and organisation_id <> $1 order by id limit 1), 0)`, organisationID, header)
}

// ContestedHeaders selects up to five headers that wait for an administrator to choose
// between the organisations that use them.
const ContestedHeaders = `
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
