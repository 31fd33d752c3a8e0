package admin

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/channels/headers"
	"heliograph/app/web/page"
)

// Headers serves the desk for SMS headers.
func (h *Handlers) Headers() *headers.Handlers {
	return headers.New(headers.Options{
		Desk: h.HeaderDesk, Frame: frame, OrganisationPath: organisationsPath,
		MayDecide: func(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin },
	})
}
