package reader_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/db/dbtest"
)

func contract(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// mirrors is a portal with a product of two versions, the older deprecated, a
// hidden product, and one that is coming soon and has a version all the same.
func mirrors(t *testing.T) *testPortal {
	t.Helper()
	first, second := contract(t, "one.yaml"), contract(t, "two.yaml")
	product := content.Product{Name: "Mirrors", Summary: "Light, turned round.", Description: "Turn it.\n\n## How\n\nSlowly.", Homepage: true, Order: 1}
	one := content.Version{Label: "Deprecated", SunsetOn: "2027-06-30", MigrateTo: "2.0", ReleasedOn: "2024-02-01", Notes: "Flash is gone soon."}
	hidden := content.Product{Name: "Cellar", Summary: "Not for everybody.", Homepage: true, Hidden: true, Order: 2}
	soon := content.Product{Name: "Lamps", Summary: "Light of one's own.", Homepage: true, ComingSoon: true, Order: 3}
	return over(t, dbtest.Filled(t, "mirrors", func(ctx context.Context, pool *pgxpool.Pool) error {
		return errors.Join(
			release(ctx, pool, editorial.Import{ProductSlug: "mirrors", Product: product, VersionSlug: "1.0", Version: one}, first),
			release(ctx, pool, editorial.Import{ProductSlug: "mirrors", Product: product, VersionSlug: "2.0", Version: content.Version{Label: "Current"}}, second),
			release(ctx, pool, editorial.Import{ProductSlug: "cellar", Product: hidden, VersionSlug: "1.0", Version: content.Version{Label: "Beta"}}, second),
			release(ctx, pool, editorial.Import{ProductSlug: "lamps", Product: soon, VersionSlug: "1.0", Version: content.Version{Label: "Beta"}}, second),
		)
	}))
}

func TestHomepage(t *testing.T) {
	t.Parallel()
	doc := mirrors(t).page(t, "/")
	cards := doc.Find(".cards .card").Map(func(_ int, s *goquery.Selection) string { return said(s) })
	want := []string{"Mirrors Current Light, turned round. Version 2.0 2 endpoints", "Lamps Coming soon Light of one's own."}
	if diff := cmp.Diff(want, cards); diff != "" {
		t.Errorf("cards (-want +got)\n%s", diff)
	}
	if doc.Find(`a[href^="/docs/lamps"], a[href^="/docs/cellar"]`).Length() > 0 {
		t.Error("the homepage links to products that are coming soon or hidden")
	}
	if got := said(doc.Find(".status-line")); !strings.HasPrefix(got, "2 products last published") {
		t.Errorf("the status line says %q", got)
	}
}

func TestSeededHomepage(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	doc := p.page(t, "/")
	if got := doc.Find(".hero-code pre").First().Text(); !strings.HasPrefix(got, "curl") || !strings.Contains(got, origin+"/v3/") || !strings.Contains(got, "<API_KEY>") {
		t.Errorf("the first call is %q", got)
	}
	for selector, want := range map[string]string{
		`.steps a[href="/docs/business-messaging/3.0/send-message"]`: "Send a message",
		`.steps a[href="/docs/business-messaging/3.0/set-webhook"]`:  "Set the webhook",
		`.announced`: "Voice Coming soon Place, answer and route calls from your program.",
	} {
		if got := said(doc.Find(selector).First()); got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}
}

func TestHiddenAndComingSoon(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for _, path := range []string{"/docs/cellar", "/docs/cellar/1.0", "/docs/cellar/1.0/get-mirror"} {
		doc := p.page(t, path)
		if doc.Find("meta[name=robots][content=noindex]").Length() != 1 || doc.Find("link[rel=canonical]").Length() > 0 {
			t.Errorf("%s may be indexed", path)
		}
	}
	for path, doc := range crawl(t, p) {
		if strings.Contains(path, "cellar") || strings.Contains(path, "lamps") {
			t.Errorf("a page leads to %s", path)
		}
		if strings.Contains(said(doc.Selection), "Cellar") {
			t.Errorf("%s names a hidden product", path)
		}
	}
	if soon := p.page(t, "/docs/lamps"); said(soon.Find(".heading")) != "Lamps Coming soon" || soon.Find(".card, .nav a").Length() > 0 {
		t.Errorf("a product that is coming soon shows %q", said(soon.Find("main")))
	} else if tell := soon.Find(".empty a"); tell.Text() != "Tell me when Lamps is there" || tell.AttrOr("href", "") != "/contact-us?page=%2Fdocs%2Flamps" || soon.Find(`a[href$="/changelog"]`).Length() > 0 {
		t.Errorf("a product that is coming soon offers %q at %q", tell.Text(), tell.AttrOr("href", ""))
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for _, tt := range []struct{ path, notice, link, canonical string }{
		{"/docs/mirrors/2.0", "", "", "/docs/mirrors/2.0"},
		{"/docs/mirrors/1.0", "Version 1.0 is deprecated. It stops answering on 30 June 2027. Move to version 2.0", "/docs/mirrors/2.0", "/docs/mirrors/1.0"},
		{"/docs/mirrors/1.0/get-mirror", "Version 1.0 is deprecated. It stops answering on 30 June 2027. Move to version 2.0", "/docs/mirrors/2.0/get-mirror", "/docs/mirrors/2.0/get-mirror"},
		{"/docs/mirrors/1.0/flash", "Version 1.0 is deprecated. It stops answering on 30 June 2027. Version 2.0 does not have this endpoint. Move to version 2.0", "/docs/mirrors/2.0", "/docs/mirrors/1.0/flash"},
	} {
		doc := p.page(t, tt.path)
		if got := said(doc.Find(".notice")); got != tt.notice {
			t.Errorf("%s warns %q, want %q", tt.path, got, tt.notice)
		}
		if got := doc.Find(".notice a").AttrOr("href", ""); got != tt.link {
			t.Errorf("%s sends readers to %q, want %q", tt.path, got, tt.link)
		}
		if got := doc.Find("link[rel=canonical]").AttrOr("href", ""); got != origin+tt.canonical {
			t.Errorf("%s says that its address is %q", tt.path, got)
		}
	}
	doc := p.page(t, "/docs/mirrors/1.0/flash")
	switcher := doc.Find(".version-menu a").Map(func(_ int, a *goquery.Selection) string { return said(a) + " " + a.AttrOr("href", "") })
	if diff := cmp.Diff([]string{"2.0 without this endpoint: see the comparison /docs/mirrors/compare?from=1.0&to=2.0#op-flash", "1.0 /docs/mirrors/1.0/flash", "Compare versions /docs/mirrors/compare"}, switcher); diff != "" {
		t.Errorf("versions (-want +got)\n%s", diff)
	}
	if said(doc.Find("title")) != "Flash – Mirrors 1.0 – Heliograph" || !strings.HasPrefix(said(doc.Find(".heading")), "Flash Deprecated since 1.0 Copy page More View as Markdown Copy link") {
		t.Errorf("title %q, heading %q", said(doc.Find("title")), said(doc.Find(".heading")))
	}
	if got := said(doc.Find(".published")); !strings.HasSuffix(got, "as release 1") {
		t.Errorf("published %q", got)
	}
	if notes := p.page(t, "/docs/mirrors/1.0").Find("[aria-labelledby=release-notes]"); said(notes) != "Release notes Flash is gone soon." {
		t.Errorf("release notes %q", said(notes))
	}
}

func TestEndpointTellsAll(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for _, v := range p.documentation.Snapshot().Product("mirrors").Versions {
		for _, e := range v.Endpoints() {
			path := "/docs/mirrors/" + v.Slug + "/" + e.Slug
			doc := p.page(t, path)
			checkModel(t, p.rows(t, path, doc), path, doc, everyChoice(t, p, path, doc), compile(t, v, e))
		}
	}
	doc := p.page(t, "/docs/mirrors/2.0/get-mirror")
	for selector, want := range map[string]string{
		"#authentication ~ *":                         "API key ?key=<API_KEY> A key of yours.",
		".or":                                         "and",
		`[id="query.detail"] .field-head`:             "detail string or null deprecated",
		`[id="path.mirror"] .field-head`:              "mirror string (uuid) required",
		`[id="response-200.behind"] > .field-line a`:  "Mirror",
		`[id="response-200.shape:round.frame:brass"]`: "alloy string",
		`[id="response-200-text-plain"]`:              "string at most 40 characters",
		".pager-next":                                 "Next Put a mirror",
		".nav [aria-current=page]":                    "GET Get a mirror",
		".breadcrumb li:nth-child(4) a":               "Main",
	} {
		if got := said(doc.Find(selector).First()); got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}
	if got := doc.Find(".request-line code").First().Text(); got != origin+"/mirrors/mirrors/{mirror}" {
		t.Errorf("the request goes to %q", got)
	}
	if got := doc.Find("meta[name=description]").AttrOr("content", ""); got != "Reads one mirror. It is there or not." {
		t.Errorf("the description is %q", got)
	}
	doc = p.page(t, "/docs/mirrors/2.0/put-mirror")
	if got := said(doc.Find("[aria-labelledby=body]")); !strings.Contains(got, "at least 2 items") || !strings.Contains(got, "All of them.") {
		t.Errorf("what holds for the whole body is lost: %q", got)
	}
}

func TestNothingThere(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for _, tt := range []struct{ path, says, leads string }{
		{"/docs/lenses", "No product is published under this name.", "/#products"},
		{"/docs/mirrors/newest", "Mirrors has no version of this name.", "/docs/mirrors"},
		{"/docs/mirrors/9.9/flash", "Mirrors has no version of this name.", "/docs/mirrors"},
		{"/docs/mirrors/2.0/%3Cscript%3E", "Mirrors 2.0 has no endpoint of this name.", "/docs/mirrors/2.0"},
		{"/docs/mirrors/2.0/flash", "Mirrors 2.0 has no endpoint of this name.", "/docs/mirrors/1.0/flash /docs/mirrors/2.0"},
		{"/docs/lamps/1.0", "Lamps is announced; its documentation is not here yet.", "/docs/lamps"},
		{"/docs/lamps/1.0/get-mirror", "Lamps is announced; its documentation is not here yet.", "/docs/lamps"},
	} {
		doc := p.parse(t, tt.path, http.StatusNotFound)
		if got := said(doc.Find(".lead")); got != tt.says {
			t.Errorf("%s says %q, want %q", tt.path, got, tt.says)
		}
		links := doc.Find(".actions a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
		if got := strings.TrimSuffix(strings.Join(links, " "), " /contact-us"); got != tt.leads+" /#products" && got != tt.leads {
			t.Errorf("%s leads to %s, want %s", tt.path, got, tt.leads)
		}
		if doc.Find("form.find input[name=q]").Length() != 1 {
			t.Errorf("%s has no search field", tt.path)
		}
		if doc.Find("meta[name=robots][content=noindex]").Length() != 1 {
			t.Errorf("%s may be indexed", tt.path)
		}
	}
	if w := p.ask("GET", "/docs/lenses"); w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("what is not there yet may be cached: %v", w.Header())
	}
}

// An empty portal has a homepage that says so.
func TestNothingPublished(t *testing.T) {
	t.Parallel()
	doc := publish(t).page(t, "/")
	if got := said(doc.Find(".empty-title")); got != "No product is published" {
		t.Errorf("the homepage says %q", got)
	}
}

// Who knows a body by its JSON asks for fields without the names of variants.
func TestFieldsAreFoundByTheirJSONPath(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	const page = "/docs/business-messaging/3.0/send-message"
	doc := p.page(t, page+"?field=body.template.language.code")
	if lost := said(doc.Find(".lost")); strings.Contains(lost, "not part of") {
		t.Errorf("the field is lost: %s", lost)
	}
	code := doc.Find(`[id="body:template.template.language.code"]`)
	if code.Length() != 1 || code.ParentsFiltered("details:not([open])").Length() > 0 {
		t.Error("the field is not shown")
	}
	if lost := said(p.page(t, page+"?field=body.to.fax").Find(".lost")); !strings.HasSuffix(lost, "Its nearest parent is body:text.to .") {
		t.Errorf("a field within one of several says %q", lost)
	}
	if doc := p.page(t, page+"?field=body.template.language.cod"); !strings.Contains(said(doc.Find("main")), "not part of") {
		t.Error("a field that is not there is not said to be")
	}
}

// The page of a product shows a call of its first endpoint, with the answer and what it
// needs.
func TestProductPageBeginsWithACall(t *testing.T) {
	t.Parallel()
	doc := seeded(t).page(t, "/docs/sms")
	call := doc.Find("section:has(#call)")
	if a := call.Find("p a").First(); a.AttrOr("href", "") != "/docs/sms/1.0/submit-sms" || !strings.Contains(call.Find("pre").First().Text(), "curl") || call.Find("pre").Length() != 2 {
		t.Errorf("the page begins with %q: %s", a.AttrOr("href", ""), said(call))
	}
	if needs := said(call.Find("dl")); !strings.Contains(needs, "API key") || !strings.Contains(needs, "Base URL http") {
		t.Errorf("the call needs %q", needs)
	}
	if soon := mirrors(t).page(t, "/docs/lamps"); soon.Find("#call").Length() != 0 {
		t.Error("a product that is coming soon shows a call")
	}
}
