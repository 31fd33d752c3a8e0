package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// PreviewItem shows the text of a form as readers will see it. Nothing is saved.
func (h *Handlers) PreviewItem(c echo.Context) error {
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
	t.shown = true
	return h.renderItem(c, http.StatusOK, e, t)
}
