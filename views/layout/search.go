package layout

import (
	"net/url"
	"strings"

	"heliograph/static"
	"heliograph/views/ui"
)

// searchKinds are what the search dialog can be narrowed to: labels, with the
// kind that each stands for in place of an address.
var searchKinds = []ui.Link{
	{Label: "All"}, {Label: "Guides", Href: "guide"}, {Label: "Endpoints", Href: "endpoint"}, {Label: "Fields", Href: "field"},
	{Label: "Schemas", Href: "schema"}, {Label: "Errors", Href: "error"}, {Label: "Examples", Href: "example"},
}

// searchScript returns the address of what the search dialog does, which is loaded
// when it is first opened.
func searchScript() string { return static.URL("js/search.js") }

// product is the product that the page belongs to.
func (p Page) product() ui.Link {
	for _, l := range p.Products {
		if l.Current {
			return l
		}
	}
	return ui.Link{}
}

// productSlug is how search knows the product of the page.
func (p Page) productSlug() string {
	return strings.TrimPrefix(p.product().Href, "/docs/")
}

// searchAddress is the search page, within the product of this page.
func (p Page) searchAddress() string {
	if slug := p.productSlug(); slug != "" {
		return "/search?product=" + url.QueryEscape(slug)
	}
	return "/search"
}
