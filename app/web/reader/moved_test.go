package reader_test

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

func TestAddressesThatReadersGuess(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for from, to := range map[string]string{
		"/docs":                           "/#products",
		"/products":                       "/#products",
		"/docs?lang=go":                   "/?lang=go#products",
		"/docs/mirrors/latest":            "/docs/mirrors/2.0",
		"/docs/Mirrors":                   "/docs/mirrors",
		"/docs/mirrors/v2.0":              "/docs/mirrors/2.0",
		"/docs/mirrors/2":                 "/docs/mirrors/2.0",
		"/docs/mirrors/V1":                "/docs/mirrors/1.0",
		"/docs/mirrors/latest/get-mirror": "/docs/mirrors/2.0/get-mirror",
		"/docs/mirrors/latest/get-mirror?lang=python": "/docs/mirrors/2.0/get-mirror?lang=python",
		"/docs/mirrors/2.0/getMirror":                 "/docs/mirrors/2.0/get-mirror",
		"/docs/mirrors/latest/schemas/Mirror":         "/docs/mirrors/2.0/schemas/Mirror",
		"/docs/cellar/latest":                         "/docs/cellar/1.0",
	} {
		w := p.ask("GET", from)
		if w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != to || w.Header().Get("Cache-Control") != "public, no-cache" {
			t.Errorf("%s answers %d and leads to %q, want %q; %v", from, w.Code, w.Header().Get("Location"), to, w.Header())
		}
	}
	for _, path := range []string{"/docs/lenses/latest", "/docs/lamps/latest", "/docs/mirrors/latest/flash", "/docs/mirrors/3", "/docs/mirrors/latest/schemas/Lens"} {
		if w := p.ask("GET", path); w.Code != http.StatusNotFound {
			t.Errorf("%s answers %d and leads to %q", path, w.Code, w.Header().Get("Location"))
		}
	}
}

// The page of error codes is found as the pages of endpoints are, and its Markdown takes
// no filter of a navigation that it does not have.
func TestErrorCodesAreFound(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for from, to := range map[string]string{
		"/docs/sms/latest/errors": "/docs/sms/1.0/errors", "/docs/sms/latest/errors.md": "/docs/sms/1.0/errors.md",
	} {
		if w := p.ask("GET", from); w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != to {
			t.Errorf("%s answers %d and leads to %q, want %q", from, w.Code, w.Header().Get("Location"), to)
		}
	}
	for path, kind := range map[string]string{
		"/docs/sms/1.0/errors": "text/html", "/docs/sms/1.0/errors?find=number": "text/html", "/docs/sms/1.0/errors.md": "text/markdown", "/docs/sms/1.0/errors.md?filter=send": "text/markdown",
	} {
		if w := p.ask("GET", path); w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) {
			t.Errorf("%s answers %d as %s, want %s", path, w.Code, w.Header().Get("Content-Type"), kind)
		}
	}
	if w := mirrors(t).ask("GET", "/docs/mirrors/2.0/errors"); w.Code != http.StatusNotFound {
		t.Errorf("the error codes of a version without any answer %d", w.Code)
	}
}

// Who misspells an address, or has an old one, is offered the pages like it.
func TestNearestPages(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for path, want := range map[string]string{
		"/docs/business-messaging/3.0/send-mesage":             "/docs/business-messaging/3.0/send-message",
		"/docs/business-messaging/latest/templates":            "/docs/business-messaging/3.0/list-templates",
		"/docs/business-messaging/3.0/schemas/TemplateMesage":  "/docs/business-messaging/3.0/schemas/TemplateMessage",
		"/docs/bussiness-messaging":                            "/docs/business-messaging",
		"/docs/business-messaging/9.9":                         "/docs/business-messaging/3.0",
		"/productguide/business-messaging/recieving-callbacks": "/productguide/business-messaging/receive-callbacks",
	} {
		links := p.parse(t, path, http.StatusNotFound).Find(".nearest a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
		if len(links) > 4 || !slices.Contains(links, want) {
			t.Errorf("%s offers %v, not %s", path, links, want)
		}
	}
	if links := p.parse(t, "/docs/business-messaging/3.0/zzzzzz", http.StatusNotFound).Find(".nearest"); links.Length() > 0 {
		t.Errorf("nothing is like it, and %q is offered", said(links))
	}
}

// The sitemap has every page of the documentation that says that its address is
// its own, and no other.
func TestSitemap(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*testPortal{"seed": seeded(t), "mirrors": mirrors(t)} {
		w := p.ask("GET", "/sitemap.xml")
		var m struct {
			URLs []struct {
				Loc     string `xml:"loc"`
				LastMod string `xml:"lastmod"`
			} `xml:"url"`
		}
		if err := xml.Unmarshal(w.Body.Bytes(), &m); err != nil || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/xml") {
			t.Fatalf("%s: %v, %v", name, err, w.Header())
		}
		var got []string
		for _, u := range m.URLs {
			path := strings.TrimPrefix(u.Loc, origin)
			got = append(got, path)
			if doc := p.page(t, path); doc.Find("link[rel=canonical]").AttrOr("href", "") != u.Loc {
				t.Errorf("%s: %s is not its own address", name, path)
			}
			if u.LastMod == "" && path != "/docs/lamps" && path != "/docs/voice" && path != "/docs/customer-data-platform" {
				t.Errorf("%s: nothing says when %s was published", name, path)
			}
		}
		var want []string
		for path, doc := range crawl(t, p) {
			if doc.Find("link[rel=canonical]").AttrOr("href", "") == origin+path && path != "/search" { // a form is nothing to crawl
				want = append(want, path)
			}
		}
		if name == "seed" { // the crawl leaves this page out, which other portals lack
			want = append(want, "/productguide/portal/mock-server")
		}
		slices.Sort(got)
		slices.Sort(want)
		got = slices.DeleteFunc(got, func(path string) bool { // announced products have a page that nothing leads to
			return path == "/docs/lamps" || path == "/docs/voice" || path == "/docs/customer-data-platform"
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-crawled +sitemap)\n%s", name, diff)
		}
	}
}

// What becomes hidden leaves the sitemap.
func TestSitemapForgetsTheHidden(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	if body := p.ask("GET", "/sitemap.xml").Body.String(); strings.Contains(body, "cellar") || !strings.Contains(body, "/docs/mirrors/2.0/get-mirror<") {
		t.Errorf("the sitemap is %s", body)
	}
	p.release(t, editorial.Import{ProductSlug: "mirrors", Product: content.Product{Name: "Mirrors", Summary: "Light, turned round.", Hidden: true}}, "")
	if body := p.ask("GET", "/sitemap.xml").Body.String(); strings.Contains(body, "mirrors") {
		t.Errorf("the sitemap is %s", body)
	}
}
