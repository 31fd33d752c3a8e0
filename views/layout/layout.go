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
	// Text is the path of the page as Markdown, and Address the absolute one of
	// the page itself; both are empty where it has none.
	Text, Address string
	// Accent is the product's colour, a name from ui.Accents; empty is amber.
	Accent string
	// Products fill the product menu; the current one is marked. None, no menu.
	Products []ui.Link
	// Version is the slug of the version that the page belongs to, where its
	// product has others: search can be narrowed to it.
	Version string
	// Links stand in the header beside the product menu, where there is room.
	Links []ui.Link
	// Account is the sign-in link, or the account of who is signed in.
	Account ui.Link
	// Footer links stand at the foot of every page.
	Footer []ui.Link
	// HasNav says that the body brings a Nav, which the header then opens
	// where the screen is narrow.
	HasNav bool
	// Token is the token of a page whose forms htmx sends; its header is
	// X-CSRF-Token. Empty on pages that are the same for everybody: they load
	// no htmx, and script swaps one for another without loading anew.
	Token string
}

// htmxConfig lets htmx do nothing that the content security policy forbids, and
// keep nothing. A form that comes back with 422 is shown again, with what is
// wrong; any other refusal is shown as the page that it is.
const htmxConfig = `{"allowEval":false,"allowScriptTags":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,` +
	`"historyCacheSize":0,"refreshOnHistoryMiss":true,"historyRestoreAsHxRequest":false,"reportValidityOfForms":true,` +
	`"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},{"code":"422","swap":true},` +
	`{"code":"[45]..","swap":true,"error":true,"target":"body","swapOverride":"innerHTML"}]}`

// htmxHeaders is what htmx sends along with every request of a page.
func (p Page) htmxHeaders() string { return `{"X-CSRF-Token":"` + p.Token + `"}` }

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
