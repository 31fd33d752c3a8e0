package portal

import (
	"cmp"
	"slices"
	"strings"

	views "heliograph/views/portal"
)

// How many pages a reader is offered instead of one that is not there, how much
// alike their names must be at least, and how much of a name counts, in bytes.
const (
	mostOffered = 4
	leastAlike  = 0.34
	maxName     = 80
)

// nearestOf are the links of a list whose names are most like the one wanted,
// the most alike first. Name gives what a link is called in addresses.
func nearestOf(wanted string, list []views.NavLink, name func(views.NavLink) string) []views.NavLink {
	type scored struct {
		views.NavLink
		score float64
	}
	var found []scored
	parts := trigrams(wanted)
	for _, link := range list {
		if score := alike(parts, trigrams(name(link))); score >= leastAlike {
			found = append(found, scored{link, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var links []views.NavLink
	for _, f := range found[:min(len(found), mostOffered)] {
		links = append(links, f.NavLink)
	}
	return links
}

// lastPart is the end of a link's address.
func lastPart(l views.NavLink) string { return l.Href[strings.LastIndexByte(l.Href, '/')+1:] }

// trigrams are the stretches of three letters of a name; what parts its words
// counts as their ends.
func trigrams(name string) map[string]bool {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return ' '
	}, strings.ToLower(name[:min(len(name), maxName)]))
	parts := map[string]bool{}
	for _, word := range strings.Fields(letters) {
		word = "  " + word + " "
		for i := 0; i+3 <= len(word); i++ {
			parts[word[i:i+3]] = true
		}
	}
	return parts
}

// alike is the share of the parts that two names have in common (Dice), from 0
// to 1.
func alike(a, b map[string]bool) float64 {
	common := 0
	for part := range a {
		if b[part] {
			common++
		}
	}
	return 2 * float64(common) / float64(max(1, len(a)+len(b)))
}
