package search

import (
	_ "embed"
	"strings"
	"sync"
)

// namesText lists what people call what a page is about, who have not read it.
//
//go:embed words/names.tsv
var namesText string

// otherNames returns those names by the product and slug of the page.
var otherNames = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for line := range strings.Lines(namesText) {
		if page, list, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && line[0] != '#' {
			names[page] = append(names[page], strings.Split(list, ", ")...)
		}
	}
	return names
})

// namesOf returns the other names of the page at an address; a part of a page has
// none.
func namesOf(url string) []string {
	parts := strings.Split(strings.TrimPrefix(url, "/"), "/")
	switch {
	case strings.Contains(url, "#"):
	case len(parts) == 3 && parts[0] == "productguide":
		return otherNames()[parts[1]+"/"+parts[2]]
	case len(parts) == 4 && parts[0] == "docs":
		return otherNames()[parts[1]+"/"+parts[3]]
	}
	return nil
}
