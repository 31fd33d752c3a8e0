package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

const enquiryColumns = `id, reference, status, organisation, website, name, email, phones, gst_number, message, page, consent_version, consented_at,
	assignee_id, client_hash, fingerprint, repeats, repeated_at, created_at, updated_at`

// EnquiryLockFingerprint lets one transaction at a time store an enquiry with a
// fingerprint, until it ends.
func EnquiryLockFingerprint(ctx context.Context, q db.Querier, fingerprint []byte) error {
	_, err := q.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 7431902657))`, fingerprint)
	return err
}

// EnquiryInsert stores an enquiry.
func EnquiryInsert(ctx context.Context, q db.Querier, e models.Enquiry) error {
	_, err := q.Exec(ctx, `
		insert into contact_enquiries (id, reference, status, organisation, website, name, email, phones, gst_number, message, page, consent_version, client_hash, fingerprint)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		e.ID, e.Reference, e.Status, e.Organisation, e.Website, e.Name, e.Email, e.Phones, e.GSTNumber, e.Message, e.Page, e.ConsentVersion, e.ClientHash, e.Fingerprint)
	return err
}

// EnquiryGet returns an enquiry.
func EnquiryGet(ctx context.Context, q db.Querier, id uuid.UUID) (models.Enquiry, error) {
	return one[models.Enquiry](ctx, q, `select `+enquiryColumns+` from contact_enquiries where id = $1`, id)
}

// EnquiryLock returns an enquiry, which nobody else changes until the transaction
// ends.
func EnquiryLock(ctx context.Context, q db.Querier, id uuid.UUID) (models.Enquiry, error) {
	return one[models.Enquiry](ctx, q, `select `+enquiryColumns+` from contact_enquiries where id = $1 for update`, id)
}

// EnquiryUpdateRepeated counts another submission of the newest enquiry with a
// fingerprint since a time and returns it. No such enquiry is pgx.ErrNoRows.
func EnquiryUpdateRepeated(ctx context.Context, q db.Querier, fingerprint []byte, since time.Time) (models.Enquiry, error) {
	return one[models.Enquiry](ctx, q, `
		update contact_enquiries set repeats = repeats + 1, repeated_at = now()
		where id = (select id from contact_enquiries where fingerprint = $1 and created_at > $2 order by created_at desc limit 1)
		returning `+enquiryColumns, fingerprint, since)
}

// EnquiryUpdateStatus changes the status of an enquiry.
func EnquiryUpdateStatus(ctx context.Context, q db.Querier, id uuid.UUID, status string) error {
	_, err := q.Exec(ctx, `update contact_enquiries set status = $2, updated_at = now() where id = $1`, id, status)
	return err
}

// EnquiryUpdateAssignee assigns an enquiry to an administrator; 0 is nobody.
func EnquiryUpdateAssignee(ctx context.Context, q db.Querier, id uuid.UUID, admin int64) error {
	_, err := q.Exec(ctx, `update contact_enquiries set assignee_id = nullif($2::bigint, 0), updated_at = now() where id = $1`, id, admin)
	return err
}

// EnquiryCountSince counts the enquiries since a time, up to a limit.
func EnquiryCountSince(ctx context.Context, q db.Querier, since time.Time, limit int) (n int, err error) {
	err = q.QueryRow(ctx, `select count(*) from (select from contact_enquiries where id > $1 limit $2) as recent`, firstMessageID(since), limit).Scan(&n)
	return n, err
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
	return many[models.EnquiryRow](ctx, q, `
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
	return many[models.Enquiry](ctx, q, `
		select `+enquiryColumns+` from contact_enquiries e where `+enquiryWhere+` and e.id > $5 order by e.id limit $6`,
		f.Text, f.Status, f.Delivery, f.Assignee, f.Before, f.Limit)
}

// EnquiryErase deletes every enquiry of an email address, with its history, and
// the emails about it. It returns the references.
func EnquiryErase(ctx context.Context, q db.Querier, email string) ([]string, error) {
	return values[string](ctx, q, `
		with gone as (delete from contact_enquiries where email = $1 returning id, reference),
		     emails as (delete from notifications where purpose like 'contact%' and (recipient = $1 or topic in (select 'contact:' || id from gone)))
		select reference from gone order by reference`, email)
}

// EnquiryDeleteOld deletes enquiries that have not changed since a time: spam and
// the unconfirmed, or all others. It returns how many.
func EnquiryDeleteOld(ctx context.Context, q db.Querier, before time.Time, spam bool) (int64, error) {
	tag, err := q.Exec(ctx, `
		delete from contact_enquiries where updated_at < $1 and (status in ('spam', 'unconfirmed')) = $2`, before, spam)
	return tag.RowsAffected(), err
}

// EnquiryForgetClients deletes the hashes of addresses of enquiries before a time.
func EnquiryForgetClients(ctx context.Context, q db.Querier, before time.Time) error {
	_, err := q.Exec(ctx, `update contact_enquiries set client_hash = null where client_hash is not null and created_at < $1`, before)
	return err
}

// EnquiryEventInsert adds an entry to the history of an enquiry.
func EnquiryEventInsert(ctx context.Context, q db.Querier, id uuid.UUID, e models.EnquiryEvent) error {
	_, err := q.Exec(ctx, `
		insert into contact_events (enquiry_id, actor, kind, before, after) values ($1, $2, $3, $4, $5)`, id, e.Actor, e.Kind, e.Before, e.After)
	return err
}

// EnquiryEventList returns the history of an enquiry, the newest first.
func EnquiryEventList(ctx context.Context, q db.Querier, id uuid.UUID) ([]models.EnquiryEvent, error) {
	return many[models.EnquiryEvent](ctx, q, `
		select v.id, v.actor, coalesce(a.name, '') as name, v.kind, v.before, v.after, v.created_at
		from contact_events v left join admin_users a on v.actor = 'admin:' || a.id
		where v.enquiry_id = $1 order by v.id desc limit 500`, id)
}

// contactOverview counts the enquiries that need attention.
const contactOverview = `
	select (select count(*) from (select from contact_enquiries where status in ('new', 'contacted', 'qualified') limit 10001) as e) as open,
	       (select min(created_at) from contact_enquiries where status = 'new') as oldest_at,
	       (select count(*) from contact_deliveries d join contact_enquiries e on e.id = d.enquiry_id where d.state = 'failed' and e.status <> 'spam') as failed,
	       (select count(*) from contact_deliveries where state = 'waiting') as waiting`

// ContactStampInsert spends the stamp of a form. It reports false if it was spent
// before.
func ContactStampInsert(ctx context.Context, q db.Querier, nonce []byte, expires time.Time) (bool, error) {
	tag, err := q.Exec(ctx, `insert into contact_stamps (nonce, expires_at) values ($1, $2) on conflict do nothing`, nonce, expires)
	return tag.RowsAffected() == 1, err
}

// ContactStampDelete deletes the stamps of forms that are too old to be sent.
func ContactStampDelete(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `delete from contact_stamps where expires_at < now()`)
	return err
}
