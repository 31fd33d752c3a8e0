package dbtest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
)

// filled holds, by name, the function that returns the database that a test filled.
var filled sync.Map

// Filled returns the address of a database of the test's own with what fill writes,
// dropped at the end. fill runs for the first test of the process that asks for the
// name; it must not depend on that test. Others get copies. The database that is
// copied stays until the cluster ends or a later run sweeps it.
func Filled(t testing.TB, name string, fill func(context.Context, *pgxpool.Pool) error) string {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	once, _ := filled.LoadOrStore(name, sync.OnceValues(func() (string, error) { return s.fill(ctx, fill) }))
	template, err := once.(func() (string, error))()
	if err != nil {
		t.Fatalf("filling the database %s: %v", name, err)
	}
	return s.cloned(t, template)
}

// FilledPool returns a pool over Filled.
func FilledPool(t testing.TB, name string, fill func(context.Context, *pgxpool.Pool) error) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(context.Background(), Filled(t, name, fill), db.Options{MaxConns: 8, Application: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// fill makes a database to clone, closed to connections, which would stand in the
// way.
func (s *server) fill(ctx context.Context, fill func(context.Context, *pgxpool.Pool) error) (string, error) {
	name, err := s.clone(ctx, s.template)
	if err != nil {
		return "", err
	}
	pool, err := db.Open(ctx, s.address(name), db.Options{MaxConns: 3, Application: "test template"})
	if err != nil {
		return "", err
	}
	err = fill(ctx, pool)
	pool.Close()
	if err != nil {
		return "", fmt.Errorf("filling %s: %w", name, err)
	}
	return name, s.exec(ctx, "alter database "+name+" allow_connections false")
}

// cloned returns the address of a copy of a database, dropped at the end.
func (s *server) cloned(t testing.TB, template string) string {
	t.Helper()
	ctx := context.Background()
	name, err := s.clone(ctx, template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.drop(ctx, name); err != nil {
			t.Error(err)
		}
	})
	return s.address(name)
}
