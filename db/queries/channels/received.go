package queries

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ReceivedFilter narrows the log of received messages.
type ReceivedFilter struct {
	OrganisationID int64
	Channel        string
	Contact        string // how the number or the user id begins
	From, To       time.Time
	Before         uuid.UUID // where the page before ended
	OldestFirst    bool
}

// ReceivedList returns up to size received messages that pass the filter.
func ReceivedList(ctx context.Context, q db.Querier, f ReceivedFilter, size int) (page LogPage[models.ReceivedMessage, uuid.UUID], err error) {
	before := &f.Before
	if f.Before == uuid.Nil {
		before = nil
	}
	page.Items, err = collect.Many[models.ReceivedMessage](ctx, q, `
		select id, organisation_id, channel, contact, recipient, kind, payload, received_at from inbound_messages
		where `+ownRows+` and (@channel = '' or channel = @channel) and starts_with(contact, @contact)
		  and (@from::timestamptz is null or received_at >= @from) and (@to::timestamptz is null or received_at < @to) and (@before::uuid is null or id `+after(f.OldestFirst)+` @before)
		`+ordered(`order by organisation_id, id desc limit @limit`, f.OldestFirst),
		pgx.NamedArgs{"organisation": f.OrganisationID, "channel": f.Channel, "contact": f.Contact, "from": collect.Null(f.From), "to": collect.Null(f.To), "before": before, "limit": size + 1})
	if len(page.Items) > size {
		page.Items = page.Items[:size]
		page.Next, page.More = page.Items[size-1].ID, true
	}
	return page, err
}

// SMSReceiver returns the organisation that receives SMS to a number or header: the
// one that the number or the header belongs to, else the one that alone has a
// look-alike. 0 stands for none.
func SMSReceiver(ctx context.Context, q db.Querier, to string) (organisationID int64, err error) {
	return collect.Value[int64](ctx, q, `
		select coalesce(
			(select organisation_id from sms_numbers where number = $1::text),
			(select h.organisation_id from sms_headers h join organisations o on o.id = h.organisation_id
			 where upper(h.header) = upper($1::text) and h.state = 'granted' and not o.sandbox),
			(select min(alike.organisation_id) from (
				select organisation_id from sms_numbers where `+SMSKey+`number`+SMSKeyEnd+` = `+SMSKey+`$1::text`+SMSKeyEnd+`
				union select h.organisation_id from sms_headers h join organisations o on o.id = h.organisation_id
				where `+SMSKey+`h.header`+SMSKeyEnd+` = `+SMSKey+`$1::text`+SMSKeyEnd+` and h.state = 'granted' and not o.sandbox) alike
			 having count(*) = 1), 0)`, to)
}

// SMSWriters returns the live organisations that wrote to a number with a header or a
// look-alike, by a message or by one of its legs. They have or had the header.
func SMSWriters(ctx context.Context, q db.Querier, header, number string) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		select distinct h.organisation_id from sms_headers h join organisations o on o.id = h.organisation_id
		where `+SMSKey+`h.header`+SMSKeyEnd+` = `+SMSKey+`$1::text`+SMSKeyEnd+` and not o.sandbox and exists (
			select from messages m where m.organisation_id = h.organisation_id and m.recipient = $2
			  and (m.channel = 'sms' and upper(m.sender) = upper(h.header) or exists (
				select from json_array_elements(m.legs) as further (leg_of) where leg_of->>'channel' = 'sms' and upper(leg_of->>'sender') = upper(h.header))))
		order by h.organisation_id`, header, number)
}

// SMSNumberList returns the numbers at which an organisation receives SMS.
func SMSNumberList(ctx context.Context, q db.Querier, organisationID int64) ([]models.SMSNumber, error) {
	return collect.Many[models.SMSNumber](ctx, q, `select number, organisation_id, created_at from sms_numbers where organisation_id = $1 order by number`, organisationID)
}
