package views_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"heliograph/static"
	"heliograph/views/layout"
	"heliograph/views/people/login"
	"heliograph/views/reader"
	"heliograph/views/ui"
)

func find(t *testing.T, name string) (page, *goquery.Document) {
	t.Helper()
	for _, p := range pages() {
		if p.name == name {
			return p, parse(t, p)
		}
	}
	t.Fatalf("no page named %s", name)
	return page{}, nil
}

// words gives the text of a selection with its spaces made single.
func words(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

func TestHead(t *testing.T) {
	t.Parallel()
	_, doc := find(t, "endpoint")
	for selector, want := range map[string]string{
		"title": "Send a message – Business Messaging 3.0 – Heliograph",
	} {
		if got := doc.Find(selector).Text(); got != want {
			t.Errorf("%s = %q, want %q", selector, got, want)
		}
	}
	if got := doc.Find("link[rel=canonical]").AttrOr("href", ""); got != origin+"/docs/business-messaging/3.0/send-message" {
		t.Errorf("canonical = %q", got)
	}
	if doc.Find("meta[name=description], meta[name=color-scheme], meta[name=viewport]").Length() != 3 {
		t.Error("a meta element is missing")
	}
	if doc.Find("meta[name=robots]").Length() != 0 {
		t.Error("a page with an address of its own asks not to be indexed")
	}
	_, doc = find(t, "error")
	if doc.Find("meta[name=robots][content=noindex]").Length() != 1 || doc.Find("link[rel=canonical]").Length() != 0 {
		t.Error("an error page may be indexed")
	}
	if _, doc = find(t, "home-empty"); doc.Find("title").Text() != "Heliograph" {
		t.Errorf("the homepage's title is %q", doc.Find("title").Text())
	}
}

func TestEndpointInOrder(t *testing.T) {
	t.Parallel()
	_, doc := find(t, "endpoint")
	headings := doc.Find("main h1, main h2").Map(func(_ int, s *goquery.Selection) string { return words(s) })
	want := []string{"Send a message", "Authentication", "Path parameters", "Headers", "Body", "Responses", "Limits and retries"}
	if diff := cmp.Diff(want, headings); diff != "" {
		t.Errorf("headings (-want +got)\n%s", diff)
	}
	for selector, want := range map[string]string{
		".request-line code":                                                  "https://api.example.com/v3/{phone_number_id}/messages",
		".request-line .tint-1":                                               "{phone_number_id}",
		`[id="path.phone_number_id"] .tint-1`:                                 "phone_number_id",
		`[id="body.template"] > .field-head`:                                  "template object Template required",
		`[id="body.template"] > details > summary`:                            "3 fields of template",
		`[id="body.template.language"] summary`:                               "1 field of language",
		`[id="body.preview_url"] .field-head`:                                 "preview_url boolean deprecated write only",
		`[id="body.messaging_product"] .limits`:                               `always "msgapp"`,
		`[id="body.template.components.body.parameters.type"] > p.field-line`: `One of "text" "currency" "date_time" "image" "video"`,
		`[id="body.template.components.body.parameters.type"] .more summary`:  "3 more",
		`[id="body.template.components.button.next"] p + p`:                   "Repeats Template",
		`.nav a[aria-current="page"]`:                                         "POST Send a message",
		".pager-next":                                                         "NextUpload media",
		".published":                                                          "Published on 12 March 2026",
		`details:has(#response-404) > .tab`:                                   "404",
		"#response-404 .response-title":                                       "404 Not found",
		"#response-500 .response":                                             "500 Server error No body.",
		"#response-401 .errors li:first-child":                                "131008A field is missingThe template has no nameThe recipient has no numberSend a key of yours in apikey.",
	} {
		if got := words(doc.Find(selector)); got != want {
			t.Errorf("%s = %q, want %q", selector, got, want)
		}
	}
	if got := doc.Find(".request-line [data-copy]").AttrOr("data-copy", ""); got != "https://api.example.com/v3/{phone_number_id}/messages" {
		t.Errorf("copying the address gives %q", got)
	}
}

func TestAnnouncedProductsHaveNoLink(t *testing.T) {
	t.Parallel()
	_, doc := find(t, "home")
	announced := doc.Find(".card.announced")
	if announced.Length() != 2 || announced.Find("a").Length() != 0 {
		t.Errorf("%d announced products with %d links, want 2 with none", announced.Length(), announced.Find("a").Length())
	}
	if got := words(announced.Find(".badge").First()); got != "Coming soon" {
		t.Errorf("badge = %q", got)
	}
	if got := words(doc.Find(".status-line")); got != "6 products 4 versions 71 endpoints last published 12 March 2026" {
		t.Errorf("status line = %q", got)
	}
}

func TestNoticeLeadsAway(t *testing.T) {
	t.Parallel()
	_, doc := find(t, "version")
	notice := doc.Find(".notice.warn")
	if notice.Length() != 1 || notice.Find("a").AttrOr("href", "") != "/docs/business-messaging/3.0" {
		t.Error("a deprecated version does not lead to the current one")
	}
}

func TestErrorPages(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, status := range []int{400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503} {
		p := reader.NewErrorPage(layout.Page{Account: ui.Link{Label: "Sign in", Href: "/login"}}, status, "01J")
		if other, twice := seen[p.Heading]; twice {
			t.Errorf("%d and %d say the same", status, other)
		}
		seen[p.Heading] = status
		if p.Title != p.Heading || len(p.Actions) == 0 || strings.ContainsAny(p.Heading+p.Text, "!") {
			t.Errorf("%d: %+v", status, p)
		}
	}
	if p := reader.NewErrorPage(layout.Page{}, 418, ""); p.Status != "418" || seen[p.Heading] != 400 {
		t.Errorf("418 says %q", p.Heading)
	}
	if p := reader.NewErrorPage(layout.Page{}, 502, ""); seen[p.Heading] != 500 {
		t.Errorf("502 says %q", p.Heading)
	}
}

func TestPasswordStaysHere(t *testing.T) {
	t.Parallel()
	form := loginPage()
	form.Password.Value = "correct horse"
	p := page{"login", form.Page, login.Login(form)}
	doc := parse(t, p)
	if bytes.Contains(render(t, p), []byte("correct horse")) {
		t.Error("a password travels back to the browser")
	}
	if doc.Find("form#login[method=post] input[name=_csrf]").Length() != 1 {
		t.Error("the form has no token")
	}
}

// A first view is the page, the stylesheet, htmx and two scripts. A version of five
// hundred endpoints must fit as well as a small one.
func TestWeight(t *testing.T) {
	t.Parallel()
	p := endpointPage()
	for g := range 25 {
		group := reader.NavGroup{Title: fmt.Sprint("Group ", g)}
		for i := range 20 {
			group.Links = append(group.Links, reader.NavLink{Link: ui.Link{Label: fmt.Sprintf("Do the thing %d of %d", i, g), Href: fmt.Sprintf("/docs/business-messaging/3.0/do-the-thing-%d-of-%d", i, g)}, Method: "POST", Path: fmt.Sprintf("/things/%d/of/%d", i, g)})
		}
		p.Nav.Groups = append(p.Nav.Groups, group)
	}
	html := render(t, page{"large", p.Page, reader.Endpoint(p)})
	small, _ := find(t, "endpoint")
	if each := (len(html) - len(render(t, small))) / 500; each > 210 {
		t.Errorf("a navigation link costs %d bytes, at most 210", each)
	}
	total := zipped(t, html)
	for _, name := range []string{"css/site.css", "vendor/htmx/htmx.min.js", "js/site.js", "js/theme.js", "img/favicon.svg"} {
		asset, _ := static.Open(static.URL(name))
		total += max(len(asset.Gzip), min(len(asset.Body), 1000))
	}
	if total > 54_000 {
		t.Errorf("the first view of an endpoint weighs %d bytes, at most 54,000", total)
	}
}

func zipped(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
