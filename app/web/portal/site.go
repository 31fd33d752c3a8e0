package portal

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"

	"heliograph/app/catalogue"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// site is what every page of a snapshot is made of.
type site struct {
	snapshot *catalogue.Snapshot
	url      string // public, without a slash at its end
	menu     uint64 // stamp of what every page shows in its header
	guides   uint64 // stamp of what every page of the product guide lists
}

func newSite(now *catalogue.Snapshot, url string) *site {
	s := &site{snapshot: now, url: url}
	s.menu = stampOf(s.frame(nil).Products)
	s.guides = stampOf(newGuidesPage(s).Products, newGuideNav(s, nil, nil))
	return s
}

// stampOf is a number that stands for values: another one for others.
func stampOf(values ...any) uint64 {
	h := fnv.New64a()
	for _, v := range values {
		fmt.Fprintf(h, "%q", v)
	}
	return h.Sum64()
}

// frame begins the frame of a page of a product, nil for a page of none. The
// page itself sets its title, description and canonical address.
func (s *site) frame(current *catalogue.Product) layout.Page {
	var f layout.Page
	for _, p := range s.snapshot.Products {
		if !p.Hidden && len(documented(p)) > 0 {
			f.Products = append(f.Products, ui.Link{Label: p.Name, Href: productPath(p), Current: p == current})
		}
	}
	f.Links = []ui.Link{{Label: "Product guide", Href: guidePath}}
	f.Account, f.AccountFrom = ui.Link{Label: "Sign in", Href: signInPath}, accountLinkPath
	f.Footer = []ui.Link{{Label: "Products", Href: "/#products"}, {Label: "Product guide", Href: guidePath}, {Label: "Search", Href: "/search"}}
	if current != nil {
		f.Accent = current.Accent
	}
	return f
}

// frameOf begins the frame of a page of a version.
func (s *site) frameOf(at place) layout.Page {
	f := s.frame(at.product)
	if len(documented(at.product)) > 1 {
		f.Version = at.version.Slug
	}
	return f
}

// canonical is the absolute address of a product's page; empty when the
// product is hidden, which keeps search engines from it.
func (s *site) canonical(p *catalogue.Product, path string) string {
	if p.Hidden {
		return ""
	}
	return s.url + path
}

// server is the base address that readers call, without a slash at its end.
func (s *site) server(raw string) string {
	u, err := url.Parse(raw)
	if err == nil && (u.Host == "" || u.Hostname() == "localhost") && u.Opaque == "" {
		raw = s.url + "/" + strings.TrimPrefix(u.Path, "/")
	}
	return strings.TrimSuffix(raw, "/")
}

// documented lists the versions that a product shows, latest first.
func documented(p *catalogue.Product) []*catalogue.Version {
	if p.ComingSoon {
		return nil
	}
	return p.Versions
}

func productPath(p *catalogue.Product) string { return "/docs/" + p.Slug }

// place is a version of a product.
type place struct {
	product *catalogue.Product
	version *catalogue.Version
}

// name is how pages call the version: "Business Messaging 3.0".
func (at place) name() string { return at.product.Name + " " + at.version.Slug }

func (at place) path() string { return productPath(at.product) + "/" + at.version.Slug }

func (at place) endpoint(op *catalogue.Operation) string { return at.path() + "/" + op.Slug }

// category is where the overview lists the endpoints of a category.
func (at place) category(c *catalogue.Category) string { return at.path() + "#" + categoryID(c) }

// schema is the page of a named schema.
func (at place) schema(name string) string { return at.path() + "/schemas/" + url.PathEscape(name) }

// home is where an endpoint has its one address: the latest version, where it
// is there too.
func (at place) home(op *catalogue.Operation) place {
	if newest := (place{at.product, at.product.Latest()}); newest.version.Twin(op) != nil {
		return newest
	}
	return at
}

// homeOf is the same for a named schema.
func (at place) homeOf(schema string) place {
	if newest := (place{at.product, at.product.Latest()}); newest.version.HasSchema(schema) {
		return newest
	}
	return at
}

// nearest is the page of the same operation in the version, else the overview.
// The operation may be nil.
func (at place) nearest(op *catalogue.Operation) string {
	if twin := at.version.Twin(op); twin != nil {
		return at.endpoint(twin)
	}
	return at.path()
}
