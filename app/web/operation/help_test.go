package operation_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/operation/help"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// Every topic is a page, and each link within the handbook leads to one.
func TestHandbook(t *testing.T) {
	t.Parallel()
	c := webtest.New(t, nil).SignInAdmin(t, identity.Viewer)
	topics := c.Get("/admin/help").Find(".handbook a")
	if n := topics.Length(); n < 20 {
		t.Fatalf("the handbook lists %d topics", n)
	}
	topics.Each(func(_ int, a *goquery.Selection) {
		page := c.Get(a.AttrOr("href", ""))
		if page.Status != 200 || page.Find("h1").Text() != a.Text() || page.Find(".prose").Length() != 1 {
			t.Errorf("%s gives %d", a.AttrOr("href", ""), page.Status)
		}
		page.Find(".prose a").Each(func(_ int, link *goquery.Selection) {
			if href := link.AttrOr("href", ""); !strings.ContainsAny(href, ":/#") {
				if _, ok := help.Find(href); !ok {
					t.Errorf("%s links to %s", a.Text(), href)
				}
			}
		})
	})
	if a := c.Get("/admin/help/semaphore"); a.Status != 404 {
		t.Errorf("an unknown topic gives %d", a.Status)
	}
}

func TestHandbookIsSearched(t *testing.T) {
	t.Parallel()
	c := webtest.New(t, nil).SignInAdmin(t, identity.Viewer)
	for query, want := range map[string]string{"restore backup": "Backup and restore", "xylophone": "Show every topic"} {
		a := c.HX(ui.List).Get("/admin/help?q=" + url.QueryEscape(query))
		if got := a.Find("a").First().Text(); got != want {
			t.Errorf("%q shows %q first, want %q", query, got, want)
		}
	}
}
