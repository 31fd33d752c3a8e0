package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
)

// filler writes what several tests find in their databases. It must not depend on the test
// that happens to be the first.
type filler func(context.Context, *pgxpool.Pool) error

// filled holds, by name, the function that returns the database that was filled.
var filled sync.Map

// Filled returns the address of a database of the test's own with what fill writes,
// dropped at the end. fill runs once for all test binaries of a `go test`: in all of
// them a name stands for the same. Others get copies. The database that is copied stays
// until the cluster ends or a later run sweeps it.
func Filled(t testing.TB, name string, fill filler) string {
	t.Helper()
	s, template := filledTemplate(t, name, fill)
	return s.cloned(t, template)
}

// FilledPool returns a pool over Filled.
func FilledPool(t testing.TB, name string, fill filler) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(context.Background(), Filled(t, name, fill), db.Options{MaxConns: 8, Application: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// FilledTx is Tx with what fill writes.
func FilledTx(t testing.TB, name string, fill filler) pgx.Tx {
	t.Helper()
	s, template := filledTemplate(t, name, fill)
	return s.beginTx(t, template)
}

func filledTemplate(t testing.TB, name string, fill filler) (*server, string) {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	once, _ := filled.LoadOrStore(name, sync.OnceValues(func() (string, error) { return s.fill(context.Background(), name, fill) }))
	template, err := once.(func() (string, error))()
	if err != nil {
		t.Fatalf("filling the database %s: %v", name, err)
	}
	return s, template
}

// fill makes a database to clone, closed to connections, which would stand in the
// way. One that another test binary of the run has made is taken: it gets the end of its
// name when it is complete.
func (s *server) fill(ctx context.Context, name string, fill filler) (string, error) {
	sum := sha256.Sum256([]byte(run() + " " + name))
	end := "_" + hex.EncodeToString(sum[:8])
	// Its own connection, since all of the pool could wait here for each other.
	lock, err := pgx.Connect(ctx, s.url.String())
	if err != nil {
		return "", fmt.Errorf("reaching the test database: %w", err)
	}
	defer lock.Close(ctx) //nolint:errcheck // it only lets go
	if _, err := lock.Exec(ctx, "select pg_advisory_lock($1, hashtext($2))", fillLock, end); err != nil {
		return "", fmt.Errorf("waiting for another test that fills %s: %w", name, err)
	}
	var made string
	err = lock.QueryRow(ctx, `select datname::text from pg_database where starts_with(datname, $1) and right(datname, length($2)) = $2`, clonePrefix, end).Scan(&made)
	if !errors.Is(err, pgx.ErrNoRows) {
		return made, err
	}
	making, err := s.clone(ctx, s.template)
	if err != nil {
		return "", err
	}
	pool, err := db.Open(ctx, s.address(making), db.Options{MaxConns: 3, Application: "test template"})
	if err != nil {
		return "", err
	}
	err = fill(ctx, pool)
	pool.Close()
	if err != nil {
		return "", fmt.Errorf("filling %s: %w", making, err)
	}
	if err := s.exec(ctx, "alter database "+making+" allow_connections false"); err != nil {
		return "", err
	}
	return making + end, s.exec(ctx, "alter database "+making+" rename to "+making+end)
}

// run names the `go test` that this binary belongs to, or the process where another
// program started it. Binaries of another run may have been made of other sources.
func run() string {
	parent := os.Getppid()
	if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent)); err == nil && strings.TrimSpace(string(name)) == "go" {
		if since := started(parent); since != "" {
			return fmt.Sprintf("%d_%s", parent, since)
		}
	}
	return fmt.Sprintf("%d_%s", os.Getpid(), random(4))
}

// started is when a process started, in ticks since the machine did.
func started(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name of the program, in brackets, may contain anything.
	_, fields, _ := strings.Cut(string(stat), ") ")
	if list := strings.Fields(fields); len(list) > 19 {
		return list[19]
	}
	return ""
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
