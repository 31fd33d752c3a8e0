package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// OrganisationLock returns the status of an organisation and keeps other
// changes to it waiting until the transaction ends.
func OrganisationLock(ctx context.Context, q db.Querier, id int64) (status string, verified bool, err error) {
	err = q.QueryRow(ctx, `select status, verified_at is not null from organisations where id = $1 for update`, id).Scan(&status, &verified)
	return status, verified, err
}

// OrganisationUpdateStatus gives an organisation a status and ends the
// sessions of its users. Its owners can sign in from then on if owners says so.
func OrganisationUpdateStatus(ctx context.Context, q db.Querier, id int64, status string, owners bool) error {
	if _, err := q.Exec(ctx, `update organisations set status = $2, updated_at = now() where id = $1`, id, status); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		update organisation_users set session_version = session_version + 1, active = active or ($2 and role = 'owner'), updated_at = now()
		where organisation_id = $1`, id, owners)
}
