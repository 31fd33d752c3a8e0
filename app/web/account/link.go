package account

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Link answers GET /account/link with the link of the header for a user who is
// signed in, which public pages put in the place of theirs; with nothing for
// everybody else.
func (h *Handlers) Link(c echo.Context) error {
	user := page.User(c)
	if user == nil {
		return c.NoContent(http.StatusNoContent)
	}
	return page.Fragment(c, http.StatusOK, layout.AccountLink(ui.Link{Label: called(user), Href: "/account"}, ""))
}
