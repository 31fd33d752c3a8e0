package builds

import (
	"context"
	"fmt"
	"time"

	"heliograph/app/lists"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	"heliograph/storage"
)

// sweepAfter is how old an archive is before it is taken for one that no build has: a
// worker stores an archive shortly before its row names it.
const sweepAfter = 24 * time.Hour

// Sweep deletes the archives that no build has, such as archives of a worker that died and
// of deleted versions.
func Sweep(ctx context.Context, q db.Querier, store storage.Store, now time.Time) error {
	var old []storage.Key
	for o, err := range store.List(ctx, storage.SDKKey("").String()) {
		if err != nil {
			return fmt.Errorf("listing archives: %w", err)
		}
		if now.Sub(o.Modified) >= sweepAfter {
			old = append(old, o.Key)
		}
	}
	if len(old) == 0 {
		return nil
	}
	list, err := queries.SDKObjectList(ctx, q)
	if err != nil {
		return fmt.Errorf("listing builds: %w", err)
	}
	used := lists.Set(list)
	for _, key := range old {
		if used[key.String()] {
			continue
		}
		if err := store.Delete(ctx, key); err != nil {
			return fmt.Errorf("deleting an archive: %w", err)
		}
	}
	return nil
}
