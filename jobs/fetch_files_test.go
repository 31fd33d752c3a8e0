package jobs_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/outbound"
	"heliograph/jobs"
	"heliograph/storage"
)

// png is the start of a picture.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// Files that messages name by link are requested before a carrier gets them,
// once for messages with the same link. A message fails when its file cannot be had.
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
		b.checkLink(t, server.URL+path, problem)
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

// The file of a link is kept: a second worker, and a message that its carrier takes
// only after several tries, do not request it again. The same content under another
// link is stored once.
func TestFilesByLinkAreKept(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		time.Sleep(300 * time.Millisecond) // so that both workers want it meanwhile
		fmt.Fprint(w, png)
	}))
	t.Cleanup(server.Close)
	b := prepare(t, func(d *jobs.Deps) {
		d.Files = outbound.New(outbound.Options{AllowLoopback: true, MaxBody: 100 << 20})
		d.Carrier = &away{Virtual: outbound.NewVirtual(nil), failures: 40}
	})
	b.work(t, slog.New(slog.DiscardHandler))
	b.work(t, slog.New(slog.DiscardHandler))
	var ids []uuid.UUID
	for range 12 {
		ids = append(ids, b.sendLink(t, server.URL+"/lamp.png"))
	}
	b.hasten(t, func() bool {
		return !slices.ContainsFunc(ids, func(id uuid.UUID) bool { return b.stateOf(t, id) != "read" })
	})
	if n := asked.Load(); n != 1 {
		t.Errorf("two workers requested a file of 12 messages %d times", n)
	}
	id := b.sendLink(t, server.URL+"/other.png")
	b.hasten(t, func() bool { return b.stateOf(t, id) == "read" })
	if files, links := b.count(t, `select count(*) from fetched_files`), b.count(t, `select count(*) from fetched_links`); files != 1 || links != 2 {
		t.Errorf("%d files and %d links, want 1 and 2", files, links)
	}
	b.checkFetched(t, png)
	b.exec(t, `update fetched_files set expires_at = now()`)
	if err := media.Sweep(t.Context(), b.pool, b.deps.Store); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, `select (select count(*) from fetched_files) + (select count(*) from fetched_links) + (select count(*) from discarded_objects)`); n != 0 {
		t.Errorf("%d rows are left of an expired file", n)
	}
}

// A message that was accepted before a fetch does not need another one, however late
// it is tried again; one that is accepted long after does.
func TestFetchesHoldForAWhile(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, png)
	}))
	t.Cleanup(server.Close)
	carrier := &away{Virtual: outbound.NewVirtual(nil), failures: 3}
	b := prepare(t, func(d *jobs.Deps) {
		d.Files, d.Carrier = outbound.New(outbound.Options{AllowLoopback: true, MaxBody: 100 << 20}), carrier
	})
	stop := b.workUntil(t, slog.New(slog.DiscardHandler))
	old := b.sendLink(t, server.URL)
	b.hasten(t, func() bool { return carrier.calls() > 1 })
	stop() // the next worker knows only what the database does
	b.exec(t, `update fetched_links set fetched_at = fetched_at - interval '11 minutes'`)
	b.exec(t, `update messages set created_at = created_at - interval '1 hour'`)
	b.workUntil(t, slog.New(slog.DiscardHandler))
	b.hasten(t, func() bool { return b.stateOf(t, old) == "read" })
	if n := asked.Load(); n != 1 {
		t.Errorf("a message that was tried again requested its file %d times", n)
	}
	late := b.sendLink(t, server.URL)
	b.hasten(t, func() bool { return b.stateOf(t, late) == "read" })
	if n := asked.Load(); n != 2 {
		t.Errorf("after the window a file is requested %d times in all, want 2", n)
	}
}

// Fetched files count towards the quotas, give way to newer ones, and fail their
// messages when there is no room for them.
func TestFetchedFilesUseQuotas(t *testing.T) {
	t.Parallel()
	size := func(n int) string { return png + strings.Repeat("x", n-len(png)) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large.png":
			fmt.Fprint(w, size(3<<20))
		default:
			fmt.Fprint(w, size(1<<20), r.URL.Path)
		}
	}))
	t.Cleanup(server.Close)
	b := setupLogged(t, slog.New(slog.DiscardHandler), func(d *jobs.Deps) {
		d.Files = outbound.New(outbound.Options{AllowLoopback: true, MaxBody: 100 << 20})
		d.Quotas = media.Quotas{Stored: 5 << 19, Daily: 6 << 20}
	})
	for _, path := range []string{"/1.png", "/2.png"} {
		b.checkLink(t, server.URL+path, "")
	}
	b.checkLink(t, server.URL+"/large.png", "stored at once")
	b.checkLink(t, server.URL+"/3.png", "")
	if n := b.count(t, `select count(*) from fetched_files`); n != 2 {
		t.Errorf("%d files of 1 MB are kept within 2.5 MB, want 2", n)
	}
	b.checkLink(t, server.URL+"/4.png", "")
	b.checkLink(t, server.URL+"/5.png", "")
	b.checkLink(t, server.URL+"/6.png", "on one day")
	if n := b.count(t, `select count(*) from discarded_objects where due_at > now() + interval '1 hour'`); n != 0 {
		t.Errorf("%d objects are listed for removal that should be gone or kept", n)
	}
}

// checkLink sends a picture by link and checks that it is read, or fails with a
// problem.
func (b *bundle) checkLink(t *testing.T, link, problem string) {
	t.Helper()
	id := b.sendLink(t, link)
	b.hasten(t, func() bool { s := b.stateOf(t, id); return s == "failed" || s == "read" })
	failure := b.failureOf(t, id)
	if problem != "" && (!strings.Contains(failure, "131052") || !strings.Contains(failure, problem)) || problem == "" && failure != "" {
		t.Errorf("%s: %q, want %q", link, failure, problem)
	}
}

// checkFetched checks that the only fetched file has the content.
func (b *bundle) checkFetched(t *testing.T, content string) {
	t.Helper()
	var object, name, sum string
	err := b.pool.QueryRow(t.Context(), `select object, mime_type, sha256 from fetched_files`).Scan(&object, &name, &sum)
	if err != nil {
		t.Fatal(err)
	}
	key, err := storage.ParseKey(object)
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := b.deps.Store.Get(t.Context(), key, storage.Range{})
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	got, err := io.ReadAll(body)
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(content))); err != nil || string(got) != content || sum != want || name != "image/png" {
		t.Errorf("kept %d bytes of %s with hash %s, %v", len(got), name, sum, err)
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
