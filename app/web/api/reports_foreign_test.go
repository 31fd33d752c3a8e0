package api_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
	"heliograph/app/config"
	"heliograph/app/web"
	"heliograph/app/web/api"
)

// What a carrier passes on with bytes that cannot be stored, or with an id that is cut
// within a letter, is stored once all the same: a gateway would repeat it for ever.
func TestReportsTakeForeignBytes(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	p.goLive(t)
	server := serveCarriers(t, p.pool, p.keyring, nil)
	own := pipeline.NewInboundAddress(p.keyring, "operator", sms.Channel, 0).Path()
	long := strings.Repeat("a", 186) + "é"
	for i, fields := range []string{"id=%ff%fe", "id=a%00b", "id=" + url.QueryEscape(long[:187]+"éééé"), "id=" + url.QueryEscape(long+"éé"), "id=x&smsc=%ff&receipt=%00"} {
		for range 2 {
			w := httptest.NewRecorder()
			path := fmt.Sprintf("%s?from=919812345678&to=%s&text=number+%d&%s", own, p.sandbox.Header, i, fields)
			if server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)); w.Code != http.StatusOK {
				t.Errorf("%.40s gives %d %s", fields, w.Code, w.Body)
			}
		}
		var n int
		if err := p.pool.QueryRow(t.Context(), `select count(*) from inbound_messages where payload->>'text' = $1`, fmt.Sprint("number ", i)).Scan(&n); err != nil || n != 1 {
			t.Errorf("%.40s is stored %d times, %v", fields, n, err)
		}
	}
	for _, to := range []string{"%ff%fe", "a%00b"} {
		w := httptest.NewRecorder()
		if server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, own+"?from=919812345678&text=x&to="+to, nil)); w.Code != http.StatusOK {
			t.Errorf("a message to %s gives %d %s", to, w.Code, w.Body)
		}
	}
}

// largePosts takes posts and counts their bytes.
type largePosts struct{ took chan int }

func (*largePosts) Challenge(context.Context, string, url.Values) (string, error) { return "", nil }

func (l *largePosts) Receive(_ context.Context, _ string, body []byte, _ string) error {
	l.took <- len(body)
	return nil
}

// An upstream posts up to 3 MB in one piece. Reports stay small, and one client that
// sends large posts slowly leaves places to others.
func TestUpstreamsPostLargeBodies(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	posts := &largePosts{make(chan int, 10)}
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Deps{
		Config: settings, Keyring: p.keyring, DB: p.pool, Pool: p.pool, Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler),
		APIs: []web.API{api.NewReports(nil, nil, posts, reportsAtOnce).API()},
	})
	if err != nil {
		t.Fatal(err)
	}
	post := func(path, from string, body io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, body)
		r.RemoteAddr = from + ":1000"
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		return w
	}
	const path, size = "/carriers/up/messaging/events", 3_000_000
	if w := post(path, "192.0.2.1", strings.NewReader(strings.Repeat("x", size))); w.Code != http.StatusOK || len(posts.took) != 1 || <-posts.took != size {
		t.Errorf("a post of 3 MB gives %d %s", w.Code, w.Body)
	}
	if w := post(path, "192.0.2.1", strings.NewReader(strings.Repeat("x", 4<<20+1))); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a post over 4 MB gives %d", w.Code)
	}
	for _, other := range []string{"/carriers/operator/sms/id/signature", "/carriers/google/rcs/events"} {
		if w := post(other, "192.0.2.1", strings.NewReader(strings.Repeat("x", 64<<10+1))); w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("a large report at %s gives %d", other, w.Code)
		}
	}
	var open []*io.PipeWriter
	refused := make(chan *httptest.ResponseRecorder, 9)
	for range 9 {
		read, write := io.Pipe()
		open = append(open, write)
		go func() { refused <- post(path, "192.0.2.1", read) }()
	}
	defer func() {
		for _, write := range open {
			write.Close()
		}
	}()
	for range 7 {
		select {
		case w := <-refused:
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				t.Errorf("one client's third slow post gives %d %v", w.Code, w.Header())
			}
		case <-time.After(60 * time.Second):
			t.Fatal("one client takes more than a quarter of the places")
		}
	}
	if w := post(path, "192.0.2.2", strings.NewReader(strings.Repeat("x", size))); w.Code != http.StatusOK {
		t.Errorf("beside slow posts of another client a post gives %d %s", w.Code, w.Body)
	}
}
