package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Confirm asks for confirmation, on a page of its own or in the region with the
// action. There the response to the action replaces into; empty is the main
// part.
func Confirm(c echo.Context, f layout.Frame, q ui.Question, into ui.Region) error {
	q.InPlace, q.Action.CSRF = WantsFragment(c) && Target(c) == q.Region, f.CSRF
	if q.InPlace {
		q.Action.Into = into
	}
	return Render(c, http.StatusOK, View{Frame: f.Page, Body: layout.Confirm(f, q)})
}
