package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// CatalogueBatchInsert stores the outcome of a batch.
func CatalogueBatchInsert(ctx context.Context, q db.Querier, catalogueID int64, b models.CatalogueBatch) error {
	_, err := q.Exec(ctx, `insert into catalogue_batches (handle, catalogue_id, errors) values ($1, $2, $3)`, b.Handle, catalogueID, []byte(b.Errors))
	return err
}

// CatalogueBatchGet returns a batch of a catalogue.
func CatalogueBatchGet(ctx context.Context, q db.Querier, catalogueID int64, handle string) (models.CatalogueBatch, error) {
	return one[models.CatalogueBatch](ctx, q, `select handle, errors from catalogue_batches where catalogue_id = $1 and handle = $2`, catalogueID, handle)
}

// CatalogueBatchDelete drops batches older than age.
func CatalogueBatchDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	_, err := q.Exec(ctx, `delete from catalogue_batches where created_at < now() - $1::interval`, age)
	return err
}
