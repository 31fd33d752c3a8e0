package errands

import (
	"context"
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
