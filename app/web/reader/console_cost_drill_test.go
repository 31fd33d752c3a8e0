//go:build drill

package reader_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
	"heliograph/db/seed"
)

// mostOwnCost is what a call of the console may take at the median beside the time of
// the server that is called.
const mostOwnCost = 5 * time.Millisecond

// A call with the largest form costs little beside the server that is called: the form is
// read, the request is built and checked, the answer is held against the contract, and the
// page is written.
func TestDrillConsoleCost(t *testing.T) {
	u := &upstream{body: `{"messaging_product":"msgapp","contacts":[{"input":"+919812345678","wa_id":"919812345678"}],"messages":[{"id":"gBEGkYiEB1VXAglK1ZEqA1YKPrU"}]}`}
	var refresh func() error
	site := webtest.New(t, func(d *web.Deps) {
		d.Console = u
		refresh = func() error { return d.Documentation.Refresh(t.Context()) }
	})
	if err := editorial.Seed(t.Context(), site.DB, seed.Files); err != nil {
		t.Fatal(err)
	}
	if err := refresh(); err != nil {
		t.Fatal(err)
	}
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	handler := site.Server.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = r.Header.Get(addressHeader)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for at, path := range []string{"/console/business-messaging/3.0/send-message", "/console/rcs/1.0/send-message", "/console/portal/1.0/search-documentation"} {
		var took []time.Duration
		for i := range 12 {
			reader := newReader(t, server.URL, fmt.Sprintf("198.51.%d.%d:4000", 100+at, i+1))
			page := reader.document(t, http.MethodGet, path, nil)
			form := url.Values{"secret.key": {"k"}}
			page.Find("#console-call input[name], #console-call textarea[name], #console-call select[name]").Each(func(_ int, field *goquery.Selection) {
				name, value := field.AttrOr("name", ""), field.AttrOr("value", "")
				switch {
				case name == "direct" || name == "server" || field.AttrOr("type", "") == "checkbox" || field.AttrOr("type", "") == "file":
					return
				case goquery.NodeName(field) == "textarea":
					value = strings.TrimPrefix(field.Text(), "\n")
				case goquery.NodeName(field) == "select":
					value = field.Find("option[selected]").AttrOr("value", field.Find("option").First().AttrOr("value", ""))
				}
				form.Set(name, value)
			})
			form.Set("server", "default")
			for n := range 15 {
				began := time.Now()
				body := reader.ask(t, http.MethodPost, path, form)
				took = append(took, time.Since(began))
				if n == 0 && !strings.Contains(body, "console-status") {
					t.Fatalf("%s has no result: %.300s", path, body)
				}
			}
		}
		if len(took) == 0 {
			continue
		}
		slices.Sort(took)
		median := took[len(took)/2]
		t.Logf("%s: %d calls, %v at the median, %v at the 95th percentile", path, len(took), median, took[len(took)*95/100])
		if median > mostOwnCost {
			t.Errorf("a call of %s costs %v at the median", path, median)
		}
	}
}

// addressHeader names the address that a reader has for the server.
const addressHeader = "X-Test-Address"

// visitor is a browser without script at an address of its own, since calls are limited.
type visitor struct {
	client          *http.Client
	origin, address string
}

func newReader(t *testing.T, origin, address string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{&http.Client{Jar: jar}, origin, address}
}

func (r *visitor) ask(t *testing.T, method, path string, form url.Values) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.origin+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(addressHeader, r.address)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := r.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s %s answers %d: %v\n%.300s", method, path, res.StatusCode, err, body)
	}
	return string(body)
}

func (r *visitor) document(t *testing.T, method, path string, form url.Values) *goquery.Document {
	t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(r.ask(t, method, path, form)))
	if err != nil {
		t.Fatal(err)
	}
	return page
}
