package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
)

// one returns the first row of a statement. Columns and the fields of T have
// the same names, in any order: one that the other lacks is an error. A
// statement without rows is pgx.ErrNoRows.
func one[T any](ctx context.Context, q db.Querier, sql string, args ...any) (row T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return row, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByName[T])
}

// oneLax is one for a statement that fills only some of the fields of T.
func oneLax[T any](ctx context.Context, q db.Querier, sql string, args ...any) (row T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return row, err
	}
	return pgx.CollectOneRow(rows, pgx.RowToStructByNameLax[T])
}

// many returns every row of a statement, by the rules of one.
func many[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}

// manyLax is many for a statement that fills only some of the fields of T.
func manyLax[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
}

// values returns the only column of every row of a statement.
func values[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}
