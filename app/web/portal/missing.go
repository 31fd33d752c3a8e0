package portal

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/catalogue"
	"heliograph/app/web/page"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// missing answers for an address under which nothing is published: 404 with
// the nearest page that there is.
func (b *book) missing(c echo.Context) error {
	if strings.HasPrefix(c.Request().URL.Path, guidePath) {
		return b.lost(c, "No guide is published at this address.", []ui.Link{{Label: "Go to the product guide", Href: guidePath}}, nil)
	}
	text, actions, of := b.nearest(c.Param("product"), c.Param("version"), c.Param("endpoint"), c.Param("schema"))
	return b.lost(c, text, actions, of)
}

// lost answers with what is not there, and with what is.
func (b *book) lost(c echo.Context, text string, actions []ui.Link, of *catalogue.Product) error {
	lost := views.NewErrorPage(b.frame(of), http.StatusNotFound, c.Response().Header().Get(echo.HeaderXRequestID))
	lost.Text = text
	lost.Actions = append(append(actions, lost.Actions...), ui.Link{Label: "Search", Href: "/search"})
	page.NoStore(c.Response().Header())
	return page.Render(c, http.StatusNotFound, page.View{Frame: lost.Page, Body: views.Error(lost)})
}

// nearest says what is not there, and leads to what is. The product is nil
// when not even that exists.
func (b *book) nearest(product, version, endpoint, schema string) (text string, to []ui.Link, of *catalogue.Product) {
	p := b.snapshot.Product(product)
	if p == nil {
		return "No product is published under this name.", nil, nil
	}
	overview := ui.Link{Label: "Go to " + p.Name, Href: productPath(p)}
	v := p.Version(version)
	switch {
	case len(documented(p)) == 0:
		return p.Name + " is announced; its documentation is not here yet.", []ui.Link{overview}, p
	case v == nil:
		return p.Name + " has no version of this name.", []ui.Link{overview}, p
	}
	at := place{p, v}
	to = []ui.Link{{Label: "Go to " + at.name(), Href: at.path()}}
	if schema != "" {
		return at.name() + " has no schema of this name.", to, p
	}
	for _, other := range documented(p) {
		if _, e, _ := other.Endpoint(endpoint); e != nil {
			elsewhere := place{p, other}
			to = append([]ui.Link{{Label: e.Name + " in " + other.Slug, Href: elsewhere.endpoint(e)}}, to...)
			break
		}
	}
	return at.name() + " has no endpoint of this name.", to, p
}
