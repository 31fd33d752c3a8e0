package admin

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/channels/parked"
	"heliograph/app/web/page"
)

// Parked serves the desk for messages of which nobody knows whether their carrier has
// them.
func (h *Handlers) Parked() *parked.Handlers {
	return parked.New(parked.Options{
		Desk: h.Parking, Frame: frame, OrganisationPath: organisationsPath,
		MayDecide: func(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin },
	})
}
