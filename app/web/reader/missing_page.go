package reader

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/lists"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// absence is the content of an error page for an address without documentation.
type absence struct {
	text    string
	to      []ui.Link          // what is there instead
	nearest []views.NavLink    // what has a name like it
	of      *published.Product // nil when not even that exists
}

// missing responds 404 with links to the nearest pages.
func (s *site) missing(c echo.Context) error {
	if p, broken := s.brokenAt(c.Param("product"), c.Param("version")); broken != nil {
		return s.unavailable(c, p)
	}
	a := absentFrom(s, c.Param("product"), c.Param("version"), c.Param("endpoint"), c.Param("schema"))
	if strings.HasPrefix(c.Request().URL.Path, reference.GuidesPath) {
		a = noGuide(s, c.Param("guide"))
	}
	lost := views.NewErrorPage(s.frame(a.of), http.StatusNotFound, c.Response().Header().Get(echo.HeaderXRequestID))
	lost.Text, lost.Nearest = a.text, a.nearest
	lost.Actions = append(append(a.to, lost.Actions...), views.ContactLink)
	page.NoStore(c.Response().Header())
	return page.Render(c, http.StatusNotFound, page.View{Frame: lost.Page, Body: views.Error(lost)})
}

// brokenAt finds the product or version of an address among those that are
// published but cannot be shown. The returned product is nil if the product
// itself is broken.
func (s *site) brokenAt(product, version string) (*published.Product, *published.Broken) {
	product, version = strings.TrimSuffix(product, reference.TextPath("")), strings.TrimSuffix(version, reference.TextPath(""))
	p := s.snapshot.Product(product)
	if p == nil {
		return nil, s.snapshot.Broken(product)
	}
	return p, p.Broken(version)
}

// failed responds to a page of a product that could not be rendered. If its documentation
// cannot be compiled, the page is unavailable until the next release. Other
// errors are returned.
func (s *site) failed(c echo.Context, of *published.Product, err error) error {
	if !published.IsBroken(err) {
		return err
	}
	return s.unavailable(c, of)
}

// unavailable responds 503 for documentation that is published but cannot be
// shown. The reason was logged.
func (s *site) unavailable(c echo.Context, of *published.Product) error {
	view := views.NewErrorPage(s.frame(of), http.StatusServiceUnavailable, c.Response().Header().Get(echo.HeaderXRequestID))
	view.Heading = "This page cannot be shown"
	view.Text = "It is published, but an error in its content keeps us from showing it. We have been notified. All other pages work."
	if of != nil {
		view.Actions = append([]ui.Link{{Label: "Go to " + of.Name, Href: reference.ProductPath(of)}}, view.Actions...)
	}
	view.Actions = append(view.Actions, views.ContactLink)
	page.NoStore(c.Response().Header())
	return page.Render(c, http.StatusServiceUnavailable, page.View{Frame: view.Page, Body: views.Error(view)})
}

// absentFrom returns the message about a missing page and links to existing ones.
func absentFrom(s *site, product, version, endpoint, schema string) absence {
	p := s.snapshot.Product(strings.ToLower(product))
	if p == nil {
		return absence{text: "No product is published under this name.", nearest: nearestOf(product, listedProducts(s), lastPart)}
	}
	a := absence{of: p, to: []ui.Link{{Label: "Go to " + p.Name, Href: reference.ProductPath(p)}}}
	v := versionMeant(p, version)
	switch {
	case len(p.VisibleVersions()) == 0:
		a.text = p.Name + " is announced; its documentation is not here yet."
		return a
	case v == nil:
		a.text = p.Name + " has no version of this name."
		for _, v := range p.VisibleVersions() {
			a.nearest = append(a.nearest, views.NavLink{Link: ui.Link{Label: "Version " + v.Slug, Href: place{p, v}.path()}})
		}
		return a
	}
	at := place{p, v}
	a.to = []ui.Link{{Label: "Go to " + at.name(), Href: at.path()}}
	if schema != "" {
		a.text = at.name() + " has no schema of this name."
		a.nearest = nearestOf(schema, newSchemaLinks(at), lastPart)
		return a
	}
	a.text = at.name() + " has no endpoint of this name."
	a.nearest = nearestOf(endpoint, newEndpointLinks(at), lastPart)
	for _, other := range p.VisibleVersions() {
		if e := endpointMeant(other, endpoint); e != nil {
			a.to = append([]ui.Link{{Label: e.Name + " in " + other.Slug, Href: place{p, other}.endpoint(e)}}, a.to...)
			break
		}
	}
	return a
}

// noGuide links to guides with similar names.
func noGuide(s *site, name string) absence {
	var list []views.NavLink
	for _, p := range s.snapshot.Products {
		for _, g := range p.VisibleGuides() {
			if !p.Hidden {
				list = append(list, views.NavLink{Link: newGuideCard(p, g).Link})
			}
		}
	}
	return absence{
		text:    "No guide is published at this address.",
		to:      []ui.Link{{Label: "Go to the product guide", Href: reference.GuidesPath}},
		nearest: nearestOf(name, list, lastPart),
	}
}

// listedProducts links to the products in the header.
func listedProducts(s *site) []views.NavLink {
	return lists.Map(s.frame(nil).Products, func(l ui.Link) views.NavLink { return views.NavLink{Link: l} })
}

func newEndpointLinks(at place) []views.NavLink {
	return lists.Map(at.version.Operations(), func(e *published.Operation) views.NavLink { return newNavLink(at, e) })
}

func newSchemaLinks(at place) []views.NavLink {
	return lists.Map(at.version.Schemas, func(name string) views.NavLink {
		return views.NavLink{Link: ui.Link{Label: name, Href: at.schema(name)}}
	})
}
