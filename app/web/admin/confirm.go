package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// renderConfirm asks for confirmation: on a page of its own, or in the region of
// the page that has the action. There, the answer to the action replaces into;
// empty is the main part.
func renderConfirm(c echo.Context, p view.ConfirmPage, into ui.Region) error {
	p.InPlace = page.WantsFragment(c) && page.Target(c) == p.Region
	p.Action.CSRF = p.CSRF
	if p.InPlace {
		p.Action.Into = into
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Confirm(p)})
}

// current returns the region that shows the current state beside a refused form.
// A conflict shows all of the page: something else has changed meanwhile.
func current(status int) ui.Region {
	if status == http.StatusConflict {
		return ui.Main
	}
	return ""
}
