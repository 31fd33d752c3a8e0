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
	// Handlers holds the Go source of the handlers by the name of their pattern.
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

// source returns the code of a templ component of this package.
func source(component string) ui.Code {
	return ui.Code{Title: "templ", Language: "templ", Text: Function(patterns, "templ "+component+"(")}
}

// handler returns the code of the handlers of a pattern.
func (p Page) handler(pattern string) ui.Code {
	return ui.Code{Title: "Go", Language: "go", Text: p.Handlers[pattern]}
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

// pattern is a section of the gallery.
type pattern struct {
	id, title, text string
	templ, handler  ui.Code
	shown           templ.Component
}

func (p Page) all() []pattern {
	return []pattern{
		{"actions", "Action and toast", "The button is disabled until the response arrives. The response replaces the list and shows a message.", source("action"), p.handler("action"), action(p)},
		{"forms", "Form in place", "An empty text is refused with 422. A text that somebody else changed meanwhile is refused with 409, and both are shown. The sixth change in a minute is refused with 429.", source("form"), p.handler("form"), form(p)},
		{"lists", "List", "The filter applies while you type. Column heads sort, and a field does on narrow screens. A row opens its details below itself, more rows are appended, and the list refreshes when a delivery changes. Open this page in two windows to see it.", source("list"), p.handler("list"), list(p)},
		{"questions", "Details and question", "Details and questions are pages of their own. A list shows the same component in a row.", source("details"), p.handler("question"), nil},
	}
}
