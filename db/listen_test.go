package db_test

import (
	"context"
	"testing"
	"time"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// A listener whose connection is cut hears again by itself, and says in between
// that it does not, so that nothing is served from memory meanwhile.
func TestListenerHearsAgainAfterItsConnectionIsCut(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	heard := make(chan string, 100)
	listener.Subscribe(func(payload string) { heard <- payload })
	if listener.Connected() {
		t.Error("a listener that does not run says that it hears")
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		listener.Run(ctx)
	}()
	want := func(what string) {
		t.Helper()
		select {
		case got := <-heard:
			if got != what {
				t.Fatalf("heard %q, want %q", got, what)
			}
		case <-time.After(time.Minute):
			t.Fatalf("did not hear %q within a minute", what)
		}
	}
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	notify := func(payload string) { t.Helper(); exec("select pg_notify($1, $2)", db.Channel, payload) }

	want("") // connected: anything may have changed before
	if !listener.Connected() {
		t.Error("a listener that is connected says that it does not hear")
	}
	notify("changed:products")
	want("changed:products")
	exec(`select pg_notify('another_channel', 'x')`)
	exec(`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen ' || $1 and datname = current_database()`, db.Channel)
	want("") // connected again
	notify("release")
	want("release")

	cancel()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the listener did not end with its context")
	}
	if listener.Connected() {
		t.Error("a listener that ended says that it hears")
	}
}
