package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/page"
)

// EditOutline does an action with a row of a form, such as adding a field, and
// shows the form again. It saves the draft as typing does.
func (h *Handlers) EditOutline(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	if e.refusal != "" {
		return fault.New(fault.Forbidden, "%s", e.refusal)
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	t.shown = true
	if t.wrong != nil {
		return page.Again(c, t.wrong, func(status int, problems *page.Problems) error {
			t.problems = problems
			return h.renderItem(c, status, e, t)
		})
	}
	if e, err = h.autosave(c, e, &t); err != nil {
		return err
	}
	return h.renderItem(c, http.StatusOK, e, t)
}
