package messaging

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/queries"
	"heliograph/storage"
)

// pending is how long a file may be on its way in before it counts as left
// behind by a process that died.
const pending = 24 * time.Hour

// put stores a body under a new key. The object is on the list of those to be
// removed, whatever happens to this process, until keep takes it off.
func (s *Service) put(ctx context.Context, key func(id string) storage.Key, body io.Reader, o storage.PutOptions) (storage.Object, error) {
	k := key(uuid.NewString())
	if err := queries.DiscardInsert(ctx, s.pool, k.String(), pending); err != nil {
		return storage.Object{}, fmt.Errorf("listing an object: %w", err)
	}
	object, err := s.store.Put(ctx, k, body, o)
	if err != nil {
		s.discard(ctx, k.String())
	}
	return object, err
}

// keep makes an object stay, in the transaction that makes a row refer to it.
func keep(ctx context.Context, tx pgx.Tx, object string) error {
	listed, err := queries.DiscardDelete(ctx, tx, object)
	if err != nil {
		return fmt.Errorf("keeping an object: %w", err)
	}
	if !listed {
		return fmt.Errorf("object %s took too long to arrive and was removed", object)
	}
	return nil
}

// discard removes a listed object now. What fails is left to SweepMedia.
func (s *Service) discard(ctx context.Context, object string) {
	ctx = context.WithoutCancel(ctx)
	if removeObject(ctx, s.store, object) == nil {
		_, _ = queries.DiscardDelete(ctx, s.pool, object)
	}
}

func removeObject(ctx context.Context, store storage.Store, object string) error {
	key, err := storage.ParseKey(object)
	if err != nil {
		return err
	}
	return store.Delete(ctx, key)
}

// sweepBatch bounds the rows that one transaction of SweepMedia deletes.
const sweepBatch = 100

// SweepMedia deletes media and uploads whose time is over, and removes from
// storage what nothing refers to.
func SweepMedia(ctx context.Context, pool *pgxpool.Pool, store storage.Store) error {
	for _, sweep := range []func() (int64, error){
		func() (int64, error) { return queries.MediaDeleteExpired(ctx, pool, sweepBatch) },
		func() (int64, error) { return queries.UploadDeleteExpired(ctx, pool, sweepBatch) },
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
	return nil
}

func sweepObjects(ctx context.Context, pool *pgxpool.Pool, store storage.Store) (n int64, err error) {
	err = db.InTx(ctx, pool, func(tx pgx.Tx) error {
		objects, err := queries.DiscardTake(ctx, tx, sweepBatch)
		for _, object := range objects {
			if err := removeObject(ctx, store, object); err != nil {
				return err
			}
		}
		n = int64(len(objects))
		return err
	})
	return n, err
}
