package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// StoredBytes returns how many bytes of media, of uploads and of profile pictures an
// organisation has stored. An upload counts with the size that was announced.
func StoredBytes(ctx context.Context, q db.Querier, organisationID int64) (bytes int64, err error) {
	return collect.Value[int64](ctx, q, storedBytes, organisationID)
}

const storedBytes = `
	select ((select coalesce(sum(size), 0) from media where organisation_id = $1 and expires_at > now())
	      + (select coalesce(sum(size), 0) from uploads where organisation_id = $1 and expires_at > now())
	      + (select coalesce(sum(p.size), 0) from profile_pictures p join phone_numbers n on n.id = p.phone_number_id where n.organisation_id = $1))::bigint`
