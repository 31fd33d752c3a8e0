package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// EnquiryColumns are the columns of contact_enquiries that a models.Enquiry has.
const EnquiryColumns = `id, reference, status, organisation, website, name, email, phones, gst_number, message, page, consent_version, consented_at,
	assignee_id, client_hash, fingerprint, repeats, repeated_at, created_at, updated_at`

// EnquiryGet returns an enquiry.
func EnquiryGet(ctx context.Context, q db.Querier, id uuid.UUID) (models.Enquiry, error) {
	return collect.One[models.Enquiry](ctx, q, `select `+EnquiryColumns+` from contact_enquiries where id = $1`, id)
}

// EnquiryCountSince counts the enquiries since a time, up to a limit.
func EnquiryCountSince(ctx context.Context, q db.Querier, since time.Time, limit int) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from (select from contact_enquiries where id > $1 limit $2) as recent`, models.FirstMessageID(since), limit)
}

// enquiryWhere selects by a models.EnquiryFilter: text, status, delivery,
// assignee.
const enquiryWhere = `
	($1 = '' or strpos(lower(concat_ws(' ', e.reference, e.organisation, e.name, e.email, array_to_string(e.phones, ' '), e.gst_number, e.message)), lower($1)) > 0)
	and case $2 when '' then e.status not in ('spam', 'unconfirmed') when 'open' then e.status in ('new', 'contacted', 'qualified') else e.status = $2 end
	and ($3 = '' or exists (select from contact_deliveries d left join notifications n on n.id = d.notification_id where d.enquiry_id = e.id and ` + deliveryState + ` = $3))
	and ($4::bigint = 0 or $4 = -1 and e.assignee_id is null or e.assignee_id = $4)`

// deliveryState is the state of a delivery d: its email n may have ended since
// it was last settled.
const deliveryState = `case when d.state = 'pending' and d.kind = 'email' and n.state = 'sent' then 'delivered'
	when d.state = 'pending' and d.kind = 'email' and n.state in ('failed', 'expired', 'cancelled') then 'failed' else d.state end`

// EnquiryList returns a page of enquiries, the newest first.
func EnquiryList(ctx context.Context, q db.Querier, f models.EnquiryFilter) ([]models.EnquiryRow, error) {
	return collect.Many[models.EnquiryRow](ctx, q, `
		select e.id, e.reference, e.status, e.organisation, e.name, e.email, coalesce(a.name, '') as assignee, e.created_at,
		       coalesce((select `+deliveryState+` from contact_deliveries d left join notifications n on n.id = d.notification_id where d.enquiry_id = e.id and d.kind = 'email'), '') as email_state,
		       coalesce((select d.state from contact_deliveries d where d.enquiry_id = e.id and d.kind = 'webhook'), '') as webhook_state
		from contact_enquiries e left join admin_users a on a.id = e.assignee_id
		where `+enquiryWhere+`
		  and ($5::uuid = '00000000-0000-0000-0000-000000000000' or case when $6 then e.id > $5 else e.id < $5 end)
		order by case when $6 then e.id end, case when not $6 then e.id end desc limit $7`,
		f.Text, f.Status, f.Delivery, f.Assignee, f.Before, f.OldestFirst, f.Limit)
}

// EnquiryExport returns up to a limit of enquiries behind one, in the order in
// which they arrived.
func EnquiryExport(ctx context.Context, q db.Querier, f models.EnquiryFilter) ([]models.Enquiry, error) {
	return collect.Many[models.Enquiry](ctx, q, `
		select `+EnquiryColumns+` from contact_enquiries e where `+enquiryWhere+` and e.id > $5 order by e.id limit $6`,
		f.Text, f.Status, f.Delivery, f.Assignee, f.Before, f.Limit)
}

// EnquiryEventList returns the history of an enquiry, the newest first.
func EnquiryEventList(ctx context.Context, q db.Querier, id uuid.UUID) ([]models.EnquiryEvent, error) {
	return collect.Many[models.EnquiryEvent](ctx, q, `
		select v.id, v.actor, coalesce(a.name, '') as name, v.kind, v.before, v.after, v.created_at
		from contact_events v left join admin_users a on v.actor = 'admin:' || a.id
		where v.enquiry_id = $1 order by v.id desc limit 500`, id)
}

// ContactOverview counts the enquiries that need attention.
const ContactOverview = `
	select (select count(*) from (select from contact_enquiries where status in ('new', 'contacted', 'qualified') limit 10001) as e) as open,
	       (select min(created_at) from contact_enquiries where status = 'new') as oldest_at,
	       (select count(*) from contact_deliveries d join contact_enquiries e on e.id = d.enquiry_id where d.state = 'failed' and e.status <> 'spam') as failed,
	       (select count(*) from contact_deliveries where state = 'waiting') as waiting`
