package reader

import (
	"strconv"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ComparePage compares two versions of a product.
type ComparePage struct {
	layout.Page
	Name string
	// Action is the address of the form that chooses the versions.
	Action   string
	From, To ui.Select
	// Problem says why there is no comparison; it may be empty.
	Problem string

	Heading string
	// Swap links to the comparison in the other direction.
	Swap ui.Link
	// JSON is the address of the comparison for programs.
	JSON    string
	Hidden  []ui.Link
	Filters []SearchFilter
	// Sums count endpoints and fields in words.
	Sums []string
	// Shared are changes of schemas that many endpoints use.
	Shared     []SharedChange
	Operations []ComparedOperation
	Callbacks  []ComparedOperation
	General    []ComparedChange
	Unchanged  []ComparedOperation
	// Open shows changes of texts at once, for readers who chose them.
	Open bool
	// Same marks a version that is compared with itself.
	Same bool
	// Incomplete marks versions that were too large to compare to the end.
	Incomplete bool
}

// empty reports whether no row is shown.
func (p ComparePage) empty() bool {
	return len(p.Shared)+len(p.Operations)+len(p.Callbacks)+len(p.General)+len(p.Unchanged) == 0
}

// SharedChange is a change of a schema that shows once for all endpoints that use it.
type SharedChange struct {
	Name   string // of the schema and its field
	In     string // how many endpoints, in words
	Change ComparedChange
	Where  []SharedPlace
}

// SharedPlace is where a shared change shows. ID is the anchor of the change there, and
// Operation belongs to an endpoint without other changes, empty for others.
type SharedPlace struct {
	ui.Link
	ID, Operation string
	Place         string
}

// ComparedOperation is an endpoint or a callback with its changes.
type ComparedOperation struct {
	// ID is its anchor.
	ID     string
	Method string
	Link   ui.Link
	Class  Badge
	// Changes are in the order of the endpoint's page.
	Changes []ComparedChange
	// Same counts the fields without a change, and Fields links to them. More
	// counts those that are left out.
	Same   string
	Fields []ui.Link
	More   int
}

// ComparedChange is one difference.
type ComparedChange struct {
	// ID is its anchor, the same in each comparison that has the change.
	ID    string
	Title string
	Level Badge
	// Place is the field's address on its page; Sides link to it in the
	// versions that have it.
	Place  string
	Sides  []ui.Link
	Before []Word
	After  []Word
	Reason string
	Advice string
	// Schema names the schema that declares the field; it may be empty.
	Schema string
	// Accepted is why a breaking change was published; it may be empty.
	Accepted string
	// IsProse marks a change of texts or examples alone.
	IsProse bool
}

// moreFields counts the unchanged fields that a page leaves out.
func moreFields(n int) string { return "and " + strconv.Itoa(n) + " more" }

// Word is a piece of a value before or after a change, and whether only this side has
// it.
type Word struct {
	Text    string
	Changed bool
}

// prose chooses the changes of texts and examples, which are folded, or all others.
func prose(list []ComparedChange, isProse bool) (chosen []ComparedChange) {
	for _, c := range list {
		if c.IsProse == isProse {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// sharedProse is prose for changes of schemas.
func sharedProse(list []SharedChange, isProse bool) (chosen []SharedChange) {
	for _, s := range list {
		if s.Change.IsProse == isProse {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

// proseTitle counts changes of texts.
func proseTitle(n int) string {
	return ui.Counted(n, "change of a text or an example", "changes of texts and examples")
}
