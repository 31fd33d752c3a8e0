package page

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// The headers of htmx 2. Nothing outside this file reads or writes them.
const (
	headerRequest        = "HX-Request"
	headerBoosted        = "HX-Boosted"
	headerHistoryRestore = "HX-History-Restore-Request"
	headerRedirect       = "HX-Redirect"
)

// WantsFragment reports whether the answer will be swapped into a page that
// is already there. Boosted links and restored history want whole pages.
func WantsFragment(c echo.Context) bool {
	header := c.Request().Header
	return header.Get(headerRequest) == "true" && header.Get(headerBoosted) == "" && header.Get(headerHistoryRestore) == ""
}

// SeeOther sends the browser to a local address after a form did its work,
// with 303, or the way that htmx understands. The page there is loaded anew,
// with the session and the tokens that are valid then.
func SeeOther(c echo.Context, url string) error {
	if c.Request().Header.Get(headerRequest) == "true" {
		c.Response().Header().Set(headerRedirect, url)
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, url)
}
