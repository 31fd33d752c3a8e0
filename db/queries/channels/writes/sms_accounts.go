package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const smsAccountColumns = `organisation_id, state, class, expires_at, api_access, promotional, scheduling, international, auto_unicode,
	wide_reference, return_otp, reports, allowed_addresses, entity_id`

// SMSAccountUpsert stores the SMS account of an organisation.
func SMSAccountUpsert(ctx context.Context, q db.Querier, a models.SMSAccount) error {
	return collect.Execute(ctx, q, `
		insert into sms_accounts (`+smsAccountColumns+`) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		on conflict (organisation_id) do update set
			state = excluded.state, class = excluded.class, expires_at = excluded.expires_at, api_access = excluded.api_access,
			promotional = excluded.promotional, scheduling = excluded.scheduling, international = excluded.international,
			auto_unicode = excluded.auto_unicode, wide_reference = excluded.wide_reference, return_otp = excluded.return_otp,
			reports = excluded.reports, allowed_addresses = excluded.allowed_addresses, entity_id = excluded.entity_id, updated_at = now()`,
		a.OrganisationID, a.State, a.Class, a.ExpiresAt, a.APIAccess, a.Promotional, a.Scheduling, a.International, a.AutoUnicode,
		a.WideReference, a.ReturnOTP, a.Reports, a.AllowedAddresses, a.EntityID)
}

// SMSAccountEnsure adds the SMS account of an organisation with the defaults if it
// has none, and locks it.
func SMSAccountEnsure(ctx context.Context, q db.Querier, organisationID int64) error {
	_, err := q.Exec(ctx, `insert into sms_accounts (organisation_id) values ($1) on conflict do nothing`, organisationID)
	if err == nil {
		_, err = q.Exec(ctx, `select from sms_accounts where organisation_id = $1 for update`, organisationID)
	}
	return err
}

// SMSAccountUpdate stores what an organisation sets itself: its entity id and
// whether reports are sent.
func SMSAccountUpdate(ctx context.Context, q db.Querier, organisationID int64, entityID string, reports int16) error {
	return collect.Execute(ctx, q, `update sms_accounts set entity_id = $2, reports = $3, updated_at = now() where organisation_id = $1`, organisationID, entityID, reports)
}

// SMSTemplateInsert stores a text and returns its id, or 0 if the organisation has
// max texts.
func SMSTemplateInsert(ctx context.Context, q db.Querier, t models.SMSTemplate, max int) (id int64, err error) {
	err = q.QueryRow(ctx, `
		insert into sms_templates (organisation_id, name, dlt_template_id, header, text)
		select $1, $2, $3, $4, $5 where (select count(*) from sms_templates where organisation_id = $1) < $6 returning id`,
		t.OrganisationID, t.Name, t.DLTTemplateID, t.Header, t.Text, max).Scan(&id)
	if db.IsNoRows(err) {
		return 0, nil
	}
	return id, err
}

// SMSTemplateDelete deletes a stored text of an organisation and reports whether
// it had it.
func SMSTemplateDelete(ctx context.Context, q db.Querier, organisationID, id int64) (bool, error) {
	return collect.Changed(ctx, q, `delete from sms_templates where organisation_id = $1 and id = $2`, organisationID, id)
}

// SMSReferenceClaim claims references of an organisation and returns those that
// were free: never used, or longer than window ago. The order of the claims is the
// same in every transaction, so that two never wait for each other.
func SMSReferenceClaim(ctx context.Context, q db.Querier, organisationID int64, references []string, window time.Duration) ([]string, error) {
	return collect.Values[string](ctx, q, `
		insert into sms_references (organisation_id, reference)
		select $1, reference from unnest($2::text[]) reference order by reference
		on conflict (organisation_id, reference) do update set created_at = now()
			where sms_references.created_at < now() - $3::interval
		returning reference`, organisationID, references, window)
}

// SMSReferenceDelete deletes references that were claimed longer than window ago.
func SMSReferenceDelete(ctx context.Context, q db.Querier, window time.Duration) error {
	return collect.Execute(ctx, q, `delete from sms_references where created_at < now() - $1::interval`, window)
}
