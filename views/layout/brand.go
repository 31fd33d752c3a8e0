package layout

import (
	"cmp"
	"slices"

	"heliograph/views/ui"
)

// Brand is the appearance of a surface: its style sheet, and the name, the pictures and
// the links that stand on each page. Empty values are taken from the default theme.
type Brand struct {
	// Stylesheet is the address of the style sheet.
	Stylesheet string
	Name       string
	// Logo and Icon are addresses of pictures, and LogoDark and IconDark those for dark
	// grounds.
	Logo, LogoDark string
	Icon, IconDark string
	// Links stand in the header, after the links of the page.
	Links []ui.Link
	// Footer is a sentence at the end of the page, and FooterLinks follow its links.
	Footer      string
	FooterLinks []ui.Link
}

var defaultBrand = &Brand{}

func (p Page) brand() *Brand { return cmp.Or(p.Brand, defaultBrand) }

// name is what the product calls itself.
func (p Page) name() string { return cmp.Or(p.brand().Name, Name) }

// OwnName returns the name that the brand sets, empty for the default one.
func (p Page) OwnName() string { return p.brand().Name }

// pictured reports whether the surface has a logo of its own.
func (b *Brand) pictured() bool { return b.Logo != "" || b.LogoDark != "" }

// places are the links of the header.
func (p Page) places() []ui.Link { return slices.Concat(p.Links, p.brand().Links) }

// ends are the links of the footer.
func (p Page) ends() []ui.Link { return slices.Concat(p.Footer, p.brand().FooterLinks) }
