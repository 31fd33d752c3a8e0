package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// setBack has the database say a time of long ago, as seen by this process.
func setBack(t *testing.T, pool *pgxpool.Pool, by string) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), `create or replace function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() - interval '`+by+`' $$`); err != nil {
		t.Fatal(err)
	}
}

// openBeside opens connections that look for functions in public first.
func openBeside(t *testing.T) *pgxpool.Pool {
	t.Helper()
	config := dbtest.Pool(t).Config()
	config.ConnConfig.RuntimeParams["search_path"] = "public, pg_catalog"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// A clock is compared with the database's, ahead and behind, and where it is wrong
// the database's time counts.
func TestClock(t *testing.T) {
	t.Parallel()
	pool := openBeside(t)
	clock := db.NewClock(pool)
	for _, tt := range []struct {
		back  string
		ahead time.Duration
		right bool
	}{
		{"0", 0, true}, {"4 minutes", 4 * time.Minute, true}, {"1 hour", time.Hour, false}, {"-1 hour", -time.Hour, false}, {"-1 minute", -time.Minute, true},
	} {
		setBack(t, pool, tt.back)
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) { // a slow answer is left out
			if err := clock.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			if near(clock.Offset(), tt.ahead) || time.Now().After(end) {
				break
			}
		}
		if !near(clock.Offset(), tt.ahead) || clock.IsRight() != tt.right {
			t.Errorf("a database %s behind: ahead by %v, right is %t", tt.back, clock.Offset(), clock.IsRight())
		}
		want := time.Now()
		if !tt.right {
			want = want.Add(-tt.ahead)
		}
		if got := clock.Now(); !near(got.Sub(want), 0) {
			t.Errorf("a database %s behind: the time is %v, want %v", tt.back, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	if !clock.Await(ctx, true) {
		t.Error("a right clock is waited for")
	}
	cancel()
	if clock.Await(ctx, false) {
		t.Error("a clock that is never wrong is")
	}
	pool.Close()
	if clock.Check(t.Context()) == nil || !clock.IsRight() {
		t.Error("a database that is away makes a clock wrong")
	}
}

func near(a, b time.Duration) bool { return (a - b).Abs() < time.Second }
