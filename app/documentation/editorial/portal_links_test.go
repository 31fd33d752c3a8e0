package editorial_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
)

// The checks of links know every page that readers can open: a link to one of them is
// never called broken.
func TestLinksToThePortalsPagesAreKnown(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../web/testdata/access.txt") // the routes, which a test of theirs keeps
	if err != nil {
		t.Fatal(err)
	}
	notLinked := []string{
		"docs", "productguide", // looked up in the documentation
		".well-known", "card", "favicon.ico", "media", "preview", "robots.txt", "static", "theme", "ui", // files, and pages of one machine or person
	}
	pages := 0
	for _, row := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		cells := strings.Split(row, "\t")
		method, access := cells[1], cells[3]
		first, _, _ := strings.Cut(strings.TrimPrefix(cells[2], "/"), "/")
		if method != "GET" || access != "public" && access != "visitor" || slices.Contains(notLinked, first) {
			continue
		}
		pages++
		if !slices.Contains(editorial.OwnPages, first) {
			t.Errorf("a link to %s would be called broken: list %q in surroundings.go", cells[2], first)
		}
	}
	if pages < 20 {
		t.Errorf("only %d pages are listed: the test looks in the wrong place", pages)
	}
}
