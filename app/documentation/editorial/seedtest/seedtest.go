// Package seedtest gives tests databases with the documentation that comes with the
// program. It is published once in a run of tests, and copied.
package seedtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/editorial"
	"heliograph/db/dbtest"
	"heliograph/db/seed"
)

// name is what the database is called in each test binary.
const name = "seed"

func fill(ctx context.Context, pool *pgxpool.Pool) error {
	return editorial.Seed(ctx, pool, seed.Files)
}

// URL returns the address of a database of the test's own, dropped at the end.
func URL(t testing.TB) string {
	t.Helper()
	return dbtest.Filled(t, name, fill)
}

// Pool returns a pool over URL.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return dbtest.FilledPool(t, name, fill)
}

// Tx returns a transaction that is rolled back at the end of the test.
func Tx(t testing.TB) pgx.Tx {
	t.Helper()
	return dbtest.FilledTx(t, name, fill)
}
