package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	view "heliograph/views/admin"
)

// CheckItem checks the code of a form and its examples while somebody types.
// Nothing is saved.
func (h *Handlers) CheckItem(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	if err := e.guard(); err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	if !page.WantsFragment(c) {
		return page.SeeOther(c, e.path())
	}
	list, err := checkForm(c.Request().Context(), h.DB, e, t)
	if err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.ItemChecks(list)})
}
