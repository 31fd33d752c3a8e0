package pipeline

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	queries "heliograph/db/queries/channels"
)

// ListTraces returns the traces of the requests that messages came with, and of the
// message of a callback, 0 for none.
func ListTraces(ctx context.Context, q db.Querier, ids []uuid.UUID, deliveryID int64) ([]string, error) {
	return queries.MessageListTraces(ctx, q, ids, deliveryID)
}
