package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AcceptedChangeList returns the breaking changes of a version that have a reason.
func AcceptedChangeList(ctx context.Context, q db.Querier, versionID int64) ([]models.AcceptedChange, error) {
	return collect.Many[models.AcceptedChange](ctx, q, `
		select a.fingerprint, a.reason, coalesce(nullif(u.name, ''), u.email) as accepted_by, a.created_at
		from accepted_changes a join admin_users u on u.id = a.accepted_by where a.version_id = $1 order by a.created_at, a.fingerprint`, versionID)
}
