package items

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
)

// Preview shows the text of a form as readers will see it. Nothing is saved.
func (h *Handlers) Preview(c echo.Context, e desk.Editing) error {
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	t.Shown = true
	return h.render(c, http.StatusOK, e, t)
}
