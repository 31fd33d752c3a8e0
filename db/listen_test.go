package db_test

import (
	"context"
	"testing"
	"time"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// A listener hears again by itself after its connection was cut, and says in between
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

// A listener that hears nothing tries its connection and keeps it.
func TestListenerKeepsAQuietConnection(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	listener.SetQuiet(10 * time.Millisecond)
	connections := make(chan struct{}, 100)
	heard := make(chan string, 100)
	listener.Subscribe(func(payload string) {
		if payload == "" {
			connections <- struct{}{}
			return
		}
		heard <- payload
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		listener.Run(ctx)
	}()
	defer func() { cancel(); <-ended }()
	<-connections
	var tried time.Time
	for tries, deadline := 0, time.Now().Add(time.Minute); tries < 3; {
		var at time.Time
		err := pool.QueryRow(t.Context(), `
			select coalesce(max(query_start), 'epoch') from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and query like '%ping%'`).Scan(&at)
		if err != nil {
			t.Fatal(err)
		}
		if at.After(tried) && at.Year() > 1970 {
			tries, tried = tries+1, at
		}
		if time.Now().After(deadline) {
			t.Fatalf("the connection was tried %d times within a minute", tries)
		}
	}
	if _, err := pool.Exec(t.Context(), "select pg_notify($1, 'release')", db.Channel); err != nil {
		t.Fatal(err)
	}
	if got := <-heard; got != "release" {
		t.Errorf("heard %q, want release", got)
	}
	if n := len(connections); n != 0 {
		t.Errorf("the listener connected %d times again, though its connection was well", n)
	}
}
