package dbtest_test

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
)

func TestTxIsMigratedAndRolledBack(t *testing.T) {
	t.Parallel()
	// One after the other on the same shelf: the second finds nothing of the first.
	for range 3 {
		t.Run("insert", func(t *testing.T) {
			tx := dbtest.Tx(t)
			if got := organisations(t, tx); got != 0 {
				t.Errorf("%d organisations before the test inserted any", got)
			}
			insert(t, tx)
			if _, err := tx.Exec(t.Context(), "set timezone to 'Asia/Kolkata'"); err != nil {
				t.Fatal(err)
			}
		})
	}
	var zone string
	if err := dbtest.Tx(t).QueryRow(t.Context(), "show timezone").Scan(&zone); err != nil || zone != "UTC" {
		t.Errorf("timezone = %q, %v; want UTC after another test had set its own", zone, err)
	}
}

func TestACommittedTxIsNotSharedOn(t *testing.T) {
	t.Parallel()
	t.Run("commit", func(t *testing.T) {
		tx := dbtest.Tx(t)
		insert(t, tx)
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	if got := organisations(t, dbtest.Tx(t)); got != 0 {
		t.Errorf("%d organisations were left by a test that committed", got)
	}
}

func TestPoolsAreSeparate(t *testing.T) {
	t.Parallel()
	first, second := dbtest.Pool(t), dbtest.Pool(t)
	insert(t, first)
	if got := organisations(t, second); got != 0 {
		t.Errorf("the second pool sees %d organisations of the first", got)
	}
}

// A database is filled once, and each test has a copy of its own.
func TestFilledIsCopied(t *testing.T) {
	t.Parallel()
	fills, name := 0, "copied "+rand.Text()
	open := func() *pgxpool.Pool {
		address := dbtest.Filled(t, name, func(ctx context.Context, pool *pgxpool.Pool) error {
			fills++
			_, err := pool.Exec(ctx, "insert into organisations (name) values ('Sandbox')")
			return err
		})
		pool, err := pgxpool.New(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return pool
	}
	first, second := open(), open()
	insert(t, first)
	if here, there := organisations(t, first), organisations(t, second); here != 2 || there != 1 || fills != 1 {
		t.Errorf("%d and %d organisations after %d fills, want 2 and 1 after one", here, there, fills)
	}
}

func TestADatabaseIsDroppedAtTheEnd(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("use", func(t *testing.T) { url = dbtest.URL(t) })
	if conn, err := pgx.Connect(t.Context(), url); err == nil {
		conn.Close(context.Background())
		t.Errorf("%s still takes connections", url)
	}
}

// Another process of the same run gets the same cluster: the address differs
// in the database alone.
func TestProcessesShareTheCluster(t *testing.T) {
	t.Parallel()
	const ask = "HELIOGRAPH_DBTEST_PRINT_URL"
	url := dbtest.URL(t)
	if os.Getenv(ask) != "" {
		os.Stdout.WriteString("url=" + url + "\n")
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self, "-test.run=^TestProcessesShareTheCluster$", "-test.v")
	child.Env = append(os.Environ(), ask+"=1")
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := url[:strings.LastIndex(url, "/")+1]
	if !strings.Contains(string(out), "url="+server) {
		t.Errorf("the other process is not on %s:\n%s", server, out)
	}
}

func insert(t *testing.T, q db.Querier) {
	t.Helper()
	if _, err := q.Exec(t.Context(), "insert into organisations (name) values ('Sandbox')"); err != nil {
		t.Fatal(err)
	}
}

func organisations(t *testing.T, q db.Querier) (n int) {
	t.Helper()
	if err := q.QueryRow(t.Context(), "select count(*) from organisations").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
