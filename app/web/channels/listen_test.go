package channels_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/models"
)

// answer is what a program gets.
type answer struct {
	status int
	header http.Header
	Events []struct {
		ID, Event, Channel, Method, Query, Body string
		Headers                                 map[string][]string
	}
	Next   string
	More   bool
	Detail string
}

// A program gets the callbacks of its own organisation and channels, each once, with a
// signature, also when no webhook was ever set. Other keys see nothing.
func TestProgramsGetTheirCallbacks(t *testing.T) {
	t.Parallel()
	callers := map[string]identity.Caller{}
	var deps web.Deps
	site := webtest.New(t, func(d *web.Deps) {
		d.Authenticate = func(_ context.Context, key string) (identity.Caller, error) {
			if c, ok := callers[key]; ok {
				return c, nil
			}
			return identity.Caller{}, fault.New(fault.Unauthenticated, "API key is invalid")
		}
		deps = *d
	})
	ctx := t.Context()
	organisation := identitytest.AddOrganisation(t, site.DB, models.Organisation{Name: "Lighthouse"}, "asha@example.com")
	other := identitytest.AddOrganisation(t, site.DB, models.Organisation{Name: "Other"}, "ravi@example.com")
	var number int64
	err := db.InTx(ctx, site.DB, func(tx pgx.Tx) error {
		sandbox, err := messaging.Provision(ctx, tx, deps.Keyring, organisation, "Lighthouse")
		number = sandbox.PhoneNumberID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	callers["mine"] = identity.Caller{OrganisationID: organisation, KeyID: 1, Channels: []string{messaging.Channel, sms.Channel, "rcs"}}
	callers["foreign"] = identity.Caller{OrganisationID: other, KeyID: 2, Channels: []string{messaging.Channel, sms.Channel, "rcs"}}
	callers["narrow"] = identity.Caller{OrganisationID: organisation, KeyID: 3, Channels: []string{sms.Channel}}
	ask := func(key, query string) (a answer) {
		t.Helper()
		r := httptest.NewRequest("GET", "/api/events"+query, nil)
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		w := httptest.NewRecorder()
		site.Server.Handler().ServeHTTP(w, r)
		a.status, a.header = w.Code, w.Header()
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			t.Fatalf("%s: %v", w.Body, err)
		}
		return a
	}
	if a := ask("", ""); a.status != http.StatusUnauthorized || a.header.Get("WWW-Authenticate") == "" || !strings.HasPrefix(a.Detail, "Send an API key") {
		t.Errorf("without a key: %+v", a)
	}
	after := map[string]string{}
	for key := range callers {
		a := ask(key, "")
		if a.status != http.StatusOK || len(a.Events) != 0 || a.Next == "" {
			t.Fatalf("beginning gives %+v", a)
		}
		after[key] = "?wait=0&after=" + url.QueryEscape(a.Next)
	}
	if _, err := site.DB.Exec(ctx, `
		insert into deliveries (webhook_id, organisation_id, event, body, state, created_at)
		select id, organisation_id, 'message.sent', '{"object":"msgapp_business_account"}', 'failed', clock_timestamp() from webhooks where channel = 'messaging' and subject = $1::text`, strconv.FormatInt(number, 10)); err != nil {
		t.Fatal(err)
	}
	a := ask("mine", after["mine"])
	if a.status != http.StatusOK || len(a.Events) != 1 {
		t.Fatalf("a callback of a number without a webhook gives %+v", a)
	}
	e := a.Events[0]
	body, err := base64.StdEncoding.DecodeString(e.Body)
	if err != nil || !strings.HasPrefix(string(body), `{"object":`) || e.Event != "message.sent" || e.Method != "POST" || !strings.HasPrefix(http.Header(e.Headers).Get("Webhook-Signature"), "v1,") || http.Header(e.Headers).Get("Webhook-Id") != e.ID {
		t.Errorf("%+v", e)
	}
	if again := ask("mine", "?wait=0&after="+url.QueryEscape(a.Next)); len(again.Events) != 0 {
		t.Errorf("it is given twice: %+v", again)
	}
	for _, key := range []string{"foreign", "narrow"} {
		if a := ask(key, after[key]); a.status != http.StatusOK || len(a.Events) != 0 {
			t.Errorf("the %s key sees %+v", key, a)
		}
	}
	if a := ask("foreign", after["mine"]); len(a.Events) != 0 {
		t.Errorf("a foreign key with a cursor of another sees %+v", a)
	}
	for _, wrong := range []string{"?after=x", "?wait=31", "?wait=x", strings.Replace(after["mine"], "wait=0", "wait=x", 1), strings.Replace(after["mine"], "wait=0", "wait=31", 1)} {
		if a := ask("mine", wrong); a.status != http.StatusBadRequest {
			t.Errorf("%s gives %d", wrong, a.status)
		}
	}
	start := time.Now()
	if a := ask("mine", strings.Replace("?wait=0&after="+url.QueryEscape(a.Next), "wait=0", "wait=1", 1)); a.status != http.StatusOK || time.Since(start) < time.Second {
		t.Errorf("waiting a second takes %v and gives %+v", time.Since(start), a)
	}
	if strings.Contains(site.Log.String(), "Bearer") {
		t.Error("the log has a key")
	}
}
