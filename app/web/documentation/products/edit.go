package products

import (
	"context"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
)

// Edit leads from a public page to the form of what it shows. The browser says which
// page it comes from.
func (h *Handlers) Edit(c echo.Context) error {
	from, err := url.Parse(c.Request().Referer())
	if err != nil {
		return page.SeeOther(c, page.ProductsPath)
	}
	to, err := h.formOf(c.Request().Context(), strings.Split(strings.Trim(from.Path, "/"), "/"))
	if err != nil {
		return err
	}
	return page.SeeOther(c, to)
}

// formOf returns the form of what a public page shows: the innermost part of its
// address that is an item.
func (h *Handlers) formOf(ctx context.Context, path []string) (to string, err error) {
	to = page.ProductsPath
	kinds := map[string][]string{"docs": {content.KindProduct, content.KindVersion, content.KindEndpoint}, "productguide": {content.KindProduct, content.KindGuide}}[path[0]]
	var product, parent int64
	for i, kind := range kinds {
		if i+1 >= len(path) {
			return to, nil
		}
		item, err := queries.ItemGetAt(ctx, h.DB, kind, parent, path[i+1])
		if db.IsNoRows(err) || err == nil && item.PracticeOf != 0 { // which has no public page
			return to, nil
		}
		if err != nil {
			return "", err
		}
		if parent = item.ID; product == 0 {
			product = item.ID
		}
		to = desk.ItemPath(product, item.ID)
	}
	return to, nil
}
