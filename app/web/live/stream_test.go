package live_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/live"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/ui"
)

// openStream requests the events of the account with a session cookie.
func openStream(t *testing.T, origin, session string) *http.Response {
	t.Helper()
	return openStreamOf(t, origin+"/account/events", "heliograph", session)
}

func openStreamOf(t *testing.T, address, cookie, session string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	r.AddCookie(&http.Cookie{Name: cookie, Value: session})
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// A stream names what changed, and neither it nor what it causes renews the
// session. It ends with the session, within seconds.
func TestStreamLivesWithItsSession(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener, signals := db.NewListener(pool), db.NewSignals(pool)
	site := webtest.New(t, func(d *web.Deps) { d.DB, d.Listener = pool, listener })
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, run := range []func(context.Context){listener.Run, signals.Run, site.Server.Run} {
		go run(ctx)
	}
	server := httptest.NewServer(site.Server.Handler())
	t.Cleanup(server.Close)
	c, organisation := site.SignIn(t, 0, identity.Owner)
	if a := c.Get("/account"); a.Find("#page[sse-connect^='/account/events?since=']").Length() != 1 || a.Find("script[src*='sse.min']").Length() != 1 {
		t.Error("the page does not connect to its stream")
	}
	const before = "2 minutes"
	if _, err := pool.Exec(ctx, `update sessions set last_seen_at = now() - interval '`+before+`'`); err != nil {
		t.Fatal(err)
	}
	connect := func() *http.Response { return openStream(t, server.URL, c.Cookie("heliograph")) }
	answer := connect()
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" || answer.Header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("the stream is answered with %d %v", answer.StatusCode, answer.Header)
	}
	lines := bufio.NewScanner(answer.Body)
	next := func() string { // of the events that are not of the listener's beginning
		for lines.Scan() {
			if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok && event != "sync" && event != "changed" {
				return event
			}
		}
		return ""
	}
	signals.Add("messages", organisation+1)
	signals.Add("callbacks", organisation)
	if event := next(); event != "callbacks" {
		t.Errorf("the first event is %q", event)
	}
	if a := c.HX(ui.List).With("X-Live", "true").Get("/account/messages"); a.Status != 200 {
		t.Errorf("a live part gives %d", a.Status)
	}
	var renewed bool
	if err := pool.QueryRow(ctx, `select bool_or(last_seen_at > now() - interval '1 minute') from sessions`).Scan(&renewed); err != nil || renewed {
		t.Errorf("a page that nobody uses renews its session: %t %v", renewed, err)
	}
	if a := c.HX().On("/account/messages").Get("/account/keys"); a.Status != 200 {
		t.Errorf("a person gets %d", a.Status)
	}
	if err := pool.QueryRow(ctx, `select bool_or(last_seen_at > now() - interval '1 minute') from sessions`).Scan(&renewed); err != nil || !renewed {
		t.Errorf("a person does not renew the session: %t %v", renewed, err)
	}
	if answer := connect(); answer.StatusCode != 200 {
		t.Errorf("a second tab gets %d", answer.StatusCode)
	}
	for tab := 3; tab <= live.Standard.User+1; tab++ {
		if answer, want := connect(), map[bool]int{true: 200, false: 429}[tab <= live.Standard.User]; answer.StatusCode != want {
			t.Errorf("tab %d gets %d, want %d", tab, answer.StatusCode, want)
		}
	}

	start := time.Now()
	if _, err := pool.Exec(ctx, `update organisation_users set active = false`); err != nil {
		t.Fatal(err)
	}
	event, rest := next(), 0
	for lines.Scan() {
		rest++
	}
	if event != "end" || rest > 2 || time.Since(start) > 5*time.Second {
		t.Errorf("after the user is deactivated comes %q and %d lines after %v", event, rest, time.Since(start))
	}
	if answer := connect(); answer.StatusCode != 204 {
		t.Errorf("a session that ended gets a stream: %d", answer.StatusCode)
	}
	a := c.HX(ui.List).With("X-Live", "true").On("/account/messages?state=failed").Get("/account/messages")
	if a.Status != 204 || a.Header.Get("HX-Redirect") != "/login?next=%2Faccount%2Fmessages%3Fstate%3Dfailed" {
		t.Errorf("a live part of a session that ended gives %d %v", a.Status, a.Header)
	}
}
