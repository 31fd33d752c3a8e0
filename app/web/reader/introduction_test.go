package reader_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

const introduced = `openapi: 3.1.0
info:
  title: Lamps
  version: "1.0"
  description: |-
    Light by ` + "`GET /lamps/{lamp}`" + `, not by ` + "`GET /suns`" + `.

    ## Colours

    ~~~text
    # not a heading
    ~~~

    ### Red

    It is [` + "`GET /lamps/{lamp}`" + `](/elsewhere).

    ## Authentication

    Bring a match.

    ## Errors

    | Code | Meaning |
    |---|---|
    | 404 | No lamp |
paths:
  /lamps/{lamp}:
    get:
      operationId: getLamp
      responses:
        "200": {description: Lit.}
`

// The description of a version is taken apart: what it says of authentication
// stands with the schemes, and its other sections are sections of the page.
func TestIntroduction(t *testing.T) {
	t.Parallel()
	p := publish(t)
	p.release(t, editorial.Import{ProductSlug: "lamps", Product: content.Product{Name: "Lamps"}, VersionSlug: "1.0", Version: content.Version{Label: "Current"}}, introduced)
	doc := p.page(t, "/docs/lamps/1.0")
	headings := doc.Find("article h1, article h2, article h3").Map(func(_ int, h *goquery.Selection) string { return goquery.NodeName(h) + " " + words(h) })
	want := []string{"h1 Lamps 1.0", "h2 Purpose", "h2 Base URL", "h2 Authentication", "h2 Colours", "h3 Red", "h2 Errors", "h2 Endpoints", "h3 Operations"}
	if diff := cmp.Diff(want, headings); diff != "" {
		t.Errorf("headings (-want +got)\n%s", diff)
	}
	contents := doc.Find(".contents a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
	if diff := cmp.Diff([]string{"#base-url", "#authentication", "#about-colours", "#about-errors", "#endpoints", "#category-operations"}, contents); diff != "" {
		t.Errorf("contents (-want +got)\n%s", diff)
	}
	if got := said(doc.Find("#about-authentication")); got != "Bring a match." {
		t.Errorf("authentication says %q", got)
	}
	links := doc.Find("article .prose a:has(code)").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
	if diff := cmp.Diff([]string{"/docs/lamps/1.0/get-lamp", "/elsewhere"}, links); diff != "" {
		t.Errorf("what the text names leads to (-want +got)\n%s", diff)
	}
	for _, anchor := range []string{"about-errors", "error-404"} {
		if !strings.Contains(doc.Find("main").Text(), "No lamp") || doc.Find(`[id="`+anchor+`"]`).Length() != 1 {
			t.Errorf("nothing is at #%s", anchor)
		}
	}
}
