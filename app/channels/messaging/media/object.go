package media

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/storage"
)

// maxArrival is how long an upload may take. After that its object counts as
// left behind by a process that died.
const maxArrival = 24 * time.Hour

// Files stores the files of organisations.
type Files struct {
	pool   *pgxpool.Pool
	store  storage.Store
	quotas Quotas
}

// NewFiles returns files in a database and a storage, within quotas.
func NewFiles(pool *pgxpool.Pool, store storage.Store, quotas Quotas) Files {
	return Files{pool: pool, store: store, quotas: quotas}
}

// PutObject stores a body under a new key. The object is listed for removal
// first, so that it is removed even if this process dies, until DiscardKeep
// takes it from the list.
func (f *Files) PutObject(ctx context.Context, key func(id string) storage.Key, body io.Reader, o storage.PutOptions) (storage.Object, error) {
	k := key(uuid.NewString())
	if err := errands.DiscardInsert(ctx, f.pool, k.String(), maxArrival); err != nil {
		return storage.Object{}, fmt.Errorf("listing an object: %w", err)
	}
	object, err := f.store.Put(ctx, k, body, o)
	if err != nil {
		f.DiscardObject(ctx, k.String())
	}
	return object, err
}

// DiscardObject removes a listed object now. On an error Sweep removes it
// later.
func (f *Files) DiscardObject(ctx context.Context, object string) {
	ctx = context.WithoutCancel(ctx)
	if remove(ctx, f.store, object) == nil {
		_, _ = errands.DiscardDelete(ctx, f.pool, object)
	}
}

func remove(ctx context.Context, store storage.Store, object string) error {
	key, err := storage.ParseKey(object)
	if err != nil {
		return err
	}
	return store.Delete(ctx, key)
}

// sweepBatch is how many rows one transaction of Sweep deletes at most.
const sweepBatch = 100

// Sweep deletes expired media, uploads and fetched files, and removes objects that nothing
// refers to from storage.
func Sweep(ctx context.Context, pool *pgxpool.Pool, store storage.Store) error {
	for _, sweep := range []func() (int64, error){
		func() (int64, error) { return writes.MediaDeleteExpired(ctx, pool, sweepBatch) },
		func() (int64, error) { return writes.UploadDeleteExpired(ctx, pool, sweepBatch) },
		func() (int64, error) { return writes.FetchedDeleteExpired(ctx, pool, sweepBatch) },
		func() (int64, error) { return sweepObjects(ctx, pool, store) },
	} {
		for {
			n, err := sweep()
			if err != nil {
				return fmt.Errorf("sweeping media: %w", err)
			}
			if n < sweepBatch {
				break
			}
		}
	}
	if err := store.Sweep(ctx, storage.PutLife); err != nil {
		return fmt.Errorf("sweeping the storage: %w", err)
	}
	return nil
}

func sweepObjects(ctx context.Context, pool *pgxpool.Pool, store storage.Store) (n int64, err error) {
	err = db.InTx(ctx, pool, func(tx pgx.Tx) error {
		objects, err := errands.DiscardTake(ctx, tx, sweepBatch)
		for _, object := range objects {
			if err := remove(ctx, store, object); err != nil {
				return err
			}
		}
		n = int64(len(objects))
		return err
	})
	return n, err
}
