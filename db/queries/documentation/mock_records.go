package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MockRecordList returns the records of a scope that have not expired, the oldest
// first, deleted ones among them.
func MockRecordList(ctx context.Context, q db.Querier, scope []byte) ([]models.MockRecord, error) {
	return collect.Many[models.MockRecord](ctx, q, `
		select scope, client, collection, id, value, deleted from mock_records
		where scope = $1 and expires_at > now() order by created_at, id`, scope)
}
