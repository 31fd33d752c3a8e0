package db_test

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// migrateVar makes this test binary migrate the database that it names.
const migrateVar = "HELIOGRAPH_TEST_MIGRATE"

func TestMigrateFromNothingTwice(t *testing.T) {
	t.Parallel()
	pool := open(t, dbtest.Empty(t))
	if current, err := db.Current(t.Context(), pool); current {
		t.Errorf("Current = true, %v before any migration", err)
	}
	for range 2 {
		if err := db.Migrate(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		if current, err := db.Current(t.Context(), pool); !current || err != nil {
			t.Errorf("Current = %v, %v after Migrate, want true", current, err)
		}
	}
	var unused int
	if err := pool.QueryRow(t.Context(), `select count(*) from pg_indexes where schemaname = 'river' and indexname = any($1)`, db.UnusedJobIndexes).Scan(&unused); err != nil || unused != 0 {
		t.Errorf("%d indexes of jobs are kept that nobody uses, %v", unused, err)
	}
	_, err := pool.Exec(t.Context(), "delete from goose_db_version where version_id = (select max(version_id) from goose_db_version)")
	if err != nil {
		t.Fatal(err)
	}
	if current, err := db.Current(t.Context(), pool); current || err != nil {
		t.Errorf("Current = %v, %v one migration behind, want false", current, err)
	}
}

func TestMigrateFromFourProcessesAtOnce(t *testing.T) {
	t.Parallel()
	if url := os.Getenv(migrateVar); url != "" {
		if err := db.Migrate(t.Context(), open(t, url)); err != nil {
			t.Fatal(err)
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	url := dbtest.Empty(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			child := exec.Command(self, "-test.run=^TestMigrateFromFourProcessesAtOnce$")
			child.Env = append(os.Environ(), migrateVar+"="+url)
			if out, err := child.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	group.Wait()
	pool := open(t, url)
	if current, err := db.Current(t.Context(), pool); !current || err != nil {
		t.Errorf("Current = %v, %v, want true", current, err)
	}
	var twice int
	err = pool.QueryRow(t.Context(), "select count(*) - count(distinct version_id) from goose_db_version").Scan(&twice)
	if err != nil || twice != 0 {
		t.Errorf("%d migrations are recorded twice, %v", twice, err)
	}
}

func open(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), url, db.Options{MaxConns: 4, Application: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}
