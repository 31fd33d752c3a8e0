package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/app/web/webtest"
)

// What the route tables lack is marked on every page that names it, and what
// they have is not.
func TestUnservedOperationsAreMarked(t *testing.T) {
	t.Parallel()
	var deps web.Deps
	site := webtest.Over(t, seedtest.Tx(t), func(d *web.Deps) {
		d.Serves = func(method, path string) bool { return path != "/hlr/lookup" && api.Serves(method, path) }
		deps = *d
	})
	if err := deps.Documentation.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader := site.Client(t)
	marked := func(path, selector string) []string {
		return reader.Get(path).Find(selector).FilterFunction(func(_ int, s *goquery.Selection) bool {
			return strings.Contains(s.Text(), "Not served yet")
		}).Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("href", s.Text()) })
	}
	for path, want := range map[string]bool{"/docs/sms/1.0/lookup-hlr": true, "/docs/portal/1.1/call-mcp": false, "/docs/portal/1.0/get-health": false, "/docs/business-messaging/3.0/send-message": false, "/docs/sms/1.0/submit-sms": false} {
		doc := reader.Get(path)
		for place, selector := range map[string]string{"title": ".heading .badge", "samples": ".samples .unserved", "navigation": "#nav a[aria-current=page] small"} {
			if got := strings.Contains(doc.Find(selector).Text(), "Not served yet"); got != want {
				t.Errorf("%s is marked as not served in its %s: %t, want %t", path, place, got, want)
			}
		}
		if got := strings.Contains(doc.Find("title").Text(), "not served yet"); got != want {
			t.Errorf("the title of %s is %q", path, doc.Find("title").Text())
		}
	}
	if list := marked("/docs/business-messaging/3.0", ".endpoint-list a"); len(list) > 0 {
		t.Errorf("business messaging lists as not served: %v", list)
	}
	cards := marked("/docs/sms/1.0", ".endpoint-list a")
	for href, want := range map[string]bool{"/docs/sms/1.0/lookup-hlr": true, "/docs/sms/1.0/submit-sms": false} {
		if slices.Contains(cards, href) != want {
			t.Errorf("%s is among the operations that are not served: %t, want %t", href, !want, want)
		}
	}
	list := reader.Get("/docs/sms/1.0")
	served := list.Find("[aria-labelledby=endpoints] .endpoint-list a").Length() - len(marked("/docs/sms/1.0", "[aria-labelledby=endpoints] .endpoint-list a"))
	size := fmt.Sprintf("%d endpoints", served)
	if text := list.Find("[aria-labelledby=endpoints] .section-head small").Text(); text != strconv.Itoa(served) {
		t.Errorf("the heading of the endpoints counts %q, want %d", text, served)
	}
	for path, selector := range map[string]string{"/docs/sms": ".versions .facts", "/": ".card:has(h3:contains('SMS')) .facts"} {
		if text := reader.Get(path).Find(selector).First().Text(); !strings.Contains(text, size) {
			t.Errorf("%s counts %q, want %s", path, text, size)
		}
	}
	if found := marked("/search?q=number+lookup&kind=endpoint", "a.search-hit"); !slices.Equal(found, []string{"/docs/sms/1.0/lookup-hlr", "/docs/sms/1.0/lookup-hlr-batch"}) {
		t.Errorf("the search marks %v as not served", found)
	}
	hits := reader.Get("/search?q=send+message").Find("a.search-hit")
	if first := hits.First(); first.AttrOr("href", "") != "/docs/business-messaging/3.0/send-message" || strings.Contains(first.Text(), "Not served yet") {
		t.Errorf("the first result is %s", first.AttrOr("href", ""))
	}
	const lookup = "/docs/sms/1.0/lookup-hlr"
	place := 0
	for i, address := range addresses(t, reader, "number lookup") {
		if strings.HasPrefix(address, lookup) {
			place = max(place, i+1)
		} else if place > 0 {
			t.Fatalf("%s stands behind what nothing serves, at %d", address, place)
		}
	}
	name := strings.TrimSpace(reader.Get(lookup).Find("h1").Contents().First().Text())
	if found := addresses(t, reader, name); place == 0 || len(found) == 0 || found[0] != lookup {
		t.Errorf("%q finds %v, and a part of it finds it at %d", name, found, place)
	}
}

// addresses returns the addresses of the results of a search.
func addresses(t *testing.T, reader *webtest.Client, query string) (list []string) {
	t.Helper()
	var found struct {
		Results []struct{ URL string }
	}
	if err := json.Unmarshal([]byte(reader.Get("/api/search?limit=50&q="+url.QueryEscape(query)).Body), &found); err != nil {
		t.Fatal(err)
	}
	for _, r := range found.Results {
		list = append(list, r.URL)
	}
	return list
}

// Every error code of a version has an entry with its meaning, what to do and
// whether to retry, and the codes of endpoint pages link there.
func TestErrorCodesHaveEntries(t *testing.T) {
	t.Parallel()
	reader := readSeed(t)
	for path, codes := range map[string][]string{
		"/docs/business-messaging/3.0/errors": {"100", "190", "803", "80007", "130429", "131026", "131047", "132001"},
		"/docs/sms/1.0/errors":                {"306", "312", "324", "602"},
		"/docs/portal/1.1/errors":             {"400", "404", "429", "503"},
	} {
		page := reader.Get(path)
		if page.Status != 200 {
			t.Fatalf("%s: %d", path, page.Status)
		}
		for _, code := range codes {
			entry := page.Find("#error-" + code).Closest("section")
			if text := entry.Text(); !strings.Contains(text, "What to do") || !strings.Contains(text, "Retry") {
				t.Errorf("%s has no whole entry of %s: %q", path, code, text)
			}
		}
	}
	if text := reader.Get("/docs/business-messaging/3.0/errors").Find("#error-80007").Closest("section").Text(); !strings.Contains(text, "Retry-After") || !strings.Contains(text, "Answered by") {
		t.Errorf("80007 says %q", text)
	}
	for _, page := range []string{"/docs/business-messaging/3.0/send-message", "/docs/sms/1.0/submit-sms", "/docs/portal/1.1/search-documentation"} {
		if reader.Get(page).Find(".errors a").Length() == 0 {
			t.Errorf("%s links to no code", page)
		}
		reader.Get(page).Find(".errors a").Each(func(_ int, a *goquery.Selection) {
			address, anchor, _ := strings.Cut(a.AttrOr("href", ""), "#")
			if reader.Get(address).Find("#"+anchor).Length() != 1 {
				t.Errorf("%s links to %s#%s, which is not there", page, address, anchor)
			}
		})
	}
	if a := reader.Get("/docs/business-messaging/latest/errors"); a.Address() != "/docs/business-messaging/3.0/errors" {
		t.Errorf("the latest errors are at %q", a.Address())
	}
}

// readSeed returns a reader of the documentation that comes with the program.
func readSeed(t *testing.T) *webtest.Client {
	t.Helper()
	var deps web.Deps
	site := webtest.Over(t, seedtest.Tx(t), func(d *web.Deps) { deps = *d })
	if err := deps.Documentation.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return site.Client(t)
}

// Navigation shows the icons of products as their cards do.
func TestNavigationShowsIcons(t *testing.T) {
	t.Parallel()
	reader := readSeed(t)
	card := func(name string) string {
		html, err := reader.Get("/").Find(".card:has(h3:contains('" + name + "')) .drawing").Html()
		if err != nil || html == "" {
			t.Fatalf("the card of %s has no icon: %v", name, err)
		}
		return html
	}
	for page, icon := range map[string]string{
		"/docs/sms/1.0/submit-sms": "#nav .nav-head .drawing",
		"/docs/sms/1.0":            "#nav .nav-head .drawing",
		"/productguide/business-messaging/receive-callbacks": "#nav summary:contains('SMS') .drawing",
	} {
		found := reader.Get(page).Find(icon)
		if html, err := found.Html(); err != nil || html != card("SMS") || found.AttrOr("aria-hidden", "") != "true" {
			t.Errorf("%s shows the icon %q: %v", page, html, err)
		}
	}
}
