//go:build drill

package reader_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
	"heliograph/db/seed"
)

// BenchmarkConsoleCall makes whole calls as a page does that swaps the answer in: from the
// form to the result, with the stored limit and the checks. The server that is called
// answers at once.
//
//	go test -tags drill -run - -bench ConsoleCall -cpuprofile cpu.out ./app/web/reader/console
func BenchmarkConsoleCall(b *testing.B) {
	small := fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"lamps","product":{"name":"Lamps"},"version":"1.0","label":"Current","document":"d.json"}]`)},
		"d.json":        {Data: []byte(lampsDocument)},
	}
	for _, one := range []struct{ name, path, answer string }{
		{"small", "/console/lamps/1.0/get-lamp", `{"id":7}`},
		{"large", "/console/business-messaging/3.0/send-message", `{"messaging_product":"msgapp","contacts":[{"input":"+919812345678","wa_id":"919812345678"}],"messages":[{"id":"gBEGkYiEB1VXAglK1ZEqA1YKPrU"}]}`},
	} {
		b.Run(one.name, func(b *testing.B) {
			u := &upstream{body: one.answer}
			var refresh func() error
			site := webtest.New(b, func(d *web.Deps) {
				d.Console = u
				refresh = func() error { return d.Documentation.Refresh(b.Context()) }
			})
			var err error
			if one.name == "small" {
				err = editorial.Seed(b.Context(), site.DB, small)
			} else {
				err = editorial.Seed(b.Context(), site.DB, seed.Files)
			}
			if err != nil {
				b.Fatal(err)
			}
			if err := refresh(); err != nil {
				b.Fatal(err)
			}
			if err := site.Settings.SaveConsole(b.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
				b.Fatal(err)
			}
			handler := site.Server.Handler()
			get := httptest.NewRequest(http.MethodGet, one.path, nil)
			page := httptest.NewRecorder()
			handler.ServeHTTP(page, get)
			read, err := goquery.NewDocumentFromReader(page.Body)
			if err != nil {
				b.Fatal(err)
			}
			form, cookies := formOf(read), page.Result().Cookies()
			n := 0
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, one.path, strings.NewReader(form))
				r.RemoteAddr = "198." + strconv.Itoa(18+n>>16) + "." + strconv.Itoa(n>>8&255) + "." + strconv.Itoa(n&255) + ":4000"
				for name, value := range map[string]string{"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true", "HX-Target": "console-result", "Sec-Fetch-Site": "same-origin"} {
					r.Header.Set(name, value)
				}
				for _, cookie := range cookies {
					r.AddCookie(cookie)
				}
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				if n == 0 {
					b.Logf("%d, %d bytes", w.Code, w.Body.Len())
				}
				if n++; w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "console-status") {
					b.Fatalf("%s answers %d: %.300s", one.path, w.Code, w.Body)
				}
				u.calls = nil
			}
		})
	}
}

// formOf returns the form of a page as a browser without script sends it to the published
// server.
func formOf(page *goquery.Document) string {
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
	return form.Encode()
}
