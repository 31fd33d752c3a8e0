package api_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/channels/refusal"
	"heliograph/app/people/identity"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// refusedCalls writes the log of refused calls and returns it, the oldest first.
func refusedCalls(ctx context.Context, t *testing.T, log *refusal.Log, q db.Querier) []models.RefusedCall {
	t.Helper()
	if err := log.Write(ctx); err != nil {
		t.Fatal(err)
	}
	calls, err := queries.RefusedCallList(ctx, q, queries.RefusedCallFilter{OldestFirst: true}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

// A refused call is logged with its code and for its organisation, without its body and
// its query. So is a call with a revoked or unknown key, and a call to a path that no
// operation has. A call that succeeds leaves nothing.
func TestRefusedCallsAreLogged(t *testing.T) {
	t.Parallel()
	p, other := setup(t)
	p.call(t, http.MethodGet, p.number(""), "")
	want := map[string]int{}
	send := func(a answer) {
		t.Helper()
		if a.status < 400 {
			t.Fatalf("a call was not refused: %s", a.body)
		}
		want[a.header.Get("X-Request-Id")] = a.code(t)
	}
	send(p.call(t, http.MethodPost, p.number("/messages?note=private"), `{"to":"919812345678","text":{"body":"private"}}`))
	send(p.call(t, http.MethodGet, "/nothing/like/this", ""))
	send(p.call(t, http.MethodGet, p.number(""), "", "apikey", "unknown"))
	send(p.call(t, http.MethodGet, p.number("")+"/"+p.key, ""))
	revoked, err := identity.New(p.pool, identity.Notifier{}).CreateKey(t.Context(), other.organisation(t), identity.KeyRequest{Name: "old", Channels: []string{"messaging"}}, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.pool.Exec(t.Context(), `update api_keys set revoked_at = now() where organisation_id = $1 and name = 'old'`, other.organisation(t)); err != nil {
		t.Fatal(err)
	}
	send(p.call(t, http.MethodGet, p.number(""), "", "apikey", revoked))

	calls := refusedCalls(t.Context(), t, p.refusals, p.pool)
	if len(calls) != len(want) {
		t.Fatalf("%d calls are logged, want %d: %v", len(calls), len(want), calls)
	}
	owners := []int64{p.organisation(t), p.organisation(t), 0, p.organisation(t), other.organisation(t)}
	for i, c := range calls {
		var owner int64
		if c.OrganisationID != nil {
			owner = *c.OrganisationID
		}
		if c.Code != want[c.RequestID] || c.Code == 0 || owner != owners[i] || c.Channel != "messaging" || c.Repeats != 1 {
			t.Errorf("the call %d is logged as %+v of organisation %d, want the code %d of %d", i, c, owner, want[c.RequestID], owners[i])
		}
		if strings.Contains(c.Path, "private") || strings.Contains(c.Path, p.key) {
			t.Errorf("the path %s says too much", c.Path)
		}
	}
	if calls[0].Path != api.Prefix+p.number("/messages") || calls[0].Method != http.MethodPost || calls[0].KeyPrefix != p.key[:12] || calls[4].KeyPrefix != revoked[:12] || calls[2].KeyPrefix != "" {
		t.Errorf("the first call is %+v, the last one %+v", calls[0], calls[4])
	}
}

// The SMS API refuses most requests with status 200 and a code, and finds keys in bodies
// and queries.
func TestRefusedSMSAreLogged(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	for _, r := range []struct{ method, target, body string }{
		{http.MethodPost, "/genericapi/JSONGenericReceiver", `{"accesskey":"` + p.key + `","dest":"919812345678","msg":"Dear Asha","header":"WRONGH"}`},
		{http.MethodGet, "/genericapi/QSGenericReceiver?accesskey=" + p.key + "&dest=919812345678&msg=secret", ""},
		{http.MethodPost, "/genericapi/JSONGenericReceiver", `{"accesskey":"` + p.key + `","dest":`},
		{http.MethodGet, "/genericapi/dlr?apikey=" + p.key + "&msg_id=1", ""},
		{http.MethodGet, "/index.php/sms/nothing?apikey=" + p.key, ""},
	} {
		request := httptest.NewRequestWithContext(t.Context(), r.method, r.target, strings.NewReader(r.body))
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, request)
		_, _ = io.Copy(io.Discard, w.Body)
	}
	calls := refusedCalls(t.Context(), t, p.refusals, p.pool)
	var got []string
	for _, c := range calls {
		if c.OrganisationID == nil || *c.OrganisationID != p.id || c.KeyPrefix != p.key[:12] || strings.Contains(c.Path, "?") {
			t.Errorf("logged as %+v", c)
		}
		got = append(got, c.Path+" "+strconv.Itoa(c.Status)+" "+strconv.Itoa(c.Code))
	}
	t.Log(got)
	if len(got) != 5 || !slices.ContainsFunc(calls, func(c models.RefusedCall) bool { return c.Status == 200 && c.Code != 200 }) {
		t.Errorf("the refused calls are %q", got)
	}
}
