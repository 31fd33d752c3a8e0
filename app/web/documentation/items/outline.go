package items

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/page"
)

// EditOutline does an action with a row of a form, such as adding a field, and
// shows the form again. It saves the draft as typing does.
func (h *Handlers) EditOutline(c echo.Context, e desk.Editing) error {
	if e.Refusal != "" {
		return fault.New(fault.Forbidden, "%s", e.Refusal)
	}
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	t.Shown = true
	if t.Wrong != nil {
		return page.Again(c, t.Wrong, func(status int, problems *page.Problems) error {
			t.Problems = problems
			return h.render(c, status, e, t)
		})
	}
	if e, err = h.autosave(c, e, &t); err != nil {
		return err
	}
	return h.render(c, http.StatusOK, e, t)
}
