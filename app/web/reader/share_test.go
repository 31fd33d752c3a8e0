package reader_test

import (
	"encoding/json"
	"image/png"
	"net/url"
	"strings"
	"testing"
)

// Pages describe themselves to programs that show links to them and to search
// engines, and their menu leads to the contact form, which names the page.
func TestPagesDescribeThemselves(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	for _, path := range []string{"/docs/rcs/1.0/create-bot", "/docs/portal/1.1", "/productguide/rcs/send-your-first-rich-message", "/mcp-setup"} {
		doc := c.Get(path)
		if doc.Status != 200 {
			t.Fatalf("%s: %d", path, doc.Status)
		}
		property := func(name string) string { return doc.Find(`meta[property="og:`+name+`"]`).AttrOr("content", "") }
		canonical := doc.Find("link[rel=canonical]").AttrOr("href", "")
		if title := strings.TrimSuffix(doc.Find("title").First().Text(), " – Heliograph"); property("title") != title || title == "" {
			t.Errorf("%s has the title %q for links and %q in the browser", path, property("title"), title)
		}
		if property("url") != canonical || property("description") == "" || property("description") != doc.Find("meta[name=description]").AttrOr("content", "") {
			t.Errorf("%s is described as %q at %q", path, property("description"), property("url"))
		}
		var facts map[string]any
		if err := json.Unmarshal([]byte(doc.Find("script[type='application/ld+json']").First().Text()), &facts); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if facts["@context"] != "https://schema.org" || facts["@type"] != "TechArticle" || facts["headline"] != property("title") || facts["url"] != canonical {
			t.Errorf("%s has the facts %v", path, facts)
		}
		image, err := url.Parse(property("image"))
		if err != nil || !image.IsAbs() {
			t.Fatalf("%s has the image %q: %v", path, property("image"), err)
		}
		answer := c.Get(image.Path)
		size, err := png.DecodeConfig(strings.NewReader(answer.Body))
		if err != nil || size.Width != 1200 || size.Height != 630 || answer.Header.Get("Content-Type") != "image/png" {
			t.Errorf("the image of %s: %v %v %v", path, size, answer.Header, err)
		}
		report := doc.Find("#page-menu a").Last()
		if report.Text() != "Report a problem" {
			t.Errorf("%s: its menu ends with %q", path, report.Text())
			continue
		}
		if form := c.Get(report.AttrOr("href", "")); form.Find("input[name=page]").AttrOr("value", "") != path || !strings.Contains(form.Find("main").Text(), path) {
			t.Errorf("the form that %s leads to does not name it", path)
		}
	}
	if doc := c.Get("/search?q=bot"); doc.Find(`meta[property^="og:"], script[type="application/ld+json"]`).Length() != 0 {
		t.Error("a page that search engines do not list describes itself")
	}
}
