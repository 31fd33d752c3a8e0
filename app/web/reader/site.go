package reader

import (
	"fmt"
	"hash/fnv"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// site holds the data that all pages of a snapshot share.
type site struct {
	snapshot *published.Snapshot
	url      string        // public, without a slash at its end
	pictured bool          // pages have pictures of their own
	brand    *layout.Brand // nil for the default one
	console  bool          // readers see the API console
	library  func(p content.Product, samples string) string
	draft    bool // pages show a draft
	texts    reference.Site
	name     uint64 // stamp of the name of the portal
	menu     uint64 // stamp of what every page shows in its header, and of its appearance
	guides   uint64 // stamp of what every page of the product guide lists

	// operations holds what stands at the addresses of operations, by version and slug. It
	// is made once, since most requests are for one of them.
	operations map[*published.Version]map[string]source
}

func newSite(now *published.Snapshot, url string, brand *layout.Brand, console bool, library func(p content.Product, samples string) string) *site {
	s := &site{snapshot: now, url: url, brand: brand, console: console, library: library, texts: reference.Site{URL: url}}
	if brand != nil {
		s.texts.Name = brand.Name
	}
	s.name = stampOf(s.texts.Name)
	f := s.frame(nil)
	s.menu = stampOf(f.Products, f.Links, brand, now.Pictures)
	s.guides = stampOf(newGuidesPage(s).Products, newGuideNav(s, nil, nil))
	s.operations = map[*published.Version]map[string]source{}
	for _, p := range now.Products {
		for _, v := range p.Versions {
			s.operations[v] = operationsOf(place{p, v})
		}
	}
	return s
}

// stampOf returns a number that identifies values.
func stampOf(values ...any) uint64 {
	h := fnv.New64a()
	for _, v := range values {
		fmt.Fprintf(h, "%q", v)
	}
	return h.Sum64()
}

// frame returns the frame of a page of a product, nil for a page without one.
// The page sets its title, description and canonical address.
func (s *site) frame(current *published.Product) layout.Page {
	f := layout.Page{Brand: s.brand}
	for _, p := range s.snapshot.Products {
		if !p.Hidden && len(p.VisibleVersions()) > 0 {
			f.Products = append(f.Products, ui.Link{Label: p.Name, Href: reference.ProductPath(p), Current: p == current})
		}
	}
	f.Links = []ui.Link{{Label: "Product guide", Href: reference.GuidesPath}}
	if s.console {
		f.Links = append(f.Links, ui.Link{Label: "Console", Href: consolePath})
	}
	f.Account, f.AccountFrom = ui.Link{Label: "Sign in", Href: signInPath}, accountLinkPath
	f.Footer = []ui.Link{{Label: "Products", Href: "/#products"}, {Label: "Product guide", Href: reference.GuidesPath}, {Label: "Search", Href: "/search"}, {Label: "Message simulators", Href: simulatorsPath}, {Label: "Connect an assistant", Href: setupPath}, {Label: "Contact us", Href: contactPath}}
	if current != nil {
		f.Accent = current.Accent
	}
	return f
}

// frameOf returns the frame of a page of a version.
func (s *site) frameOf(at place) layout.Page {
	f := s.frame(at.product)
	if len(at.product.VisibleVersions()) > 1 {
		f.Version = at.version.Slug
	}
	return f
}

// canonical returns the absolute address of a product's page. It is empty for a
// hidden product, which search engines do not list.
func (s *site) canonical(p *published.Product, path string) string {
	if p.Hidden {
		return ""
	}
	return s.url + path
}

// place is a version of a product.
type place struct {
	product *published.Product
	version *published.Version
}

func (at place) where() place { return at }

// release returns the stamps of what most pages of a product show.
func (at place) release(s *site) release { return release{menu: s.menu, scope: at.product.Stamp} }

func (at place) reference() reference.Place {
	return reference.Place{Product: at.product, Version: at.version}
}

func (at place) name() string { return at.reference().Name() }

func (at place) path() string { return at.reference().Path() }

func (at place) endpoint(op *published.Operation) string { return at.reference().Operation(op) }

// category returns the address of a category on the overview.
func (at place) category(c *published.Category) string { return at.path() + "#" + categoryID(c) }

// schema returns the path of the page of a named schema.
func (at place) schema(name string) string { return at.reference().Schema(name) }

// home returns the version with the canonical page of an operation: the latest
// version that has it.
func (at place) home(op *published.Operation) place {
	if newest := (place{at.product, at.product.Latest()}); newest.version.Twin(op) != nil {
		return newest
	}
	return at
}

// homeOf is home for a named schema.
func (at place) homeOf(schema string) place {
	if newest := (place{at.product, at.product.Latest()}); newest.version.HasSchema(schema) {
		return newest
	}
	return at
}
