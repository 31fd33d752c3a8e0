package collect

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
)

// One returns the first row of a statement. Columns and the fields of T have
// the same names, in any order: One that the other lacks is an error. A
// statement without rows is pgx.ErrNoRows.
func One[T any](ctx context.Context, q db.Querier, sql string, args ...any) (row T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return row, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByName[T])
}

// OneLax is one for a statement that fills only some of the fields of T.
func OneLax[T any](ctx context.Context, q db.Querier, sql string, args ...any) (row T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return row, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByNameLax[T])
}

// Many returns every row of a statement, by the rules of one.
func Many[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}

// ManyLax is many for a statement that fills only some of the fields of T.
func ManyLax[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
}

// Value returns the only column of the first row of a statement. A statement without
// rows is pgx.ErrNoRows.
func Value[T any](ctx context.Context, q db.Querier, sql string, args ...any) (value T, err error) {
	err = q.QueryRow(ctx, sql, args...).Scan(&value)
	return value, err
}

// Values returns the only column of every row of a statement.
func Values[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

// Map returns the two columns of every row of a statement: the keys of a map, and their
// values.
func Map[K comparable, V any](ctx context.Context, q db.Querier, sql string, args ...any) (map[K]V, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	values := map[K]V{}
	var key K
	var value V
	_, err = pgx.ForEachRow(rows, []any{&key, &value}, func() error {
		values[key] = value
		return nil
	})
	return values, err
}
