package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CatalogueBatchGet returns a batch of a catalogue.
func CatalogueBatchGet(ctx context.Context, q db.Querier, catalogueID int64, handle string) (models.CatalogueBatch, error) {
	return collect.One[models.CatalogueBatch](ctx, q, `select handle, errors from catalogue_batches where catalogue_id = $1 and handle = $2`, catalogueID, handle)
}
