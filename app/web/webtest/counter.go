package webtest

import (
	"context"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"heliograph/db"
)

// counter counts the statements that pass through it and through transactions
// begun on it.
type counter struct {
	db.Beginner
	n atomic.Int64
}

func (c *counter) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	c.n.Add(1)
	return c.Beginner.Exec(ctx, sql, args...)
}

func (c *counter) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	c.n.Add(1)
	return c.Beginner.Query(ctx, sql, args...)
}

func (c *counter) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	c.n.Add(1)
	return c.Beginner.QueryRow(ctx, sql, args...)
}

func (c *counter) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	c.n.Add(int64(b.Len()))
	return c.Beginner.SendBatch(ctx, b)
}

func (c *counter) Begin(ctx context.Context) (pgx.Tx, error) {
	tx, err := c.Beginner.Begin(ctx)
	return &countedTx{tx, c}, err
}

type countedTx struct {
	pgx.Tx
	counter *counter
}

func (t *countedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	t.counter.n.Add(1)
	return t.Tx.Exec(ctx, sql, args...)
}

func (t *countedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	t.counter.n.Add(1)
	return t.Tx.Query(ctx, sql, args...)
}

func (t *countedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	t.counter.n.Add(1)
	return t.Tx.QueryRow(ctx, sql, args...)
}

func (t *countedTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	t.counter.n.Add(int64(b.Len()))
	return t.Tx.SendBatch(ctx, b)
}
