package profile

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
)

// EndSession ends one session of the user.
func (h *Handlers) EndSession(c echo.Context) error {
	if err := h.Directory.EndSession(c.Request().Context(), page.Session(c), c.Param("id")); err != nil {
		return err
	}
	return page.Done(c, page.AccountProfilePath, "session-ended")
}

// EndOtherSessions ends every session of the user but this one.
func (h *Handlers) EndOtherSessions(c echo.Context) error {
	if err := h.Directory.EndOtherSessions(c.Request().Context(), page.Session(c)); err != nil {
		return err
	}
	return page.Done(c, page.AccountProfilePath, "sessions-ended")
}
