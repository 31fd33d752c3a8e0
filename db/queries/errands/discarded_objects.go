package errands

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// DiscardInsert names an object that is to be removed after a time.
func DiscardInsert(ctx context.Context, q db.Querier, object string, after time.Duration) error {
	return collect.Execute(ctx, q, `insert into discarded_objects (object, due_at) values ($1, now() + $2::interval)`, object, after)
}

// DiscardDelete takes an object off the list, because it is wanted after all
// or is gone, and reports whether it was listed.
func DiscardDelete(ctx context.Context, q db.Querier, object string) (bool, error) {
	return collect.Changed(ctx, q, `delete from discarded_objects where object = $1`, object)
}

// DiscardTake takes up to limit objects that are due off the list and returns
// them: remove them before the transaction ends.
func DiscardTake(ctx context.Context, tx pgx.Tx, limit int) ([]string, error) {
	return collect.Values[string](ctx, tx, `
		delete from discarded_objects where object in (
			select object from discarded_objects where due_at <= now() order by due_at limit $1 for update skip locked)
		returning object`, limit)
}

// DiscardKeep takes an object off the list, in the transaction that stores the row that
// refers to it. An object that is not on the list any more was removed.
func DiscardKeep(ctx context.Context, q db.Querier, object string) error {
	listed, err := DiscardDelete(ctx, q, object)
	if err != nil {
		return fmt.Errorf("keeping an object: %w", err)
	}
	if !listed {
		return fmt.Errorf("object %s took too long to arrive and was removed", object)
	}
	return nil
}
