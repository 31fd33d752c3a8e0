package page

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/views/ui"
)

// The headers of htmx 2, and the one of our own that marks live requests. Those
// of requests are written as net/http keeps them, so that they are found as they
// are. Nothing outside this file reads or writes them.
const (
	headerRequest        = "Hx-Request"
	headerBoosted        = "Hx-Boosted"
	headerHistoryRestore = "Hx-History-Restore-Request"
	headerTarget         = "Hx-Target"
	headerCurrentURL     = "Hx-Current-Url"
	headerLive           = "X-Live"

	headerRedirect   = "HX-Redirect"
	headerLocation   = "HX-Location"
	headerPushURL    = "HX-Push-Url"
	headerReplaceURL = "HX-Replace-Url"
	headerRetarget   = "HX-Retarget"
	headerReswap     = "HX-Reswap"
)

// VaryFragment names the request headers that select a page or one of its
// fragments, for cached responses.
const VaryFragment = "HX-Request, HX-Target"

// WantsFragment reports whether the response is swapped into an open page. Restored
// history and boosted links without a region want whole pages.
func WantsFragment(c echo.Context) bool {
	header := c.Request().Header
	if !byScript(c) || header.Get(headerHistoryRestore) != "" {
		return false
	}
	return header.Get(headerBoosted) == "" || header.Get(headerTarget) != ""
}

// Swaps reports whether the response replaces a region of an open page and nothing else
// of it, so that the rest of the page need not be made.
func Swaps(c echo.Context, region ui.Region) bool {
	_, forTrial := c.Request().Context().Value(trialKey{}).(Trial)
	return !forTrial && WantsFragment(c) && Target(c) == region
}

// CachedRegion returns the region that htmx asks a public page for, or none for the
// whole page. It depends on the headers of VaryFragment only, so that caches find
// the response by them.
func CachedRegion(c echo.Context) ui.Region {
	if header := c.Request().Header; byScript(c) && header.Get(headerHistoryRestore) == "" {
		return ui.Region(header.Get(headerTarget))
	}
	return ""
}

// Retarget makes htmx replace a different element than the one it asked for.
func Retarget(c echo.Context, element ui.Region) {
	c.Response().Header().Set(headerRetarget, element.Selector())
	c.Response().Header().Set(headerReswap, "outerHTML")
}

// byScript reports whether htmx sent the request.
func byScript(c echo.Context) bool {
	return slices.Contains(c.Request().Header[headerRequest], "true")
}

// IsLive reports whether a page sent the request without an action of the user.
func IsLive(c echo.Context) bool {
	return c.Request().Header.Get(headerLive) != "" || wantsStream(c)
}

// isQuiet reports whether a request must not interrupt the user of its page.
func isQuiet(c echo.Context) bool { return c.Request().Header.Get(headerLive) == "quiet" }

// wantsStream reports whether a page asks for its events. An EventSource sends only
// the header Accept.
func wantsStream(c echo.Context) bool {
	return c.Request().Header.Get(echo.HeaderAccept) == "text/event-stream"
}

// Target returns the region that htmx will replace. Without a target it is Main.
func Target(c echo.Context) ui.Region {
	if name := c.Request().Header.Get(headerTarget); name != "" {
		return ui.Region(name)
	}
	return ui.Main
}

// current returns the path and query of the page that htmx runs on, or an empty
// string.
func current(c echo.Context) string {
	u, err := url.Parse(c.Request().Header.Get(headerCurrentURL))
	if err != nil || !strings.HasPrefix(u.Path, "/") {
		return ""
	}
	return u.RequestURI()
}

// OpenPath returns the path of the page that htmx runs on, or an empty string. It is for
// requests that only this portal's own pages can send: a page of another site cannot set
// the headers of htmx.
func OpenPath(c echo.Context) string {
	if !byScript(c) {
		return ""
	}
	path, _, _ := strings.Cut(current(c), "?")
	return path
}

// SeeOther sends the browser to a local address after an action, with 303 or for
// htmx by replacing the main part of the page. If the session has changed, or the
// page belongs to another area, the browser loads the whole page with its tokens
// and its frame.
func SeeOther(c echo.Context, address string) error {
	v, _ := c.Get(visitKey).(*visit)
	switch {
	case !byScript(c):
		return c.Redirect(http.StatusSeeOther, address)
	case v == nil || v.changed || areaOf(address) != areaOf(current(c)):
		return redirect(c, address)
	}
	location, err := json.Marshal(map[string]string{"path": address, "target": ui.Main.Selector(), "swap": mainSwap})
	if err != nil {
		return err
	}
	c.Response().Header().Set(headerLocation, string(location))
	return c.NoContent(http.StatusNoContent)
}

// mainSwap replaces the main part of a page and shows it from its top.
const mainSwap = "outerHTML show:window:top"

// redirect makes the browser load the whole page of an address.
func redirect(c echo.Context, address string) error {
	if !byScript(c) {
		return c.Redirect(http.StatusSeeOther, address)
	}
	c.Response().Header().Set(headerRedirect, address)
	return c.NoContent(http.StatusNoContent)
}

// contactPath is the contact form. Its pages are no public ones: each has a
// token of its own.
const contactPath = "/contact-us"

// areaOf returns the home of the area of an address. It is empty for public pages
// and invalid addresses.
func areaOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	if path == contactPath || strings.HasPrefix(path, contactPath+"/") {
		return contactPath
	}
	for _, area := range []Area{Administration, Account} {
		for _, prefix := range append([]string{area.Home}, area.entrances...) {
			if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
				return area.Home
			}
		}
	}
	return ""
}

// WithinFrame makes the browser load pages of another area whole. htmx would put
// them into the frame of the open page.
func WithinFrame(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !byScript(c) || !safe(c.Request().Method) || c.Request().Header.Get(headerBoosted) == "" && Target(c) != ui.Main {
			return next(c)
		}
		from, to := current(c), c.Request().URL.RequestURI()
		if from == "" || areaOf(from) == areaOf(to) {
			return next(c)
		}
		return redirect(c, to)
	}
}

// place tells htmx which element the response replaces, if it differs from the
// target, and the new address of the page. Only a successful read may change the
// address.
func place(c echo.Context, status int, element ui.Region) {
	header := c.Response().Header()
	failed := status >= http.StatusBadRequest
	if failed || element != Target(c) {
		Retarget(c, element)
	}
	// The page about a missing page has an address.
	missing := status == http.StatusNotFound && element == ui.Main && c.Request().Header.Get(headerBoosted) != ""
	if failed && !missing || !safe(c.Request().Method) {
		header.Set(headerPushURL, "false")
		return
	}
	// The message of an action is shown once, not after every reload.
	address := *c.Request().URL
	query := address.Query()
	if element != ui.Main || !query.Has(doneParameter) {
		return
	}
	query.Del(doneParameter)
	address.RawQuery = query.Encode()
	name := headerPushURL
	if path, _, _ := strings.Cut(current(c), "?"); path == address.Path {
		name = headerReplaceURL
	}
	header.Set(name, address.RequestURI())
}

// Alert responds to htmx with a notice. The page stays as it is.
func Alert(c echo.Context, status int, alert ui.Notice) error {
	Retarget(c, ui.Flash)
	c.Response().Header().Set(headerPushURL, "false")
	return Fragment(c, status, ui.FlashRegion(&alert))
}
