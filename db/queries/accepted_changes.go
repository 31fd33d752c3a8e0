package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// AcceptedChangeList returns the breaking changes of a version that have a reason.
func AcceptedChangeList(ctx context.Context, q db.Querier, versionID int64) ([]models.AcceptedChange, error) {
	return many[models.AcceptedChange](ctx, q, `
		select a.fingerprint, a.reason, coalesce(nullif(u.name, ''), u.email) as accepted_by, a.created_at
		from accepted_changes a join admin_users u on u.id = a.accepted_by where a.version_id = $1 order by a.created_at, a.fingerprint`, versionID)
}

// AcceptedChangePut keeps the reason of a breaking change in place of an earlier one.
func AcceptedChangePut(ctx context.Context, q db.Querier, versionID, changeSetID, by int64, a models.AcceptedChange) error {
	_, err := q.Exec(ctx, `
		insert into accepted_changes (version_id, fingerprint, reason, accepted_by, change_set_id) values ($1, $2, $3, $4, $5)
		on conflict (version_id, fingerprint) do update
		set reason = excluded.reason, accepted_by = excluded.accepted_by, change_set_id = excluded.change_set_id, created_at = now()`,
		versionID, a.Fingerprint, a.Reason, by, changeSetID)
	return err
}
