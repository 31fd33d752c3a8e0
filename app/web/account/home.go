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
	p := view.HomePage{Page: frame("Account", user), Organisation: user.Organisation, Email: user.Email, Role: user.Role, CSRF: page.Token(c)}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Home(p)})
}
