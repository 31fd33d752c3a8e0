package channels_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// A carrier of RCS Business Messaging is set up with the key of a service account,
// changed without entering the key again, and asked about a phone.
func TestRBMCarrierIsSetUp(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/token":
			fmt.Fprint(w, `{"access_token":"t","expires_in":3600}`)
		case strings.HasSuffix(r.URL.Path, "0011/capabilities"):
			w.WriteHeader(http.StatusNotFound)
		case r.URL.Query().Get("agentId") == "lamps_agent":
			fmt.Fprint(w, `{}`)
		default:
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(server.Close)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(map[string]string{
		"client_email": "bots@lamps.example.com", "client_token": "planted-token", "token_uri": server.URL + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := webtest.New(t, nil).SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/carriers/new?kind=rbm"); a.Status != 200 || a.Find("textarea[name=setting_agents]").Length() != 1 || !strings.Contains(a.Find("form").Text(), "client_token") {
		t.Errorf("the form: %d %s", a.Status, a.Find("form").Text())
	}
	form := url.Values{"kind": {"rbm"}, "name": {"google"}, "url": {server.URL}, "secret": {"no key"}, "setting_agents": {"bot-1 other_agent"}}
	if a := c.Post("/admin/carriers", form); a.Status != 422 || !strings.Contains(a.Find(".alert").Text(), "JSON file of a service account") {
		t.Errorf("a wrong key: %d %s", a.Status, a.Find("main").Text())
	}
	form.Set("secret", string(file))
	if a := c.Post("/admin/carriers", form); a.Status != 303 {
		t.Fatalf("adding: %d %s", a.Status, a.Find("main").Text())
	}
	form.Del("secret")
	form.Set("setting_agents", "bot-1 lamps_agent")
	if a := c.Post("/admin/carriers/google", form); a.Status != 303 {
		t.Fatalf("changing it without the key: %d %s", a.Status, a.Find("main").Text())
	}
	a := c.Get("/admin/carriers/google")
	if text := a.Find("main").Text(); !strings.Contains(text, "/carriers/google/rcs/events") || strings.Contains(a.Body, "planted") || a.Find("input[name=text]").Length() != 0 {
		t.Errorf("the carrier is shown as %s", text)
	}
	for number, want := range map[string]int{"+919812345678": 303, "+919812340011": 422, "12": 422} {
		if a := c.Post("/admin/carriers/google/test", url.Values{"sender": {"bot-1"}, "recipient": {number}}); a.Status != want {
			t.Errorf("asking about %s: %d %s", number, a.Status, a.Find("main").Text())
		}
	}
}
