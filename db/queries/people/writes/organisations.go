package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// OrganisationInsert adds an organisation and returns the id.
func OrganisationInsert(ctx context.Context, q db.Querier, o models.Organisation) (int64, error) {
	return collect.Value[int64](ctx, q, `
		insert into organisations (name, status, sandbox, verified_at)
		values ($1, $2::text, $3, case when $2::text = 'active' then now() end) returning id`,
		o.Name, o.Status, o.Sandbox)
}

// OrganisationUserInsert adds a user to an organisation and returns the id. A
// taken address is a unique violation of organisation_users_email_key.
func OrganisationUserInsert(ctx context.Context, q db.Querier, u models.OrganisationUser) (int64, error) {
	return collect.Value[int64](ctx, q, `
		insert into organisation_users (organisation_id, name, email, mobile, password_hash, role, active)
		values ($1, $2, $3, nullif($4, ''), $5, $6, $7) returning id`,
		u.OrganisationID, u.Name, u.Email, u.Mobile, u.PasswordHash, u.Role, u.Active)
}

// OrganisationUpdateName renames an organisation.
func OrganisationUpdateName(ctx context.Context, q db.Querier, id int64, name string) error {
	return collect.Execute(ctx, q, `update organisations set name = $2, updated_at = now() where id = $1`, id, name)
}

// ProfileUpdateName renames a user of an organisation.
func ProfileUpdateName(ctx context.Context, q db.Querier, userID int64, name string) error {
	return collect.Execute(ctx, q, `update organisation_users set name = $2, updated_at = now() where id = $1`, userID, name)
}

// ProfileUpdateMobile sets the number, in E.164, that recovers the account.
func ProfileUpdateMobile(ctx context.Context, q db.Querier, userID int64, mobile string) error {
	return collect.Execute(ctx, q, `update organisation_users set mobile = $2, updated_at = now() where id = $1`, userID, mobile)
}
