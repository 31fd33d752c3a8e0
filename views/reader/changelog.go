package reader

import (
	"strconv"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ChangelogPage lists the releases of a product.
type ChangelogPage struct {
	layout.Page
	// Atom and JSON are the addresses of the feeds.
	Atom, JSON string
	// All links to the whole changelog; it is empty there.
	All     ui.Link
	Entries []ChangelogEntry
}

// ChangelogEntry is a release.
type ChangelogEntry struct {
	// ID is its anchor, which stays.
	ID        string
	Title     string
	Published Published
	Breaking  bool
	Summary   string
	// Compare is the address of the comparison; it may be empty.
	Compare string
	Changes []ChangelogChange
	// More counts the changes that are left out.
	More int
	// Withdrawn counts the endpoints that no version has any more. They are not
	// named.
	Withdrawn int
}

// ChangelogChange is what a release changed of an endpoint.
type ChangelogChange struct {
	Class, Level Badge
	Link         ui.Link
	Texts        []string
}

// RecentChange is an entry of the changelog about one endpoint.
type RecentChange struct {
	ui.Link
	On           Published
	Class, Level Badge
}

// Rest says what the entry does not name.
func (e ChangelogEntry) Rest() (texts []string) {
	if e.Withdrawn == 1 {
		texts = append(texts, "One endpoint was removed.")
	} else if e.Withdrawn > 1 {
		texts = append(texts, strconv.Itoa(e.Withdrawn)+" endpoints were removed.")
	}
	if e.More == 1 {
		texts = append(texts, "One more endpoint or callback changed.")
	} else if e.More > 1 {
		texts = append(texts, strconv.Itoa(e.More)+" more endpoints and callbacks changed.")
	}
	return texts
}
