package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CatalogueBatchInsert stores the outcome of a batch.
func CatalogueBatchInsert(ctx context.Context, q db.Querier, catalogueID int64, b models.CatalogueBatch) error {
	return collect.Execute(ctx, q, `insert into catalogue_batches (handle, catalogue_id, errors) values ($1, $2, $3)`, b.Handle, catalogueID, []byte(b.Errors))
}

// CatalogueBatchDelete drops batches older than age.
func CatalogueBatchDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	return collect.Execute(ctx, q, `delete from catalogue_batches where created_at < now() - $1::interval`, age)
}
