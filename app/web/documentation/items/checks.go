package items

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/page"
	draftsview "heliograph/views/documentation/drafts"
	view "heliograph/views/documentation/items"
)

// Check checks the code of a form and its examples while somebody types.
// Nothing is saved.
func (h *Handlers) Check(c echo.Context, e desk.Editing) error {
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	if !page.WantsFragment(c) {
		return page.SeeOther(c, e.Path())
	}
	list, err := itemform.Check(c.Request().Context(), h.DB, e, t)
	if err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.ItemChecks(append([]draftsview.Finding{}, list...))})
}
