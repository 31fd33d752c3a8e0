package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
)

// A carrier passes on what people send at its signed address, and at no other. A
// repeated message is stored once. STOP and START change the list.
func TestCarrierPassesMessagesOn(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	p.goLive(t)
	server := serveCarriers(t, p.pool, p.keyring, nil)
	own := pipeline.NewInboundAddress(p.keyring, "operator", sms.Channel, 0).Path()
	pass := func(path string, fields ...string) *httptest.ResponseRecorder {
		query := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			query.Set(fields[i], fields[i+1])
		}
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+"?"+query.Encode(), nil))
		return w
	}
	count := func(sql string, args ...any) (n int) {
		t.Helper()
		if err := p.pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const stored = `select count(*) from inbound_messages`
	for _, path := range []string{own + "x", strings.Replace(own, "operator", "another", 1), strings.Replace(own, "/sms/", "/messaging/", 1), strings.Replace(own, "inbound", "inbounds", 1)} {
		if w := pass(path, "from", "919812345678", "to", p.sandbox.Header, "text", "Hello"); w.Code != 404 || count(stored) != 0 {
			t.Errorf("%s gives %d", path, w.Code)
		}
	}
	for range 2 {
		if w := pass(own, "from", "+919812345678", "to", strings.ToLower(p.sandbox.Header), "text", "Hello", "id", "a-1"); w.Code != 200 || w.Body.Len() != 0 {
			t.Errorf("a message gives %d %q", w.Code, w.Body)
		}
	}
	if n := count(stored+` where organisation_id = $1 and channel = 'sms' and contact = '919812345678' and payload->>'text' = 'Hello'`, p.id); n != 1 {
		t.Errorf("the message is stored %d times", n)
	}
	if n := count(`select count(*) from deliveries where event = 'sms.received' and organisation_id = $1`, p.id); n != 1 {
		t.Errorf("%d callbacks are stored, want 1 that can be replayed", n)
	}
	for _, odd := range [][]string{
		{"from", "PARCEL", "to", p.sandbox.Header}, {"from", "919812345678", "to", "NOBODY"}, {"from", "919812345678"}, {"to", "1"}, {},
		{"from", "919812345678", "to", p.sandbox.Header, "text", strings.Repeat("x", 10_001)},
	} {
		if w := pass(own, odd...); w.Code != 200 || count(stored) != 1 {
			t.Errorf("%.60v gives %d, and %d messages are stored", odd, w.Code, count(stored))
		}
	}
	for text, want := range map[string]int{"Stop!": 1, "start": 0} {
		const listed = `select count(*) from suppressions where organisation_id = $1 and recipient = '919812345678' and channel = 'sms' and reason = 'stop'`
		if text == "start" {
			pass(own, "from", "919812345678", "to", p.sandbox.Header, "text", "STOP")
		}
		if pass(own, "from", "919812345678", "to", p.sandbox.Header, "text", text); count(listed, p.id) != want {
			t.Errorf("after %s the list has %d", text, count(listed, p.id))
		}
	}
}
