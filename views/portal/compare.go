package portal

import (
	"strconv"
	"strings"
	"unicode"

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
	Before string
	After  string
	Reason string
	Advice string
	// Schema names the schema that declares the field; it may be empty.
	Schema string
	// Accepted is why a breaking change was published; it may be empty.
	Accepted string
}

// moreFields counts the unchanged fields that a page leaves out.
func moreFields(n int) string { return "and " + strconv.Itoa(n) + " more" }

// split is a value with the words in its middle that differ from another value.
type split struct{ Start, Changed, End string }

// differing tells the words of two values apart that differ: what stands between the
// words that both begin with and the ones that both end with. Values that share no word
// are not marked.
func differing(before, after string) (split, split) {
	was, is := wordsOf(before), wordsOf(after)
	start := 0
	for start < min(len(was), len(is)) && was[start] == is[start] {
		start++
	}
	end := 0
	for end < min(len(was), len(is))-start && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	if start+end == 0 || before == "" || after == "" {
		return split{Start: before}, split{Start: after}
	}
	divide := func(list []string) split {
		return split{strings.Join(list[:start], ""), strings.Join(list[start:len(list)-end], ""), strings.Join(list[len(list)-end:], "")}
	}
	return divide(was), divide(is)
}

// wordsOf divides a text into words, spaces and signs.
func wordsOf(text string) (list []string) {
	begin, letters := 0, false
	for i, r := range text {
		isLetter := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
		if i > begin && (!isLetter || !letters) {
			list = append(list, text[begin:i])
			begin = i
		}
		letters = isLetter
	}
	return append(list, text[begin:])
}
