package db_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/dev"
)

// A server that takes no connections, because it starts, recovers or shuts down, is
// asked for few, and whoever needs one hears why there is none. A pool works again as
// soon as the server does.
func TestServerThatTakesNoConnectionsIsAskedForFew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	cluster, err := dev.Start(t.Context(), dir, dev.Options{Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	pool, err := db.Open(t.Context(), cluster.URL, db.Options{MaxConns: 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	session, err := pgx.Connect(t.Context(), cluster.URL) // it keeps the server from ending
	if err != nil {
		t.Fatal(err)
	}
	pool.Reset()
	before := serverLog(t, dir)
	if err := syscall.Kill(postmaster(t, dir), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var asked atomic.Int64
	for range 20 {
		wg.Go(func() {
			for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				err := pool.Ping(t.Context())
				if err == nil {
					continue
				}
				asked.Add(1)
				if !db.IsUnreachable(err) {
					t.Errorf("%v does not say that the server cannot be reached", err)
				}
			}
		})
	}
	wg.Wait()
	refused := strings.Count(serverLog(t, dir)[len(before):], "the database system is shutting down")
	if n := asked.Load(); n < 500 || refused == 0 || refused > 60 {
		t.Errorf("the server refused %d connections for %d that were needed, want at most 60 for 500 or more", refused, n)
	}

	if err := session.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for end := time.Now().Add(time.Minute); pool.Ping(t.Context()) != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the pool does not reach the server that is back")
		}
	}
}

func serverLog(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// postmaster returns the process id of the server.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
