// Package presence names who else has a page of the editorial desk open.
package presence

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	view "heliograph/views/documentation/presence"
)

// Handlers answers the routes.
type Handlers struct {
	DB    db.Querier  // read only
	Rules db.Beginner // where the rules of editing write
}

// Item says who else has an item open.
func (h *Handlers) Item(c echo.Context, e desk.Editing) error {
	return h.presence(c, "item:"+listing.Plain(e.Item.ID), e.Path())
}

// Draft says who else has a change set open.
func (h *Handlers) Draft(c echo.Context, d desk.Draft) error {
	return h.presence(c, "set:"+listing.Plain(d.Set.ID), desk.DraftPath(d.Set.ID))
}

// presence notes that the user has a place open, and names the others.
func (h *Handlers) presence(c echo.Context, place, path string) error {
	if !page.WantsFragment(c) {
		return page.SeeOther(c, path)
	}
	others, err := editorial.Present(c.Request().Context(), h.Rules, desk.Actor(c), place, time.Now())
	if err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.Presence(desk.PresencePath(path), present(others))})
}

// present names the others who have a page open.
func present(others []string) string {
	switch n := len(others); n {
	case 0:
		return ""
	case 1:
		return others[0] + " has this page open too."
	default:
		return strings.Join(others[:n-1], ", ") + " and " + others[n-1] + " have this page open too."
	}
}
