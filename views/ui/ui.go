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

// LinkGroup is a list of links under a heading, which may be empty.
type LinkGroup struct {
	Label string
	Links []Link
}

// Exists reports whether the link has an address.
func (l Link) Exists() bool { return l.Href != "" }

// Fragment returns the address of an element of the page by its id, which may
// contain any character.
func Fragment(id string) templ.SafeURL { return templ.SafeURL("#" + id) }

// CurrentAttribute marks the chosen link of a menu.
func CurrentAttribute(l Link) templ.Attributes {
	if !l.Current {
		return nil
	}
	return templ.Attributes{"aria-current": "true"}
}

// Tone is the meaning of a badge or an alert. The zero Tone is neutral.
type Tone string

// The tones.
const (
	Good Tone = "good"
	Warn Tone = "warn"
	Bad  Tone = "bad"
	Info Tone = "info"
)

// Lifecycle is the stage of a product, a version or an endpoint.
type Lifecycle string

// The stages that documentation can be in.
const (
	Current    Lifecycle = "Current"
	Beta       Lifecycle = "Beta"
	Deprecated Lifecycle = "Deprecated"
	Retired    Lifecycle = "Retired"
	ComingSoon Lifecycle = "Coming soon"
)

// Tone returns the tone of the badge of a stage.
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

// accents holds the product colours. Their contrast is checked in both themes.
var accents = []string{"amber", "coral", "rose", "violet", "blue", "teal", "green", "slate"}

// AccentClass returns the class of a product's colour. Any name that accentNames does
// not list gives the accent of the theme.
func AccentClass(name string) string {
	if !slices.Contains(accents, name) {
		name = "theme"
	}
	return "accent-" + name
}

// accentNames returns the names of the product colours.
func accentNames() []string { return slices.Clone(accents) }
