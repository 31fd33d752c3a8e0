package webtest

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
)

// checkTwin asks for a page again as htmx does, and holds the main part that comes
// against the page: every page is tested in both renderings. Answers that are no
// pages, and requests that are htmx's already, have no twin.
func (c *Client) checkTwin(path string, page *Answer) {
	c.t.Helper()
	if c.header.Get("HX-Request") != "" || page.Status != http.StatusOK || page.Find("main#main").Length() != 1 || page.Find("body[hx-boost]").Length() != 1 {
		return
	}
	if page.Find(".secret").Length() > 0 {
		return // it is shown once
	}
	twin := c.HX().On(path).do(httptest.NewRequest(http.MethodGet, path, nil))
	main := twin.Find("main#main")
	switch {
	case twin.Status != page.Status || main.Length() != 1:
		c.t.Errorf("GET %s: htmx gets %d without a main part: %.200s %v", path, twin.Status, twin.Body, twin.Header)
	case strings.Contains(twin.Body, "<!doctype"):
		c.t.Errorf("GET %s: htmx gets a whole page", path)
	case words(main.Text()) != words(page.Find("main#main").Text()):
		c.t.Errorf("GET %s: htmx gets another main part\n%s\nwant\n%s", path, words(main.Text()), words(page.Find("main#main").Text()))
	case titleOf(twin) != titleOf(page):
		c.t.Errorf("GET %s: htmx gets the title %q, want %q", path, titleOf(twin), titleOf(page))
	}
	for _, a := range []*Answer{page, twin} {
		if vary := strings.Join(a.Header.Values("Vary"), ", "); !strings.Contains(vary, "HX-Request") || !strings.Contains(vary, "HX-Target") {
			c.t.Errorf("GET %s: Vary is %q", path, vary)
		}
	}
}

func titleOf(a *Answer) string { return a.Find("title").Not("svg title").Text() }

// passing matches what changes between two requests.
var passing = regexp.MustCompile(`\d+ \w+ ago|now|a moment|\d+ (seconds?|minutes?)|\d+ MiB|\d\d:\d\d:\d\d`)

func words(text string) string {
	return strings.Join(strings.Fields(passing.ReplaceAllString(text, "")), " ")
}
