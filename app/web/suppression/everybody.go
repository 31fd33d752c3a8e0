package suppression

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
)

// OfEverybody serves the list of all organisations to administrators.
func OfEverybody(store db.Querier, lists *blocklist.Lists) *Handlers {
	return New(Options{
		DB: store, Lists: lists, Path: page.SuppressionsPath, Frame: page.AdministrationFrame,
		Lead: "No organisation can send anything to these numbers. Each organisation has a list of its own besides.",
		Owner: func(c echo.Context) blocklist.Owner {
			return blocklist.Owner{OrganisationID: blocklist.Everyone, Actor: page.User(c).Actor()}
		},
		MayChange: func(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin },
	})
}
