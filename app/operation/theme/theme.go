// Package theme holds the appearance of the three surfaces: the public portal, the
// pages of organisations and the administration.
//
// A theme is a Document: colours for the light and the dark scheme, a corner radius, a
// density, two typefaces, and a brand with name, pictures and links. It names only what
// differs from the default theme, so that an empty document is the default. A surface
// has at most one draft and a history of published revisions. The newest revision is
// shown. Restoring an earlier one publishes it again, and a reset publishes the empty
// document.
//
// A document that cannot be read is refused: every declared pair of text and ground
// needs a contrast of 4.5 to 1, and every border and focus ring of 3 to 1 (WCAG 2.2,
// 1.4.3 and 1.4.11), in both schemes. A refusal names the figure and the nearest colour
// that passes.
//
// Each revision has its stylesheet and the hash of it, which is part of its address. A
// page links to the stylesheet of its surface. The default theme needs none. Processes
// learn of a new revision by a notification of the database.
//
// Choices where the specification is silent:
//
//   - The administration and the pages of organisations take the name, the pictures and
//     the links of the public portal where their own are empty.
//   - Code is ink in both schemes and in every theme, as dark everywhere, with the hue of
//     the dark page. Its colours, and the colours of products, are no variables: grounds
//     are checked against them.
//   - Names in SMS stay, because operators register the texts of SMS word by word.
package theme

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"heliograph/app/fault"
)

// Surface is a part of the portal with a theme of its own.
type Surface string

// The surfaces.
const (
	Public         Surface = "public"
	Organisation   Surface = "organisation"
	Administration Surface = "administration"
)

// Surfaces lists the surfaces in the order of pages.
var Surfaces = []Surface{Public, Organisation, Administration}

// ParseSurface returns the surface with a name.
func ParseSurface(name string) (Surface, error) {
	if s := Surface(name); slices.Contains(Surfaces, s) {
		return s, nil
	}
	return "", fault.New(fault.NotFound, "There is no surface %q. Choose public, organisation or administration.", name)
}

// Document is a theme. Empty values are taken from the default theme.
type Document struct {
	// Light and Dark hold colours as #rrggbb by the names of Variables.
	Light map[string]string `json:"light,omitempty"`
	Dark  map[string]string `json:"dark,omitempty"`
	// Radius is the radius of corners in pixels, from 0 to 16.
	Radius string `json:"radius,omitempty"`
	// Density, Text and Mono are values of Densities, TextFaces and MonoFaces.
	Density string `json:"density,omitempty"`
	Text    string `json:"text,omitempty"`
	Mono    string `json:"mono,omitempty"`
	Brand   Brand  `json:"brand,omitzero"`
}

// Brand is the name under which the portal appears, with its pictures and links.
type Brand struct {
	Name string `json:"name,omitempty"`
	// Logo and Icon are names of stored pictures; the dark ones stand in for them on
	// dark grounds.
	Logo     string `json:"logo,omitempty"`
	LogoDark string `json:"logo_dark,omitempty"`
	Icon     string `json:"icon,omitempty"`
	IconDark string `json:"icon_dark,omitempty"`
	// Links stand in the header, and FooterLinks with Footer at the end of pages.
	Links       []Link `json:"links,omitempty"`
	Footer      string `json:"footer,omitempty"`
	FooterLinks []Link `json:"footer_links,omitempty"`
}

// Link is a link of the header or the footer.
type Link struct {
	Label string `json:"label"`
	Href  string `json:"href"`
}

// Scheme is light or dark.
type Scheme string

// The schemes.
const (
	Light Scheme = "light"
	Dark  Scheme = "dark"
)

// Schemes lists the schemes in the order of pages.
var Schemes = []Scheme{Light, Dark}

// colors returns the colours of a scheme that differ from the default.
func (d Document) colors(s Scheme) map[string]string {
	if s == Dark {
		return d.Dark
	}
	return d.Light
}

// Color returns the colour of a variable as #rrggbb.
func (d Document) Color(s Scheme, name string) string { return d.resolve(s, name).Hex() }

// With returns the document with a colour of its own, or with the default one for an
// empty value.
func (d Document) With(s Scheme, name, value string) Document {
	d.Light, d.Dark = maps.Clone(d.Light), maps.Clone(d.Dark)
	into := &d.Light
	if s == Dark {
		into = &d.Dark
	}
	if *into == nil {
		*into = map[string]string{}
	}
	(*into)[name] = value
	if value == "" {
		delete(*into, name)
	}
	return d
}

// IsDefault reports whether the document changes nothing.
func (d Document) IsDefault() bool { return string(d.encode()) == "{}" }

// encode writes the document as it is stored, with sorted names.
func (d Document) encode() []byte {
	text, err := json.Marshal(d)
	if err != nil {
		panic(fmt.Sprintf("theme: %v", err)) // it holds text alone
	}
	return text
}
