package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/people"
)

// EnquiryLockFingerprint lets one transaction at a time store an enquiry with a
// fingerprint, until it ends.
func EnquiryLockFingerprint(ctx context.Context, q db.Querier, fingerprint []byte) error {
	return collect.Execute(ctx, q, `select pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 7431902657))`, fingerprint)
}

// EnquiryInsert stores an enquiry.
func EnquiryInsert(ctx context.Context, q db.Querier, e models.Enquiry) error {
	return collect.Execute(ctx, q, `
		insert into contact_enquiries (id, reference, status, organisation, website, name, email, phones, gst_number, message, page, consent_version, client_hash, fingerprint)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		e.ID, e.Reference, e.Status, e.Organisation, e.Website, e.Name, e.Email, e.Phones, e.GSTNumber, e.Message, e.Page, e.ConsentVersion, e.ClientHash, e.Fingerprint)
}

// EnquiryLock returns an enquiry, which nobody else changes until the transaction
// ends.
func EnquiryLock(ctx context.Context, q db.Querier, id uuid.UUID) (models.Enquiry, error) {
	return collect.One[models.Enquiry](ctx, q, `select `+queries.EnquiryColumns+` from contact_enquiries where id = $1 for update`, id)
}

// EnquiryUpdateRepeated counts another submission of the newest enquiry with a
// fingerprint since a time and returns it. No such enquiry is pgx.ErrNoRows.
func EnquiryUpdateRepeated(ctx context.Context, q db.Querier, fingerprint []byte, since time.Time) (models.Enquiry, error) {
	return collect.One[models.Enquiry](ctx, q, `
		update contact_enquiries set repeats = repeats + 1, repeated_at = now()
		where id = (select id from contact_enquiries where fingerprint = $1 and created_at > $2 order by created_at desc limit 1)
		returning `+queries.EnquiryColumns, fingerprint, since)
}

// EnquiryUpdateStatus changes the status of an enquiry.
func EnquiryUpdateStatus(ctx context.Context, q db.Querier, id uuid.UUID, status string) error {
	return collect.Execute(ctx, q, `update contact_enquiries set status = $2, updated_at = now() where id = $1`, id, status)
}

// EnquiryUpdateAssignee assigns an enquiry to an administrator; 0 is nobody.
func EnquiryUpdateAssignee(ctx context.Context, q db.Querier, id uuid.UUID, admin int64) error {
	return collect.Execute(ctx, q, `update contact_enquiries set assignee_id = nullif($2::bigint, 0), updated_at = now() where id = $1`, id, admin)
}

// EnquiryErase deletes every enquiry of an email address, with its history, and
// the emails about it. It returns the references.
func EnquiryErase(ctx context.Context, q db.Querier, email string) ([]string, error) {
	return collect.Values[string](ctx, q, `
		with gone as (delete from contact_enquiries where email = $1 returning id, reference),
		     emails as (delete from notifications where purpose like 'contact%' and (recipient = $1 or topic in (select 'contact:' || id from gone)))
		select reference from gone order by reference`, email)
}

// EnquiryDeleteOld deletes enquiries that have not changed since a time: spam and
// the unconfirmed, or all others. It returns how many.
func EnquiryDeleteOld(ctx context.Context, q db.Querier, before time.Time, spam bool) (int64, error) {
	return collect.Count(ctx, q, `
		delete from contact_enquiries where updated_at < $1 and (status in ('spam', 'unconfirmed')) = $2`, before, spam)
}

// EnquiryForgetClients deletes the hashes of addresses of enquiries before a time.
func EnquiryForgetClients(ctx context.Context, q db.Querier, before time.Time) error {
	return collect.Execute(ctx, q, `update contact_enquiries set client_hash = null where client_hash is not null and created_at < $1`, before)
}

// EnquiryEventInsert adds an entry to the history of an enquiry.
func EnquiryEventInsert(ctx context.Context, q db.Querier, id uuid.UUID, e models.EnquiryEvent) error {
	return collect.Execute(ctx, q, `
		insert into contact_events (enquiry_id, actor, kind, before, after) values ($1, $2, $3, $4, $5)`, id, e.Actor, e.Kind, e.Before, e.After)
}

// ContactStampInsert spends the stamp of a form. It reports false if it was spent
// before.
func ContactStampInsert(ctx context.Context, q db.Querier, nonce []byte, expires time.Time) (bool, error) {
	return collect.Changed(ctx, q, `insert into contact_stamps (nonce, expires_at) values ($1, $2) on conflict do nothing`, nonce, expires)
}

// ContactStampDelete deletes the stamps of forms that are too old to be sent.
func ContactStampDelete(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from contact_stamps where expires_at < now()`)
}
