package account

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	view "heliograph/views/account"
)

// Home is the account's first page.
func (h *Handlers) Home(c echo.Context) error {
	user := page.User(c)
	p := view.HomePage{Frame: frame(c, "Overview", "/account"), Email: user.Email}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Home(p)})
}
