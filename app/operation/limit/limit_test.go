package limit_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/dbtest"
)

func keys(t *testing.T) *keyring.Keyring {
	t.Helper()
	k, err := keyring.New([]string{"k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestTakeIsExactAcrossProcesses(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	var allowed atomic.Int64
	var all sync.WaitGroup
	for range 2 {
		pool, err := db.Open(t.Context(), url, db.Options{MaxConns: 8})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		limiter := limit.New(pool, keys(t))
		for range 64 {
			all.Go(func() {
				err := limiter.Take(context.Background(), limit.Limit{Name: "test", Burst: 9, Period: time.Hour}, "asha")
				if err == nil {
					allowed.Add(1)
				} else if !fault.Is(err, fault.Limited) {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if allowed.Load() != 9 {
		t.Errorf("%d of 128 calls were allowed, want 9", allowed.Load())
	}
}

func TestTakeRefills(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	limiter := limit.New(tx, keys(t))
	n := limit.Limit{Name: "test", Burst: 2, Period: time.Minute}
	take := func() error { return limiter.Take(t.Context(), n, "asha") }
	if err := take(); err != nil {
		t.Fatal(err)
	}
	if err := take(); err != nil {
		t.Fatal(err)
	}
	// The clock of a transaction stands still: the wait is exact.
	if f := fault.As(take()); f == nil || f.RetryAfter != 30*time.Second || f.Message != "Too many attempts. Wait 30 seconds, then try again." {
		t.Errorf("the third gives %+v, want a wait of 30 s", f)
	}
	if err := limiter.Take(t.Context(), n, "ravi"); err != nil {
		t.Errorf("another key pays for the first: %v", err)
	}
	if err := limiter.Take(t.Context(), limit.Limit{Name: "other", Burst: 1, Period: time.Minute}, "asha"); err != nil {
		t.Errorf("another limit pays for the first: %v", err)
	}
	if _, err := tx.Exec(t.Context(), `update rate_limits set tat = tat - interval '30 seconds'`); err != nil {
		t.Fatal(err)
	}
	if err := take(); err != nil {
		t.Errorf("after half the period: %v", err)
	}
	if err := take(); err == nil {
		t.Error("half a period gives one, not two")
	}
}

// Who moves through the networks of one site gets no further than ten of them.
func TestTakeCountsSites(t *testing.T) {
	t.Parallel()
	limiter, n := limit.New(dbtest.Tx(t), keys(t)), limit.Limit{Name: "test", Burst: 2, Period: time.Hour}
	allowed := 0
	for i := range 30 {
		if err := limiter.Take(t.Context(), n, limit.Client(fmt.Sprintf("2001:db8:1:%x::1", i))); err == nil {
			allowed++
		} else if !fault.Is(err, fault.Limited) {
			t.Fatal(err)
		}
	}
	if allowed != 20 {
		t.Errorf("%d of 30 networks of a site passed, want 20", allowed)
	}
	for _, other := range []string{"2001:db8:2:1::1", "198.51.100.7"} {
		if err := limiter.Take(t.Context(), n, limit.Client(other)); err != nil {
			t.Errorf("%s pays for the site: %v", other, err)
		}
	}
	// Only the networks of Client have a site.
	for i := range 30 {
		if err := limiter.Take(t.Context(), n, fmt.Sprintf("2001:db8:1:%x::/63", 2*i)); err != nil {
			t.Errorf("a network of another size pays for the site: %v", err)
		}
	}
}

func TestTakeStoresNoKeys(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if err := limit.New(tx, keys(t)).Take(t.Context(), limit.Limit{Name: "test", Burst: 1, Period: time.Minute}, "198.51.100.7"); err != nil {
		t.Fatal(err)
	}
	var stored, commit string
	if err := tx.QueryRow(t.Context(), `select max(key), current_setting('synchronous_commit') from rate_limits`).Scan(&stored, &commit); err != nil {
		t.Fatal(err)
	}
	if len(stored) != len("test:")+22 {
		t.Errorf("the table holds %q", stored)
	}
	if commit != "off" {
		t.Errorf("synchronous_commit is %s: each count waits for the disk", commit)
	}
}

func TestTakeWithoutDatabase(t *testing.T) {
	t.Parallel()
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none?connect_timeout=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	limiter := limit.New(pool, keys(t))
	err = limiter.Take(t.Context(), limit.Limit{Name: "guard", Burst: 1, Period: time.Minute}, "asha")
	if f := fault.As(err); !fault.Is(err, fault.Unavailable) || f.RetryAfter != 5*time.Second {
		t.Errorf("a closed limit gives %v, want Unavailable and a wait of 5 s", err)
	}
	if err := limiter.Take(t.Context(), limit.Limit{Name: "search", Burst: 1, Period: time.Minute, Open: true}, "asha"); err != nil {
		t.Errorf("an open limit gives %v", err)
	}
}

func TestClient(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"198.51.100.7":          "198.51.100.7",
		"::ffff:198.51.100.7":   "198.51.100.7",
		"2001:db8:1:2:3:4:5:6":  "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1":  "2001:db8:1:2::/64",
		"fe80::1%eth0":          "fe80::/64",
		"2001:db8:1:3:3:4:5:06": "2001:db8:1:3::/64",
		"":                      "",
	} {
		if got := limit.Client(address); got != want {
			t.Errorf("Client(%q) = %q, want %q", address, got, want)
		}
	}
}
