package admin

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/page"
	view "heliograph/views/admin"
)

// ItemPresence says who else has an item open.
func (h *Handlers) ItemPresence(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	return h.presence(c, "item:"+plain(e.item.ID), e.path())
}

// DraftPresence says who else has a change set open.
func (h *Handlers) DraftPresence(c echo.Context) error {
	d, err := OpenDraft(c, h.DB)
	if err != nil {
		return err
	}
	return h.presence(c, "set:"+plain(d.set.ID), draftPath(d.set.ID))
}

// presence notes that the user has a place open, and names the others.
func (h *Handlers) presence(c echo.Context, place, path string) error {
	if !page.WantsFragment(c) {
		return page.SeeOther(c, path)
	}
	others, err := editorial.Present(c.Request().Context(), h.Documentation, actor(c), place, time.Now())
	if err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.Presence(presencePath(path), present(others))})
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
