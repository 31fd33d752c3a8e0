package insight

import (
	"time"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/operation/insight"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/views/ui"
)

// Recent draws the views of the last 28 days for a page of the administration, with a
// link to analytics: the views of a product, or of all that the user may see.
func Recent(c echo.Context, q db.Querier, zone *time.Location, product string) (ui.Chart, ui.Link, error) {
	if zone == nil {
		zone = time.UTC
	}
	s, err := rule.NewSpan("", "", time.Now(), zone)
	if err != nil {
		return ui.Chart{}, ui.Link{}, err
	}
	filter := s.Filter()
	if filter.Products, err = allowed(c, q); err != nil {
		return ui.Chart{}, ui.Link{}, err
	}
	if product != "" {
		filter.Products = []string{product}
	}
	trend, err := rule.Views(c.Request().Context(), q, s, filter)
	if err != nil {
		return ui.Chart{}, ui.Link{}, err
	}
	chart := draw(trend, "Views of 28 days")
	return chart, ui.Link{Label: "Analytics", Href: page.Address(Path, page.Query("product", product))}, nil
}

// Read returns the pages that were read most in the last seven days and what they were
// read in the seven days before, of the products that the user may see, with a link to
// all of them.
func Read(c echo.Context, q db.Querier, zone *time.Location, limit int) ([]models.InsightView, ui.Link, error) {
	if zone == nil {
		zone = time.UTC
	}
	s, err := rule.NewSpan("7", "", time.Now(), zone)
	if err != nil {
		return nil, ui.Link{}, err
	}
	filter := s.Filter()
	if filter.Products, err = allowed(c, q); err != nil {
		return nil, ui.Link{}, err
	}
	rows, err := queries.InsightPageList(c.Request().Context(), q, filter, limit)
	return rows, ui.Link{Label: "All pages that were read", Href: page.Address(Path+"/pages", page.Query("period", "7"))}, err
}
