package admin

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/suppression"
)

// DoNotContact serves the list of all organisations.
func (h *Handlers) DoNotContact() *suppression.Handlers {
	return suppression.New(suppression.Options{
		DB: h.DB, Lists: h.Suppressions, Path: suppressionPath, Frame: frame,
		Lead: "No organisation can send anything to these numbers. Each organisation has a list of its own besides.",
		Owner: func(c echo.Context) blocklist.Owner {
			return blocklist.Owner{OrganisationID: blocklist.Everyone, Actor: page.User(c).Actor()}
		},
		MayChange: func(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin },
	})
}
