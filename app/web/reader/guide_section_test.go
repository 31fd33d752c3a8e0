package reader_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Account and keys are a section of the product guide, not guides of the Portal API:
// in the overview, the navigation, the trail of a guide, its neighbours, the page of
// the product and the Markdown for assistants.
func TestGuidesForEveryProduct(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	links := func(s *goquery.Selection) []string {
		return s.Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
	}
	keys, account, mock := "/productguide/portal/api-keys", "/productguide/portal/your-account", "/productguide/portal/mock-server"
	all := p.page(t, "/productguide")
	section := links(all.Find("[aria-labelledby=section-account-and-keys] li a"))
	if said(all.Find("#section-account-and-keys")) != "Account and keys" || !slices.Contains(section, keys) || !slices.Contains(section, account) || slices.Contains(section, mock) {
		t.Errorf("the section has %v", section)
	}
	if of := links(all.Find("[aria-labelledby=guides-portal] li a")); slices.Contains(of, keys) || !slices.Contains(of, mock) {
		t.Errorf("the Portal API has the guides %v", of)
	}
	guide := p.page(t, keys)
	if trail := said(guide.Find(".breadcrumb")); !strings.Contains(trail, "Account and keys") || strings.Contains(trail, "Portal API") {
		t.Errorf("the trail is %q", trail)
	}
	if title := guide.Find("title").Text(); !strings.Contains(title, "Account and keys") {
		t.Errorf("the title is %q", title)
	}
	if next := links(guide.Find(".pager a")); !slices.Equal(next, []string{account, "/productguide/portal/opt-out"}) {
		t.Errorf("its neighbours are %v", next)
	}
	if of := links(p.page(t, "/docs/portal").Find("main a")); slices.Contains(of, keys) || !slices.Contains(of, mock) {
		t.Error("the page of the Portal API has the guides of every product")
	}
	for _, path := range []string{"/productguide.md", "/llms.txt"} {
		text := p.ask("GET", path).Body.String()
		_, after, found := strings.Cut(text, "## Account and keys\n")
		before, _, _ := strings.Cut(text, "## Account and keys\n")
		if !found || !strings.Contains(after, keys) || strings.Contains(before, keys) {
			t.Errorf("%s has the section elsewhere", path)
		}
	}
}
