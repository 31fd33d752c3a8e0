package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SMSAccountGet returns the SMS account of an organisation. One that has none yet
// gets the defaults.
func SMSAccountGet(ctx context.Context, q db.Querier, organisationID int64) (models.SMSAccount, error) {
	return collect.One[models.SMSAccount](ctx, q, `
		select o.id as organisation_id, o.sandbox, coalesce(state, 'active') as state, coalesce(class, 'standard') as class, expires_at,
		       coalesce(api_access, true) as api_access, coalesce(promotional, true) as promotional, coalesce(scheduling, true) as scheduling,
		       coalesce(international, true) as international, coalesce(auto_unicode, true) as auto_unicode,
		       coalesce(wide_reference, false) as wide_reference, coalesce(return_otp, false) as return_otp,
		       coalesce(reports, 1::smallint) as reports, coalesce(allowed_addresses, '{}') as allowed_addresses, coalesce(entity_id, '') as entity_id
		from organisations o left join sms_accounts a on a.organisation_id = o.id where o.id = $1`, organisationID)
}

// SMSTemplateList returns the stored texts of an organisation, oldest first.
func SMSTemplateList(ctx context.Context, q db.Querier, organisationID int64) ([]models.SMSTemplate, error) {
	return collect.Many[models.SMSTemplate](ctx, q, `
		select id, organisation_id, name, dlt_template_id, header, text, created_at from sms_templates where organisation_id = $1 order by id`, organisationID)
}
