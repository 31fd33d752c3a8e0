package reader_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

// posts are two versions of a product with callbacks.
func posts(t testing.TB) *testPortal {
	t.Helper()
	p := publish(t)
	im := editorial.Import{ProductSlug: "post", Product: content.Product{Name: "Post", Summary: "Letters."}, VersionSlug: "1.0", Version: content.Version{Label: "Deprecated"}}
	old := `{"openapi":"3.1.0","info":{"title":"Post","version":"1"},"servers":[{"url":"https://api.example.com"},{"url":"https://try.example.com"}],
		"tags":[{"name":"Letters"},{"name":"News","description":"What is posted to you."}],
		"paths":{"/letters":{"post":{"operationId":"send","summary":"Send","tags":["Letters"],"responses":{"200":{"description":"Sent."}}}}},
		"webhooks":{"moved":{"post":{"operationId":"moved","summary":"A letter moved","tags":["News"],"description":"Posted when a letter moves on.",
			"parameters":[{"name":"X-Signature","in":"header","required":true,"schema":{"type":"string"}}],
			"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Move"},"examples":{"home":{"summary":"It came home","value":{"letter":{"state":"home"}}},"lost":{"summary":"It was lost","value":{"letter":{"state":"lost"}}}}}}},
			"responses":{"2XX":{"description":"You have it."}}}}EXTRA},
		"components":{"schemas":{"Move":{"type":"object","properties":{"letter":{"type":"object","properties":{"state":{"type":"string","enum":["home","lost"]}}}}}}}}`
	p.release(t, im, strings.Replace(old, "EXTRA", "", 1))
	im.VersionSlug, im.Version.Label = "2.0", "Current"
	im.Guides = []editorial.ImportGuide{{Slug: "webhooks", Guide: content.Guide{Title: "Answer webhooks", Group: "Start", Summary: "How.", Text: "So."}}}
	p.release(t, im, strings.Replace(old, "EXTRA", `,"burnt":{"post":{"operationId":"burnt","summary":"A letter burnt","tags":["News"],"responses":{"2XX":{"description":"You have it."}}}}`, 1))
	return p
}

// A callback has a page like an endpoint's, which says what is sent and
// offers nothing to call.
func TestCallbackHasAPage(t *testing.T) {
	t.Parallel()
	p := posts(t)
	doc := p.page(t, "/docs/post/2.0/moved")
	for selector, want := range map[string]string{
		".heading .badge":                       "Callback",
		".request-line":                         "IN your webhook address",
		".breadcrumb li:nth-child(4) a":         "News",
		".nav [aria-current=page]":              "IN A letter moved",
		"#responses":                            "Your answer",
		".pager-next":                           "Next A letter burnt",
		".pager-previous":                       "Previous Send",
		`a[href="/productguide/post/webhooks"]`: "Answer webhooks",
	} {
		if got := said(doc.Find(selector).First()); got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}
	for _, id := range []string{"header.X-Signature", "body", "body.letter", "body.letter.state"} {
		if doc.Find(`[id="`+id+`"]`).Length() != 1 {
			t.Errorf("%s has no address", id)
		}
	}
	if n := doc.Find("#authentication, .servers, [data-kept]").Length(); n != 0 {
		t.Errorf("%d things to call with are on the page of a callback", n)
	}
	if text := doc.Find(".samples").Text(); strings.Contains(text, "curl") || !strings.Contains(text, "It was lost") || !strings.Contains(text, `"state": "home"`) {
		t.Errorf("the samples are %s", text)
	}
	if text := p.page(t, "/docs/post/2.0/moved?example=lost").Find("#calls pre").Text(); !strings.Contains(text, `"state": "lost"`) {
		t.Errorf("the payload that was chosen is %s", text)
	}
	if w := p.ask("GET", "/docs/post/2.0/moved"); w.Header().Get("Vary") == "Cookie" {
		t.Error("the page varies by a choice that it does not have")
	}
	text := p.ask("GET", "/docs/post/2.0/moved.md").Body.String()
	for _, want := range []string{"`POST` to your webhook address", "## Example: It was lost", "## Your answer", "`state`"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// Callbacks are listed apart from endpoints and are not counted among them;
// versions lead from one to the other's, as for endpoints.
func TestCallbacksAreListedApart(t *testing.T) {
	t.Parallel()
	p := posts(t)
	doc := p.page(t, "/docs/post/2.0")
	if got := said(doc.Find("[aria-labelledby=endpoints] small").First()); got != "1" {
		t.Errorf("the version has %s", got)
	}
	if got := said(doc.Find("[aria-labelledby=category-news] .section-head, [aria-labelledby=category-news] .endpoint-list span:not(.method)")); got != "News 2 A letter moved A letter burnt" {
		t.Errorf("callbacks are listed as %q", got)
	}
	if got := said(p.page(t, "/docs/post").Find(".topics li:last-child > :not(p)")); got != "News 2 callbacks" {
		t.Errorf("the product lists %q", got)
	}
	if got := said(p.page(t, "/docs/post/2.0/schemas/Move").Find("[aria-labelledby=endpoints] a")); got != "IN A letter moved your webhook address" {
		t.Errorf("the schema is used by %q", got)
	}
	old := p.page(t, "/docs/post/1.0/moved")
	if got := old.Find("link[rel=canonical]").AttrOr("href", ""); got != origin+"/docs/post/2.0/moved" {
		t.Errorf("the canonical address is %s", got)
	}
	burnt := p.page(t, "/docs/post/2.0/burnt").Find(".version-menu a:not([aria-current])").First()
	if diff := cmp.Diff("1.0 without this callback: see the comparison", said(burnt)); diff != "" || !strings.HasPrefix(burnt.AttrOr("href", ""), "/docs/post/compare?from=") {
		t.Errorf("the other version is offered as %q", said(burnt))
	}
	if w := p.ask("GET", "/docs/post/1.0/burnt"); w.Code != http.StatusNotFound {
		t.Errorf("a callback that is not published answers %d", w.Code)
	}
	sitemap := p.ask("GET", "/sitemap.xml").Body.String()
	if !strings.Contains(sitemap, origin+"/docs/post/2.0/burnt<") || strings.Contains(sitemap, origin+"/docs/post/1.0/moved<") {
		t.Errorf("the sitemap is %s", sitemap)
	}
}
