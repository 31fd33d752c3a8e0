package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"heliograph/app/keyring"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/dev"
)

// The database is stopped and started beneath a running server.
func TestHealthFollowsTheDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cluster, err := dev.Start(t.Context(), dir, dev.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.Open(t.Context(), cluster.URL, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	site := webtest.New(t, func(d *web.Deps) { d.DB, d.Pool = pool, pool })
	status := func(path string) int {
		w := httptest.NewRecorder()
		site.Server.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if body := w.Body.String(); path != "/readyz" && strings.Trim(body, "{}") != `"status":"ok"` && strings.Trim(body, "{}") != `"status":"unavailable"` {
			t.Errorf("%s says more than it should: %s", path, body)
		}
		return w.Code
	}
	expect := func(path string, want int, within time.Duration) {
		t.Helper()
		start := time.Now()
		for status(path) != want {
			if time.Since(start) > within {
				t.Fatalf("%s is not %d within %v", path, want, within)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}

	// How soon exactly is for drills, on a machine that has nothing else to do.
	const soon = time.Minute
	if status("/health") != 200 {
		t.Error("before migrating, the process should be healthy")
	}
	wantUnready(t, site, "schema of the database is older")
	if err := db.Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	expect("/readyz", 200, soon)

	if err := cluster.Stop(); err != nil {
		t.Fatal(err)
	}
	expect("/health", 503, soon)
	expect("/readyz", 503, soon)
	wantUnready(t, site, "database does not answer")
	if status("/livez") != 200 {
		t.Error("the process is said to be dead with its database")
	}
	if a := site.Client(t).Get("/robots.txt"); a.Status != 200 {
		t.Errorf("a page that needs no database gives %d", a.Status)
	}
	c := site.Client(t)
	c.Get("/admin/login")
	if a := c.Post("/admin/login", map[string][]string{"email": {"asha@example.com"}, "password": {"x"}}); a.Status != 503 || a.Header.Get("Retry-After") == "" || strings.Contains(a.Body, "127.0.0.1") {
		t.Errorf("signing in without a database gives %d %s", a.Status, a.Find("main").Text())
	}

	cluster, err = dev.Start(context.Background(), dir, dev.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	expect("/health", 200, soon)
	expect("/readyz", 200, soon)
	checkDraining(t, site)
}

// checkDraining has a process drain: it is healthy, not ready, and ends its connections.
func checkDraining(t *testing.T, site *webtest.Site) {
	t.Helper()
	c := site.Client(t)
	if c.Get("/health").Header.Get("Connection") != "" {
		t.Error("connections are not kept")
	}
	slow := beginRequest(site)
	site.Server.Drain()
	if header := slow(); header.Get("Connection") != "close" {
		t.Error("a request that a draining process still had keeps its connection")
	}
	if c.Get("/readyz").Status != 503 || c.Get("/health").Status != 200 {
		t.Error("a draining process should be healthy and not ready")
	}
	if c.Get("/health").Header.Get("Connection") != "close" {
		t.Error("a draining process keeps connections that it will close under a request")
	}
}

// beginRequest begins a request with a form in two parts. Sending the second one
// returns the header of the response.
func beginRequest(site *webtest.Site) (end func() http.Header) {
	form, sender := io.Pipe()
	r := httptest.NewRequest(http.MethodPost, "/contact-us", form)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		site.Server.Handler().ServeHTTP(w, r)
		form.Close()
		close(done)
	}()
	io.WriteString(sender, "name=Asha") //nolint:errcheck // returns once the handler reads or has answered
	return func() http.Header {
		sender.Close()
		<-done
		return w.Header()
	}
}

// A database that was restored beneath a running process may be sealed with
// another key.
func TestReadyzTellsOfAWrongKey(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, func(d *web.Deps) {
		d.Pool = dbtest.Pool(t)
		id := d.Keyring.IDs()[0]
		if _, err := d.Pool.Exec(t.Context(), `insert into key_checks (key_id, sealed) values ($1, $2)`, id, []byte(keyring.Prefix(id)+"AAAA")); err != nil {
			t.Fatal(err)
		}
	})
	wantUnready(t, site, "ENCRYPTION_KEYS does not open what is stored")
}

// A database that takes no changes, such as a replica, keeps its processes alive and
// not ready.
func TestReadyzTellsOfAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, func(d *web.Deps) {
		d.Pool = dbtest.Pool(t)
		if _, err := d.Pool.Exec(t.Context(), `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`); err != nil {
			t.Fatal(err)
		}
		d.Pool.Reset()
	})
	wantUnready(t, site, "The database is read-only")
	w := httptest.NewRecorder()
	site.Server.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/health", nil))
	if w.Code != 200 {
		t.Errorf("/health gives %d", w.Code)
	}
}

// wrongClock is a clock that is an hour ahead.
type wrongClock struct{}

func (wrongClock) Offset() time.Duration { return time.Hour }
func (wrongClock) IsRight() bool         { return false }

// A process with a wrong clock says how far it is off.
func TestReadyzTellsOfAWrongClock(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, func(d *web.Deps) { d.Pool, d.Clock = dbtest.Pool(t), wrongClock{} })
	wantUnready(t, site, "The clock of this machine is 1h0m0s ahead of that of the database.")
}

// wantUnready checks that /readyz gives a reason.
func wantUnready(t *testing.T, site *webtest.Site, reason string) {
	t.Helper()
	w := httptest.NewRecorder()
	site.Server.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
	if w.Code != 503 || !strings.Contains(w.Body.String(), reason) {
		t.Errorf("/readyz gives %d %s, want %q", w.Code, w.Body, reason)
	}
}
