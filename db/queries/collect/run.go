package collect

import (
	"context"

	"heliograph/db"
)

// Execute runs a statement.
func Execute(ctx context.Context, q db.Querier, sql string, args ...any) error {
	_, err := q.Exec(ctx, sql, args...)
	return err
}

// Changed runs a statement, and reports whether it changed a row.
func Changed(ctx context.Context, q db.Querier, sql string, args ...any) (bool, error) {
	tag, err := q.Exec(ctx, sql, args...)
	return tag.RowsAffected() > 0, err
}

// Count runs a statement, and returns how many rows it changed.
func Count(ctx context.Context, q db.Querier, sql string, args ...any) (int64, error) {
	tag, err := q.Exec(ctx, sql, args...)
	return tag.RowsAffected(), err
}
