// Package ui holds the components that pages are built from. Each takes plain
// values and writes semantic, classed HTML; how it looks is the stylesheet of
// the same name in static/css. Components shows each of them in all its states.
package ui

import (
	"slices"

	"github.com/a-h/templ"
)

// Link is a place to go. The zero Link is no link.
type Link struct {
	Label string
	Href  string
	// Current marks the page, or the section, that the reader is on.
	Current bool
}

// Exists says whether the link leads anywhere.
func (l Link) Exists() bool { return l.Href != "" }

// Fragment is the address of an element of the same page by its id, which may
// hold any character.
func Fragment(id string) templ.SafeURL { return templ.SafeURL("#" + id) }

// CurrentAttribute marks the chosen link of a menu.
func CurrentAttribute(l Link) templ.Attributes {
	if !l.Current {
		return nil
	}
	return templ.Attributes{"aria-current": "true"}
}

// Tone is what a badge or an alert means. The zero Tone means nothing special.
type Tone string

// The four meanings.
const (
	Good Tone = "good"
	Warn Tone = "warn"
	Bad  Tone = "bad"
	Info Tone = "info"
)

// Lifecycle is the stage of a product, a version or an endpoint, as the reader
// is told it.
type Lifecycle string

// The stages that documentation can be in.
const (
	Current    Lifecycle = "Current"
	Beta       Lifecycle = "Beta"
	Deprecated Lifecycle = "Deprecated"
	Retired    Lifecycle = "Retired"
	ComingSoon Lifecycle = "Coming soon"
)

// Tone gives the meaning that the stage's badge is coloured by.
func (l Lifecycle) Tone() Tone {
	switch l {
	case Current:
		return Good
	case Beta:
		return Info
	case Deprecated:
		return Warn
	case Retired:
		return Bad
	}
	return ""
}

// accents are the product colours that were checked against both themes.
var accents = []string{"amber", "coral", "rose", "violet", "blue", "teal", "green", "slate"}

// AccentClass gives the class that tints badges and the active navigation mark
// with a product's colour: one of amber, coral, rose, violet, blue, teal, green
// and slate. Any other name gives amber, the house colour.
func AccentClass(name string) string {
	if !slices.Contains(accents, name) {
		name = "amber"
	}
	return "accent-" + name
}

// Accents lists the names that AccentClass knows.
func Accents() []string { return slices.Clone(accents) }
