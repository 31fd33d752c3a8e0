package reader

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/web/page"
)

// copiedForm is what a page says when code on it was copied.
type copiedForm struct {
	Language string `form:"language"`
}

// Copied counts that code was copied from the page that is open. What was copied is not
// sent. A request of anything else changes nothing.
func (p *Pages) Copied(c echo.Context) error {
	page.NoStore(c.Response().Header())
	var f copiedForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	found, ok := p.site().find(page.OpenPath(c))
	if !ok || found.text {
		return c.NoContent(http.StatusNoContent)
	}
	if !slices.ContainsFunc(languages, func(l sample.Language) bool { return l.Slug == f.Language }) {
		f.Language = ""
	}
	counted := page.Counted{Copied: page.OpenPath(c), Language: f.Language}
	if at := found.where(); at.product != nil {
		counted.Product = at.product.Slug
		if at.version != nil {
			counted.Version = at.version.Slug
		}
	}
	page.Count(c, counted)
	return c.NoContent(http.StatusNoContent)
}
