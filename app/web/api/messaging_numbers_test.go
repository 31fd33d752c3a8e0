package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/channels/messaging"
	"heliograph/db/models"
)

// What stock programs of the Cloud API call about numbers and accounts.
func TestWhatCloudProgramsCall(t *testing.T) {
	t.Parallel()
	p, other := setup(t)
	id := fmt.Sprint(p.sandbox.PhoneNumberID)
	if a := p.call(t, http.MethodGet, p.number(""), ""); a.status != 200 || !strings.Contains(string(a.body), `"id":"`+id+`"`) || !strings.Contains(string(a.body), `"status":"CONNECTED"`) {
		t.Errorf("a number: %d %s", a.status, a.body)
	}
	if a := p.call(t, http.MethodGet, p.number("?fields=verified_name"), ""); a.status != 200 || strings.Contains(string(a.body), "quality_rating") {
		t.Errorf("a field of a number: %s", a.body)
	}
	if a := p.call(t, http.MethodGet, p.account("/phone_numbers"), ""); a.status != 200 || !strings.Contains(string(a.body), `"id":"`+id+`"`) || !strings.Contains(string(a.body), `"paging"`) {
		t.Errorf("the numbers of an account: %d %s", a.status, a.body)
	}
	for body, status := range map[string]int{`{"messaging_product":"whatsapp","pin":"123456"}`: 200, `{"messaging_product":"whatsapp","pin":"12"}`: 400, `{"pin":"123456"}`: 400} {
		if a := p.call(t, http.MethodPost, p.number("/register"), body); a.status != status {
			t.Errorf("register %s: %d %s", body, a.status, a.body)
		}
	}
	if a := p.call(t, http.MethodPost, p.number("/deregister"), ""); a.status != 403 || !strings.Contains(string(a.body), "operator") {
		t.Errorf("deregister: %d %s", a.status, a.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if a := p.call(t, method, p.account("/subscribed_apps"), ""); a.status != 200 {
			t.Errorf("%s subscribed_apps: %d %s", method, a.status, a.body)
		}
	}
	if a := p.call(t, http.MethodPost, p.account("/subscribed_apps"), `{"override_callback_uri":"https://93.184.215.14/hook"}`); a.status != 200 {
		t.Errorf("an override: %d %s", a.status, a.body)
	}
	if a := p.call(t, http.MethodGet, p.number("/getwebhook"), ""); !strings.Contains(string(a.body), "93.184.215.14/hook") {
		t.Errorf("the webhook: %s", a.body)
	}
	for _, path := range []string{p.number(""), p.number("/register"), p.account("/phone_numbers"), p.account("/subscribed_apps")} {
		method := http.MethodGet
		if strings.HasSuffix(path, "register") {
			method = http.MethodPost
		}
		if a := other.call(t, method, path, ""); a.status != 403 && a.status != 404 {
			t.Errorf("%s by another: %d %s", path, a.status, a.body)
		}
	}
	p.writes(t, "919812345678")
	ask := `{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"location_request_message","body":{"text":"Where shall we come?"},"action":{"name":"send_location"}}}`
	if a := p.call(t, http.MethodPost, p.number("/messages"), ask); a.status != 200 {
		t.Errorf("asking for a location: %d %s", a.status, a.body)
	}
	if a := p.call(t, http.MethodPost, p.number("/messages"), strings.Replace(ask, "send_location", "x", 1)); a.code(t) != 131009 {
		t.Errorf("another action: %s", a.body)
	}
}

// The object of callbacks has one word per webhook, whatever caused them.
func TestCallbackObjectHasOneWord(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	format := func() (word string) {
		t.Helper()
		if err := p.pool.QueryRow(t.Context(), `select format from webhooks where channel = 'messaging' and url <> ''`).Scan(&word); err != nil {
			t.Fatal(err)
		}
		return word
	}
	p.set(t, "https://93.184.215.14/hook")
	if word := format(); word != "msgapp" {
		t.Errorf("the default is %q", word)
	}
	p.call(t, http.MethodPost, p.number("/setwebhook"), `{"webhook_url":"https://93.184.215.14/hook","messaging_product":"WhatsApp"}`)
	word := format()
	for _, cause := range []string{"msgapp", "whatsapp"} {
		r, err := messaging.Declaration.Relay.NewRequest(models.Delivery{Body: []byte(`{"object":"` + cause + `_business_account","entry":[]}`), Webhook: models.Webhook{URL: "https://a.example.com/", Format: word}})
		if err != nil || string(r.Body) != `{"object":"whatsapp_business_account","entry":[]}` {
			t.Errorf("caused by %s: %s %v", cause, r.Body, err)
		}
	}
}
