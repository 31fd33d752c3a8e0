// Package layout holds the frame around every page: head, skip link, header,
// navigation drawer and footer.
package layout

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// Name is what the product calls itself until its brand has a name.
const Name = "Heliograph"

// Page is what the frame needs to know. Every page struct embeds it.
type Page struct {
	// Title is the page's own part of the title, from the most to the least
	// particular: "Send a message – Business Messaging 3.0". Empty on the
	// homepage, which has the name alone as its title.
	Title string
	// Description is one plain sentence for search results and link previews.
	Description string
	// Canonical is the page's one absolute address; empty on pages that no
	// search engine should keep, which then ask not to be indexed.
	Canonical string
	// Image is the absolute address of the picture that stands beside links to the
	// page; empty is the portal's.
	Image string
	// Crumbs lead from the start to the page, which is the last of them.
	Crumbs []ui.Link
	// Text is the path of the page as Markdown, and Address the absolute one of
	// the page itself; both are empty where it has none.
	Text, Address string
	// Exports are files and programs that take the content of the page, and Server
	// is the address for assistants.
	Exports []ui.Link
	Server  string
	// Accent is the colour of the product, a name from ui.Accents; empty is the accent of
	// the theme.
	Accent string
	// Products fill the product menu; the current one is marked. None, no menu.
	Products []ui.Link
	// Version is the slug of the version that the page belongs to, where its
	// product has others: search can be narrowed to it.
	Version string
	// Links stand in the header beside the product menu, where there is room.
	Links []ui.Link
	// Account links to signing in, or to the account of the user who is signed in.
	Account ui.Link
	// AccountFrom is the address of that link for one user, on pages that are the
	// same for everybody; empty on others.
	AccountFrom string
	// Footer links stand at the foot of every page.
	Footer []ui.Link
	// HasNav says that the body brings a Nav, which the header then opens
	// where the screen is narrow.
	HasNav bool
	// Draft leads back from a page that shows a draft as readers will see it.
	Draft ui.Link
	// Practice leads back from a page of a practice product.
	Practice ui.Link
	// PreviewUntil is when the link ends that shows a draft to people who do not sign
	// in; empty on other pages.
	PreviewUntil string
	// Done says what was just done, after a form did its work. It is shown as a
	// toast.
	Done string
	// Live is the element that holds heading and page of an area, where both follow
	// what happens. The title of the document goes with them.
	Live ui.Region
	// Announcement is what screen readers say when a part of the page is
	// replaced, for example the number of rows that a filter found.
	Announcement string
	// Token is the token of a page with forms that htmx sends; its header is
	// X-CSRF-Token. Links and forms of such a page replace the main part of it.
	// Empty on pages that are the same for everybody.
	Token string
	// Stream is the address of the events that tell a page of an area what
	// changed; empty on pages without live parts.
	Stream string
	// First is the region that must have arrived before the page is painted, so that
	// nothing moves as the rest arrives. A page without is painted as it arrives.
	First ui.Region
	// Script is a script that this page needs beside the script of all pages, by its name
	// in package static; empty is none.
	Script string
	// Brand is the appearance of the surface; nil is the default one.
	Brand *Brand
	// Scheme is the colour scheme of a page that shows a theme for trial, light or
	// dark. Such a page has no script. Empty is the reader's choice.
	Scheme string
	// Style is a style sheet that this page needs in the same way.
	Style string
}

// htmxConfig lets htmx do nothing that the content security policy forbids, and
// keep nothing: going back asks the server. What failed without a region of its
// own is shown in the flash region, and the page stays as it is. What is new on a page works
// as soon as it is there: htmx would wait for 20 ms.
const htmxConfig = `{"allowEval":false,"allowScriptTags":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,` +
	`"historyCacheSize":0,"refreshOnHistoryMiss":false,"historyRestoreAsHxRequest":false,"reportValidityOfForms":true,` +
	`"scrollIntoViewOnBoost":false,"defaultSettleDelay":0,"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},{"code":"422|409","swap":true},` +
	`{"code":"[45]..","swap":true,"error":true,"target":"#flash","swapOverride":"outerHTML"}]}`

// Actions returns what can be done with the page as a whole.
func (p Page) Actions() ui.Actions {
	actions := ui.Actions{Text: p.Text, Address: p.Address, Exports: p.Exports, Server: p.Server}
	if l := p.report(); l.Exists() {
		actions.Exports = append(slices.Clip(p.Exports), l)
	}
	return actions
}

// IsPublic reports whether a page is the same for everybody.
func (p Page) IsPublic() bool { return p.Token == "" }

// IsDraft reports whether a page shows a draft as readers will see it.
func (p Page) IsDraft() bool { return p.Draft.Exists() || p.Practice.Exists() || p.PreviewUntil != "" }

// scripted are the attributes of the body of a page that htmx drives: every link
// and form within it replaces the main part, unless it names another region. The
// regions of the frame are taken from each answer by their ids. A public page can
// have a thousand links, so script gives each to htmx when it is pointed at, and
// htmx loads it then; where one link follows another, the last one wins. A swap waits
// long enough for the press to be painted before a large page is.
func (p Page) scripted() templ.Attributes {
	if p.Scheme != "" {
		return nil
	}
	attributes := templ.Attributes{
		"hx-target": ui.Main.Selector(), "hx-swap": "outerHTML swap:" + ui.Painted + " show:window:top", "hx-select-oob": selectBeside,
	}
	switch {
	case p.IsDraft():
		attributes["hx-boost"] = "false" // the notice goes with the page
	case p.IsPublic():
		attributes["data-boost"] = true
	default:
		attributes["hx-boost"] = "true"
	}
	if p.IsPublic() {
		attributes["hx-ext"], attributes["hx-sync"] = "preload", "body:replace"
		attributes["hx-select-oob"] = selectBesidePublic
	} else {
		attributes["hx-headers"] = `{"X-CSRF-Token":"` + p.Token + `"}`
	}
	return attributes
}

// unboosted keeps htmx from the links of the header and the footer of an area:
// they leave it.
func (p Page) unboosted() templ.Attributes {
	if p.IsPublic() {
		return nil
	}
	return templ.Attributes{"hx-boost": "false"}
}

// selectBeside are the regions of the frame that answers carry.
var selectBeside = strings.Join([]string{
	ui.Canonical.Selector(), ui.Sections.Selector(), ui.Flash.Selector(), ui.Toasts.Selector() + ":innerHTML", "#live:innerHTML",
}, ",")

// selectBesidePublic are the same for public pages.
var selectBesidePublic = strings.Join([]string{
	ui.Canonical.Selector(), ui.Alternate.Selector(), ui.Accent.Selector(), ui.Places.Selector(), ui.Nav.Selector(), ui.SearchLink.Selector(),
	ui.Scope.Selector() + ":innerHTML", ui.Flash.Selector(),
}, ",")

// copies are the attributes of what tells the server that code was copied: only that it
// was, from which page, and in which language.
var copies = templ.Attributes{
	"hx-post": "/copied", "hx-trigger": "copied", "hx-swap": "none", "hx-target": "this", "hx-select-oob": "", "hx-sync": "this:drop", "hx-headers": `{"X-Live":"quiet"}`,
}

// streamed are the attributes that connect a page to its stream.
func (p Page) streamed() templ.Attributes {
	if p.Stream == "" {
		return nil
	}
	return templ.Attributes{"hx-ext": "sse,morph", "sse-connect": p.Stream, "sse-close": "end"}
}

// FullTitle is the text of the title element.
func (p Page) FullTitle() string {
	if p.Title == "" {
		return p.name()
	}
	return strings.Join([]string{p.Title, p.name()}, " – ")
}

// productLabel is what the product menu's button says.
func (p Page) productLabel() string {
	if l := p.product(); l.Exists() {
		return l.Label
	}
	return p.menuName()
}

// menuName is what the product menu is: without products it has the links of the header
// alone.
func (p Page) menuName() string {
	if len(p.Products) == 0 {
		return "Menu"
	}
	return "Products"
}

// schemed are the attributes of a page that shows a theme for trial.
func (p Page) schemed() templ.Attributes {
	if p.Scheme == "" {
		return nil
	}
	return templ.Attributes{"data-theme": p.Scheme}
}
