package jobs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/db/queries/across"
	"heliograph/jobs/args"
)

// A banned number, a revoked token and a changed secret are seen by operators with the
// first check, which runs every minute, and the partner reads the state of the number.
// Once all is well again, nothing is left to see.
func TestTroubleOfAnUpstreamIsSeen(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	l.number.Sandbox = false
	var mu sync.Mutex
	status, answer := http.StatusOK, `{"id":"1","display_phone_number":"+1 555 078 3881","status":"CONNECTED","quality_rating":"GREEN"}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/v23.0/"+theirAccount && status == http.StatusOK {
			fmt.Fprint(w, `{"id":"2","name":"Lamps","account_review_status":"APPROVED","health_status":{"can_send_message":"AVAILABLE"}}`)
			return
		}
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	l.exec(t, `update carriers set url = $1, settings = json_build_object('version', 'v23.0', 'numbers', $2::text, 'accounts', $3::text), updated_at = now()`,
		server.URL, fmt.Sprintf("%d %s", l.number.ID, theirNumber), fmt.Sprintf("%d %s", l.sandbox.BusinessAccountID, theirAccount))
	check := func(code int, body string) []string {
		t.Helper()
		mu.Lock()
		status, answer = code, body
		mu.Unlock()
		before := time.Now()
		if _, err := l.client.Insert(t.Context(), args.CheckUpstreams{}, nil); err != nil {
			t.Fatal(err)
		}
		l.until(t, "both were asked", func() bool {
			return l.count(t, `select count(*) from upstream_states where read_at > $1`, before) == 2
		})
		o, err := across.OverviewGet(t.Context(), l.pool)
		if err != nil {
			t.Fatal(err)
		}
		var problems []string
		for _, p := range o.UpstreamProblems {
			problems = append(problems, fmt.Sprintf("%s %s %d %s", p.Carrier, p.Kind, p.AssetID, p.Problem))
		}
		return problems
	}
	state := func() assets.NumberState {
		t.Helper()
		s, err := l.service.Numbers.NumberState(t.Context(), l.number)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if problems := check(http.StatusOK, answer); len(problems) != 0 || state().State != "CONNECTED" || state().Quality != "GREEN" {
		t.Errorf("of a healthy number %v are known, and it is %+v", problems, state())
	}
	number := fmt.Sprintf("upstream number %d ", l.number.ID)
	banned := `{"id":"1","status":"BANNED","quality_rating":"RED","health_status":{"can_send_message":"BLOCKED","entities":[{"entity_type":"PHONE_NUMBER","can_send_message":"BLOCKED","errors":[{"error_code":141000,"error_description":"The number is banned."}]}]}}`
	if problems := check(http.StatusOK, banned); len(problems) != 1 || problems[0] != number+"Sending is BLOCKED. 141000 The number is banned." || state().State != "BANNED" {
		t.Errorf("of a banned number %v are known, and it is %+v", problems, state())
	}
	revoked := check(http.StatusUnauthorized, `{"error":{"code":190,"message":"Invalid OAuth access token."}}`)
	if len(revoked) != 2 || !strings.Contains(revoked[0], "190 Invalid OAuth access token.") {
		t.Errorf("of a revoked token %v are known", revoked)
	}
	if state().Connected {
		t.Error("the partner reads that a number is connected of which the upstream says nothing")
	}
	body := []byte(`{"entry":[]}`)
	if err := l.posts.Receive(t.Context(), "upstream", body, "sha256=00"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a post with another secret: %v", err)
	}
	failing := func() []string {
		t.Helper()
		o, err := across.OverviewGet(t.Context(), l.pool)
		if err != nil {
			t.Fatal(err)
		}
		var errors []string
		for _, c := range o.CarriersFailing {
			errors = append(errors, c.Carrier+" "+c.Error)
		}
		return errors
	}
	if errors := failing(); len(errors) != 1 || !strings.Contains(errors[0], "not signed with the app secret") {
		t.Errorf("of a changed secret %v are known", errors)
	}
	if problems := check(http.StatusOK, `{"id":"1","status":"CONNECTED"}`); len(problems) != 0 {
		t.Errorf("once all is well %v are known", problems)
	}
	l.exec(t, `update carriers set disabled_at = now()`)
	if _, err := l.client.Insert(t.Context(), args.CheckUpstreams{}, nil); err != nil {
		t.Fatal(err)
	}
	l.until(t, "a disabled carrier is forgotten", func() bool { return l.count(t, `select count(*) from upstream_states`) == 0 })
	if s := state(); s.State != "" {
		t.Errorf("the number is %+v", s)
	}
}
