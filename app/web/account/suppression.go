package account

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/suppression"
)

// DoNotContact serves the list of the organisation.
func (h *Handlers) DoNotContact() *suppression.Handlers {
	return suppression.New(suppression.Options{
		DB: h.DB, Lists: h.Suppressions, Path: suppressionPath, Frame: frame,
		Lead: "Your organisation sends nothing to these numbers. Recipients who write STOP are added for that channel, and removed when they write START; one-time passwords still reach them.",
		Owner: func(c echo.Context) blocklist.Owner {
			user := page.User(c)
			return blocklist.Owner{OrganisationID: user.OrganisationID, Actor: user.Actor()}
		},
		MayChange: func(c echo.Context) bool { return page.User(c).Role != identity.Viewer },
	})
}
