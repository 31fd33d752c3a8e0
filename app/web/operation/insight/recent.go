package insight

import (
	"time"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/operation/insight"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/ui"
)

// Recent draws the views of the last 28 days for a page of the administration, with a
// link to analytics: those of a product, or of all that the user may see.
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
