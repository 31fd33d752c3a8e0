// Package dbtest gives tests a real, migrated PostgreSQL database.
//
// With TEST_DATABASE_URL set, databases are made on that server; its role must
// be allowed to create them. Otherwise the test binaries of a `go test` run
// share one throwaway cluster: the first that needs it starts a supervisor in
// the background, every binary holds a lock while it runs, and the supervisor
// ends the cluster and itself half a minute after the last lock was let go
// (supervisor.go).
//
// A template database, named after the migrations, is migrated once; what
// tests get is cloned from it.
package dbtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
)

// Tx returns a transaction on a migrated database that no other test is using;
// it is rolled back at the end of the test. Only sequences keep their place.
func Tx(t testing.TB) pgx.Tx {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return s.beginTx(t, s.template)
}

// beginTx begins a transaction on a copy of a database.
func (s *server) beginTx(t testing.TB, template string) pgx.Tx {
	t.Helper()
	ctx := context.Background()
	conn, err := shelf.take(ctx, s, template)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		t.Fatalf("beginning a transaction: %v", err)
	}
	t.Cleanup(func() {
		if err := tx.Rollback(ctx); err != nil {
			conn.Close(ctx) //nolint:errcheck // committed or broken: nobody else may have it
			return
		}
		shelf.put(ctx, template, conn)
	})
	return tx
}

// Pool returns a pool of up to 8 connections to a database of the test's own,
// dropped at the end: for tests in which commits matter.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(context.Background(), URL(t), db.Options{MaxConns: 8, Application: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// URL returns the address of a migrated database of the test's own, dropped at
// the end: for tests that start a process or open their own pool.
func URL(t testing.TB) string {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return s.cloned(t, s.template)
}

// Empty returns the address of a database without any table, dropped at the
// end: for tests of the migrations themselves.
func Empty(t testing.TB) string {
	t.Helper()
	ctx := context.Background()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	name := newName()
	if err := s.exec(ctx, "create database "+name+" template template0 encoding 'UTF8'"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.drop(ctx, name); err != nil {
			t.Error(err)
		}
	})
	return s.address(name)
}

// newName names a database; the time lets a later run sweep what a killed one
// left behind.
func newName() string {
	return fmt.Sprintf("%s%d_%s", clonePrefix, time.Now().Unix(), random(6))
}
