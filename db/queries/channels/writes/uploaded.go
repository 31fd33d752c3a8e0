package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// UploadedAdd counts bytes that an organisation uploads today (UTC), and returns how
// many that makes today. It locks the count until the transaction ends.
func UploadedAdd(ctx context.Context, q db.Querier, organisationID, bytes int64) (today int64, err error) {
	return collect.Value[int64](ctx, q, `
		insert into uploaded_bytes as u (organisation_id, bytes) values ($1, $2)
		on conflict (organisation_id, day) do update set bytes = u.bytes + excluded.bytes returning bytes`, organisationID, bytes)
}

// UploadedDelete deletes the counts of days that are longer ago than keep.
func UploadedDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from uploaded_bytes where day < (now() - $1::interval)::date`, keep)
}
