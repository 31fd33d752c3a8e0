package reader

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/search"
	"heliograph/app/lists"
	views "heliograph/views/reader"
)

// How many similar pages are offered for a missing one, how similar their names
// must be, and how much of a name is shown, in bytes.
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
	for _, link := range list {
		if score := search.Alike(wanted, name(link)); score >= leastAlike {
			found = append(found, scored{link, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return lists.Map(found[:min(len(found), mostOffered)], func(f scored) views.NavLink { return f.NavLink })
}

// lastPart returns the last part of a link's address.
func lastPart(l views.NavLink) string { return l.Href[strings.LastIndexByte(l.Href, '/')+1:] }
