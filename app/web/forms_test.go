package web_test

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"heliograph/app/keyring"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

// Each form is sent with and without htmx, and taken.
func TestMain(m *testing.M) { os.Exit(webtest.RunForms(m, "web")) }

// Some package sends each form in both ways.
func TestEveryFormIsSent(t *testing.T) {
	t.Parallel()
	// One is sent by programs, and two have tests of their own that send both: the
	// gallery changes memory, and feedback needs what is published.
	apart := regexp.MustCompile(`^(mcp$|ui\.|feedback$)`)
	for _, route := range webtest.New(t, nil).Server.Routes() {
		if route.Method == http.MethodPost && route.Access != web.APIKey && webtest.FormOf(route.Name) == "" && !apart.MatchString(route.Name) {
			t.Errorf("say in webtest which package tests the form of %s", route.Name)
		}
	}
}

// The link of an email shows a form, and sending it confirms the enquiry.
func TestEnquiryIsConfirmed(t *testing.T) {
	t.Parallel()
	var keys *keyring.Keyring
	site := webtest.New(t, func(d *web.Deps) { keys = d.Keyring })
	const id = "0193a1b2-0000-7000-8000-000000000001"
	if _, err := site.DB.Exec(t.Context(), `insert into contact_enquiries (id, reference, organisation, name, email, phones, message, page, consent_version, fingerprint, status)
		values ($1, 'K7QF-2M9X', 'Harbour', 'Mira', 'mira@example.com', '{}', 'Prices, please.', '/docs/sms', 'v', 'x', 'unconfirmed')`, id); err != nil {
		t.Fatal(err)
	}
	status := func() (is string) {
		if err := site.DB.QueryRow(t.Context(), `select status from contact_enquiries`).Scan(&is); err != nil {
			t.Fatal(err)
		}
		return is
	}
	c := site.Client(t)
	token := id + "." + keys.Sign("contact/confirm", id)
	a := c.Get("/contact-us/confirm?token=" + token)
	if a.Status != 200 || status() != "unconfirmed" {
		t.Fatalf("the link gives %d, and the enquiry is %s", a.Status, status())
	}
	a = c.Post("/contact-us/confirm", url.Values{"token": {token}})
	if a.Status != 303 || a.Address() != "/contact-us/thanks" || status() != "new" || !strings.Contains(c.Get(a.Address()).Find("main").Text(), "K7QF-2M9X") {
		t.Errorf("confirming gives %d %s, and the enquiry is %s", a.Status, a.Address(), status())
	}
}
