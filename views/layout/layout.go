// Package layout holds the frame around every page: head, skip link, header,
// navigation drawer and footer.
package layout

import (
	"strings"

	"heliograph/views/ui"
)

// Name is what the product calls itself in titles and in the header.
const Name = "Heliograph"

// Page is what the frame needs to know. Every page struct embeds it.
type Page struct {
	// Title is the page's own part of the title, from the most to the least
	// particular: "Send a message – Business Messaging 3.0". Empty on the
	// homepage, whose title is the name alone.
	Title string
	// Description is one plain sentence for search results and link previews.
	Description string
	// Canonical is the page's one absolute address; empty on pages that no
	// search engine should keep, which then ask not to be indexed.
	Canonical string
	// Accent is the product's colour, a name from ui.Accents; empty is amber.
	Accent string
	// Products fill the product menu; the current one is marked. None, no menu.
	Products []ui.Link
	// Account is the sign-in link, or the account of who is signed in.
	Account ui.Link
	// Footer links stand at the foot of every page.
	Footer []ui.Link
	// HasNav says that the body brings a Nav, which the header then opens
	// where the screen is narrow.
	HasNav bool
}

// FullTitle is the text of the title element.
func (p Page) FullTitle() string {
	if p.Title == "" {
		return Name
	}
	return strings.Join([]string{p.Title, Name}, " – ")
}

// productLabel is what the product menu's button says.
func (p Page) productLabel() string {
	if l := p.product(); l.Exists() {
		return l.Label
	}
	return "Products"
}
