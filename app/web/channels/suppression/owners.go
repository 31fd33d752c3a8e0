package suppression

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
)

// OfEverybody serves the list of all organisations to administrators.
func OfEverybody(rules db.Beginner) *Handlers {
	return newHandlers(options{
		DB: rules, Rules: rules, Path: page.SuppressionsPath, Frame: page.AdministrationFrame,
		Lead: "No organisation can send anything to these numbers. Each organisation has a list of its own besides.",
		Owner: func(c echo.Context) blocklist.Owner {
			return blocklist.Owner{OrganisationID: blocklist.Everyone, Actor: page.User(c).Actor()}
		},
		MayChange: func(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin },
	})
}

// OfOrganisation serves the list of the organisation of the user.
func OfOrganisation(rules db.Beginner) *Handlers {
	return newHandlers(options{
		DB: rules, Rules: rules, Path: page.AccountSuppressionsPath, Frame: page.AccountFrame,
		Lead: "Your organisation sends nothing to these numbers. Recipients who write STOP are added for that channel, and removed when they write START; one-time passwords still reach them.",
		Owner: func(c echo.Context) blocklist.Owner {
			user := page.User(c)
			return blocklist.Owner{OrganisationID: user.OrganisationID, Actor: user.Actor()}
		},
		MayChange: func(c echo.Context) bool { return page.User(c).Role != identity.Viewer },
	})
}
