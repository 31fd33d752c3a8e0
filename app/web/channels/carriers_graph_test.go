package channels_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// A carrier of kind graph is set up with a token and an app secret, each changed alone,
// and its page says what to enter at the upstream and what a test found out.
func TestGraphCarrierIsSetUp(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer token-2" || r.URL.Query().Get("appsecret_proof") == "":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":{"code":190,"message":"Invalid OAuth access token."}}`)
		case r.URL.Path == "/v23.0/555":
			fmt.Fprint(w, `{"display_phone_number":"+91 98123 45678","verified_name":"Lamps"}`)
		}
	}))
	t.Cleanup(server.Close)
	c := webtest.New(t, nil).SignInAdmin(t, identity.SuperAdmin)
	form := url.Values{
		"kind": {"graph"}, "name": {"upstream"}, "url": {server.URL}, "access_token": {"token-1"}, "app_secret": {"secret-1"},
		"setting_version": {"v23.0"}, "setting_numbers": {"100000000000001 555 6"},
	}
	if a := c.Post("/admin/carriers", form); a.Status != 422 || !strings.Contains(a.Find(".alert").Text(), "is not written as our id") {
		t.Errorf("wrong numbers: %d %s", a.Status, a.Find("main").Text())
	}
	form.Set("setting_numbers", "100000000000001 555")
	if a := c.Post("/admin/carriers", form); a.Status != 303 {
		t.Fatalf("adding: %d %s", a.Status, a.Find("main").Text())
	}
	page := c.Get("/admin/carriers/upstream")
	text := page.Find("main").Text()
	if !strings.Contains(text, "/carriers/upstream/messaging/events") || !strings.Contains(text, "Verify token") || strings.Contains(text, "secret-1") || strings.Contains(text, "Renew the address") {
		t.Errorf("the page says %s", text)
	}
	test := func() string { return c.Post("/admin/carriers/upstream/test", url.Values{}).Find("main table").Text() }
	if got := test(); !strings.Contains(got, "190 Invalid OAuth access token.") || !strings.Contains(got, "Webhook address") {
		t.Errorf("a test with a wrong token says %s", got)
	}
	form.Set("access_token", "token-2") // the app secret stays
	form.Del("app_secret")
	if a := c.Post("/admin/carriers/upstream", form); a.Status != 303 {
		t.Fatalf("changing: %d %s", a.Status, a.Find("main").Text())
	}
	if got := test(); !strings.Contains(got, "+91 98123 45678, name Lamps.") || strings.Contains(got, "There is none") {
		t.Errorf("a test says %s", got)
	}
}

// Messages that wait for a person are listed and decided by Super Admins alone.
func TestParkedMessagesAreDecided(t *testing.T) {
	t.Parallel()
	s := webtest.New(t, nil)
	c := s.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/parked-messages"); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "No parked messages") {
		t.Errorf("without any: %d %s", a.Status, a.Find("main").Text())
	}
	var id string
	err := s.DB.QueryRow(t.Context(), `
		with o as (insert into organisations (name, status, sandbox) values ('Live lamps', 'active', false) returning id), m as (
			insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state)
			select gen_random_uuid(), id, 'messaging', '100000000000001', '919812345678', 'text', '{}', 'accepted' from o returning id
		), c as (
			insert into carriages (message_id, leg, part, channel, carrier, state) select id, 1, 1, 'messaging', 'upstream', 'dialling' from m
		), p as (
			insert into parked_parts (message_id, leg, part, carrier, hand_over) select id, 1, 1, 'upstream', 1 from m
		)
		select id::text from m`).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	if text := c.Get("/admin/parked-messages").Find("main table").Text(); !strings.Contains(text, "Live lamps") || strings.Contains(text, "919812345678") {
		t.Errorf("the list says %s", text)
	}
	if text := c.Get("/admin").Find("main").Text(); !strings.Contains(text, "1 message waits for a person") {
		t.Errorf("the overview says %s", text)
	}
	at := "/admin/parked-messages/" + id
	if a := c.Get(at); a.Status != 200 || a.Find("select[name=decision] option").Length() != 4 {
		t.Errorf("the message: %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Post(at, url.Values{"decision": {"forget"}}); a.Status != 422 {
		t.Errorf("an unknown decision: %d", a.Status)
	}
	if a := c.Post(at, url.Values{"decision": {"arrived"}}); a.Status != 303 {
		t.Errorf("deciding: %d %s", a.Status, a.Find("main").Text())
	}
	var state string
	if err := s.DB.QueryRow(t.Context(), `select state from messages where id = $1::uuid`, id).Scan(&state); err != nil || state != "sent" {
		t.Errorf("the message is %s, %v", state, err)
	}
	if a := c.Get(at); a.Status != 404 {
		t.Errorf("a decided message: %d", a.Status)
	}
}

// The overview names a carrier that takes nothing, with its last answer, until it takes
// a message again. A pace that was too fast is no concern.
func TestOverviewNamesACarrierThatTakesNothing(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, `insert into carriers (name, kind) values ('cloud', 'graph'), ('quick', 'graph')`,
		`insert into carrier_minutes (carrier, minute, taken, delayed, error) values
			('cloud', date_trunc('minute', now()) - interval '3 minutes', 9, 0, ''), ('cloud', date_trunc('minute', now()) - interval '2 minutes', 0, 1, 'carrier: 190 Invalid OAuth access token.'),
			('quick', date_trunc('minute', now()), 0, 1, 'carrier: 131056 Pair rate limit hit')`)
	concern := func() string { return c.Get("/admin").Find(".concerns").Text() }
	if text := concern(); !strings.Contains(text, "The carrier cloud takes nothing.") || !strings.Contains(text, "190 Invalid OAuth access token.") || strings.Contains(text, "quick") {
		t.Errorf("the overview says %s", text)
	}
	webtest.Exec(t, site, `insert into carrier_minutes (carrier, minute, taken, delayed, error) values ('cloud', date_trunc('minute', now()), 1, 0, '')`)
	if text := concern(); strings.Contains(text, "takes nothing") {
		t.Errorf("after a message was taken the overview says %s", text)
	}
}
