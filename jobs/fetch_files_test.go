package jobs_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/messaging"
	"heliograph/app/outbound"
	"heliograph/jobs"
)

// png is the start of a picture.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// Files that messages name by link are requested before a carrier gets them,
// once for messages with the same link. A message whose file cannot be had fails.
func TestFilesByLink(t *testing.T) {
	t.Parallel()
	var asked, away atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/lamp.png":
			asked.Add(1)
			fmt.Fprint(w, png)
		case "/large.png":
			w.Header().Set("Content-Length", fmt.Sprint(5<<20+1))
			fmt.Fprint(w, png)
		case "/endless.png":
			fmt.Fprint(w, png)
			for range 6 << 10 {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		case "/page.html":
			fmt.Fprint(w, "<!doctype html><title>Sign in</title>")
		case "/moved":
			http.Redirect(w, r, "/lamp.png", http.StatusFound)
		case "/slow.png":
			if away.Add(1) <= 2 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			fmt.Fprint(w, png)
		case "/empty.png":
		case "/never.png":
			w.WriteHeader(http.StatusBadGateway)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	b := setupLogged(t, slog.New(slog.DiscardHandler), func(d *jobs.Deps) {
		d.Files = outbound.New(outbound.Options{AllowLoopback: true, MaxBody: 100 << 20})
	})
	for path, problem := range map[string]string{
		"/large.png": "too large", "/endless.png": "too large", "/page.html": "cannot be sent", "/moved": "redirects are not followed",
		"/missing.png": "answered 404", "/empty.png": "empty", "/never.png": "answered 502", "/slow.png": "",
	} {
		id := b.sendLink(t, server.URL+path)
		b.hasten(t, func() bool { s := b.stateOf(t, id); return s == "failed" || s == "read" })
		failure := b.failureOf(t, id)
		if want := fmt.Sprint(131052); problem != "" && (!strings.Contains(failure, want) || !strings.Contains(failure, problem)) || problem == "" && failure != "" {
			t.Errorf("%s: %q, want %q", path, failure, problem)
		}
	}
	if n := away.Load(); n != 3 {
		t.Errorf("a server that was away twice is asked %d times", n)
	}
	for range 3 {
		id := b.sendLink(t, server.URL+"/lamp.png")
		b.hasten(t, func() bool { return b.stateOf(t, id) == "read" })
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("three messages with one link requested it %d times", n)
	}
}

// sendLink sends a picture by link.
func (b *bundle) sendLink(t *testing.T, link string) uuid.UUID {
	t.Helper()
	body := fmt.Sprintf(`{"messaging_product": "msgapp", "to": "919812345678", "type": "image", "image": {"link": %q}}`, link)
	id, ok := messaging.ParseMessageID(b.sendBody(t, body))
	if !ok {
		t.Fatalf("%s was not accepted", link)
	}
	return id
}

func (b *bundle) failureOf(t *testing.T, id uuid.UUID) (failure string) {
	t.Helper()
	err := b.pool.QueryRow(t.Context(), `
		select coalesce((select failure::text from message_events where message_id = $1 and failure is not null), '')`, id).Scan(&failure)
	if err != nil {
		t.Fatal(err)
	}
	return failure
}
