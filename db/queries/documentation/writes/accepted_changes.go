package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AcceptedChangePut keeps the reason of a breaking change in place of an earlier one.
func AcceptedChangePut(ctx context.Context, q db.Querier, versionID, changeSetID, by int64, a models.AcceptedChange) error {
	return collect.Execute(ctx, q, `
		insert into accepted_changes (version_id, fingerprint, reason, accepted_by, change_set_id) values ($1, $2, $3, $4, $5)
		on conflict (version_id, fingerprint) do update
		set reason = excluded.reason, accepted_by = excluded.accepted_by, change_set_id = excluded.change_set_id, created_at = now()`,
		versionID, a.Fingerprint, a.Reason, by, changeSetID)
}
