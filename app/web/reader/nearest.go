package reader

import (
	"cmp"
	"slices"
	"strings"

	views "heliograph/views/reader"
)

// How many similar pages are offered for a missing one, how similar their names
// must be, and how much of a name is compared, in bytes.
const (
	mostOffered = 4
	leastAlike  = 0.34
	maxName     = 80
)

// nearestOf returns the links with the names most similar to the one wanted,
// the most similar first. The function name returns the name of a link in
// addresses.
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

// lastPart returns the last part of a link's address.
func lastPart(l views.NavLink) string { return l.Href[strings.LastIndexByte(l.Href, '/')+1:] }

// trigrams returns the sequences of three letters of a name. Separators end
// words.
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

// alike returns the share of parts that two names have in common (Dice), from 0
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
