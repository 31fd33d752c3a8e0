// Package gallery shows every component, and every pattern of interaction with
// its source, as an example for new pages.
package gallery

import (
	_ "embed"
	"strings"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

//go:embed patterns.templ
var patterns string

// Page is the gallery.
type Page struct {
	layout.Frame
	Deliveries ui.Listing
	// Advance delivers the oldest delivery that waits.
	Advance ui.Post
	Note    Note
	// Handlers holds the Go source of the handlers by the name of their pattern. Without
	// it the page shows no source.
	Handlers map[string]string
}

// Note is a form that two people may change at once.
type Note struct {
	Action, CSRF string
	Text         ui.Input
	// Base is the revision that the form was filled with.
	Base string
	// Problem is about the form as a whole. Theirs is the text that somebody else
	// saved meanwhile; it is empty if nobody did.
	Problem, Theirs string
	// Elsewhere saves the note as another person would.
	Elsewhere ui.Post
}

// Delivery is the page of one delivery.
type Delivery struct {
	layout.Frame
	Region ui.Region
	Facts  []ui.Pair
	Remove ui.Ask
}

// Function returns the declaration that begins with a text from its source. A
// declaration that does not exist is a mistake of the gallery, and panics.
func Function(source, begin string) string {
	at := strings.Index(source, "\n"+begin)
	if at < 0 {
		panic("gallery: no declaration begins with " + begin)
	}
	body, _, _ := strings.Cut(source[at+1:], "\n}\n")
	return body + "\n}"
}

// pattern is a section of the gallery. What it does is shown below its text, or by
// a section before it.
type pattern struct {
	id, title, text string
	component       string // of patterns.templ; empty for one that needs none of its own
	shown           func(Page) templ.Component
}

var all = []pattern{
	{"actions", "Action and toast", "The button is disabled until the response arrives. The response replaces the list and shows a message.", "action", action},
	{"forms", "Form in place", "An empty text is refused with 422, and the focus moves to what is wrong. The sixth change in a minute is refused with 429. What was typed stays.", "form", form},
	{"conflicts", "Conflict", "Change the note as somebody else, then save your own text. It is refused with 409 and both texts are shown. Save again to replace the other one.", "conflict", elsewhere},
	{"lists", "Live search, filter and order", "The filter applies while you type and changes the address. Column heads sort, and a field does on narrow screens.", "list", list},
	{"rows", "Further rows", "The link at the end of the list appends the next rows. The first of them takes the focus.", "", nil},
	{"updates", "Live rows", "The list refreshes when a delivery changes. Rows that are open, the focus and selected text stay. Open this page in two windows to see it.", "", nil},
	{"details", "Details in a row", "A row opens its details below itself. They are a page of their own too.", "details", nil},
	{"questions", "Confirmation", "The details of a delivery offer to remove it. A question in place of the browser's dialog asks first, and is a page of its own too.", "", nil},
}

// Sections returns the links to the patterns and to the components.
func Sections() []ui.LinkGroup {
	var links []ui.Link
	for _, p := range all {
		links = append(links, ui.Link{Label: p.title, Href: "#" + p.id})
	}
	return []ui.LinkGroup{{Links: append(links, ui.Link{Label: "Components", Href: "#components"})}}
}

// sources returns the code of a pattern: its component and its handlers.
func (p Page) sources(of pattern) (codes []ui.Code) {
	if of.component != "" {
		codes = append(codes, ui.Code{Title: "templ", Language: "templ", Text: Function(patterns, "templ "+of.component+"(")})
	}
	return append(codes, ui.Code{Title: "Go", Language: "go", Text: p.Handlers[of.id]})
}
