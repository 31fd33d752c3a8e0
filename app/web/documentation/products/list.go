package products

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/filters"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/products"
	"heliograph/views/ui"
)

// List lists the products with their state.
func (h *Handlers) List(c echo.Context) error {
	found, err := queries.ProductEntryList(c.Request().Context(), h.DB, page.User(c).ID)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(c.QueryParam("q"))
	shown := slices.DeleteFunc(found, func(p models.ProductEntry) bool {
		return !holds(text, p.Name, p.Slug, p.Summary)
	})
	p := view.ProductsPage{Frame: page.AdministrationFrame(c, "Products", page.ProductsPath), Lead: "Open a product to write its documentation. Readers see a change when it is reviewed and published."}
	if page.User(c).Role == identity.SuperAdmin {
		p.New = ui.Link{Label: "Add a product", Href: page.ProductsPath + "/new"}
	}
	p.List = productList(text, shown, time.Now())
	l := listing.List{Path: page.ProductsPath, Filter: page.Query("q", text), One: "product", Many: "products"}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown)})
	p.List.Save, p.Done = filters.SaveLink(filters.Products, l), filters.Done[c.QueryParam("done")]
	if p.Saved, err = filters.Of(c, h.DB, filters.Products, l); err != nil {
		return err
	}
	p.Announcement = p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Products(p), Address: l.Address()})
}

// holds reports whether one of the texts has what was searched for.
func holds(asked string, texts ...string) bool {
	asked = strings.ToLower(asked)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), asked) })
}

func productList(text string, shown []models.ProductEntry, now time.Time) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{Inputs: []ui.Input{{Name: "q", Label: "Product", Type: "search", Value: text}}},
		Table: ui.Table{Caption: "Products", Columns: []ui.Column{
			{Label: "Product"}, {Label: "State"}, {Label: "Live version"}, {Label: "Drafts", Numeric: true}, {Label: "Last release"},
		}},
		Empty: ui.EmptyState{Title: "No products found", Text: "No product has this name.", Next: ui.Link{Label: "Show all products", Href: page.ProductsPath}},
	}
	for _, p := range shown {
		mark := desk.MarkOf(p.Item, "")
		switch {
		case mark.Tone != ui.Good: // readers see something else than the draft
		case p.ComingSoon:
			mark = ui.Mark{Tone: ui.Info, Text: "Coming soon"}
		case p.Hidden:
			mark = ui.Mark{Text: "Live, hidden"}
		}
		slices.SortFunc(p.Versions, func(a, b string) int { return content.CompareVersions(b, a) })
		live := cmp.Or(strings.Join(p.Versions, ", "), "–")
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			{Text: p.Name, Note: p.Slug, Href: desk.ProductPath(p.ID)}, {Text: mark.Text, Badge: true, Tone: mark.Tone},
			{Text: live}, {Text: listing.Number(p.Drafts)}, listing.Lately(p.ReleasedAt, now),
		})
	}
	return l
}
