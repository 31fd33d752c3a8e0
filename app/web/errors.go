package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/fault"
	"heliograph/app/operation/theme"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/reader"
	"heliograph/views/ui"
)

// failures answers requests that failed.
type failures struct {
	apis      []API
	log       *slog.Logger
	frame     func() layout.Page // around pages of errors
	brands    *page.Brands
	publicURL string
}

// answer is the one place where an error becomes an answer: in the
// envelope of the API that the path belongs to, as problem+json (RFC 9457)
// under /api/ and for JSON files, as an alert for htmx, or as a page.
func (a *failures) answer(err error, c echo.Context) {
	if clientLeft(err, c) && !c.Response().Committed {
		c.Response().WriteHeader(statusClientLeft)
		return
	}
	f := page.Fault(err)
	status := page.Status(f)
	if status >= http.StatusInternalServerError {
		a.logError(err, c)
	}
	if c.Response().Committed {
		return
	}
	if f.RetryAfter > 0 {
		page.RetryAfter(c, f.RetryAfter)
	}
	page.NoStore(c.Response().Header())
	if err := recovered(func(c echo.Context) error { return a.writeError(c, status, f) }, c); err != nil {
		a.logError(err, c)
		http.Error(c.Response(), http.StatusText(status), status)
	}
}

// statusClientLeft is what the log and the metrics say of a request when its
// client went away before its answer: no fault of ours, and nobody reads it.
const statusClientLeft = 499

// clientLeft reports whether a request failed because its client went away.
func clientLeft(err error, c echo.Context) bool {
	var p *panicked
	return !errors.As(err, &p) && errors.Is(c.Request().Context().Err(), context.Canceled)
}

func (a *failures) logError(err error, c echo.Context) {
	if clientLeft(err, c) {
		return
	}
	attrs := []slog.Attr{slog.String("id", requestIDOf(c)), slog.String("error", err.Error())}
	if p := (*panicked)(nil); errors.As(err, &p) {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	a.log.LogAttrs(c.Request().Context(), slog.LevelError, "request failed", attrs...)
}

func (a *failures) writeError(c echo.Context, status int, f *fault.Error) error {
	path := c.Request().URL.Path
	for _, api := range a.apis {
		unrouted := status == http.StatusNotFound && f.Err != nil && api.UnknownPath != nil
		switch {
		case unrouted && (api.owns(path) || api.resembles(path)):
			return api.Fail(c, api.UnknownPath(path))
		case api.owns(path):
			return api.Fail(c, f)
		}
	}
	switch {
	case isForPrograms(path):
		if status == http.StatusUnprocessableEntity {
			status = http.StatusBadRequest // what a program sends is no form to show again
		}
		return page.JSON(c, status, "application/problem+json", a.newProblem(status, f, requestIDOf(c)))
	case page.WantsFragment(c):
		return page.Alert(c, status, a.notice(c, status, f))
	}
	if to := withoutSlash(c.Request()); to != "" && status == http.StatusNotFound && f.Err != nil {
		return c.Redirect(http.StatusMovedPermanently, to)
	}
	home := page.Home(c)
	frame := a.frame()
	frame.Account, frame.AccountFrom, frame.Brand = home, "", a.brands.Of(theme.Public)
	view := reader.NewErrorPage(frame, status, requestIDOf(c))
	if home.Exists() && status != http.StatusUnauthorized {
		view.Actions = []ui.Link{{Label: "Go to the overview", Href: home.Href}}
	}
	for _, area := range []page.Area{page.Account, page.Administration} {
		if path != area.Home && !strings.HasPrefix(path, area.Home+"/") {
			continue
		}
		view.Brand = a.brands.Of(surfaceOf(area))
		if status == http.StatusNotFound {
			view.Text = "It may have moved. The overview leads to everything here."
			view.Actions = []ui.Link{{Label: "Go to the overview", Href: area.Home}}
		}
	}
	view.Heading, view.Text = phrase(f, view)
	if r := c.Request(); status == http.StatusTooManyRequests && r.Method == http.MethodGet && !strings.HasPrefix(path, "//") {
		again := url.URL{Path: path, RawQuery: r.URL.RawQuery}
		view.Actions = append([]ui.Link{{Label: "Try again", Href: again.String()}}, view.Actions...)
	}
	if !strings.HasPrefix(path, "/admin") && !strings.HasPrefix(path, "/contact-us") {
		view.Actions = append(view.Actions, reader.ContactLink)
	}
	return page.Render(c, status, page.View{Frame: view.Page, Body: reader.Error(view)})
}

// isForPrograms reports whether programs read what is at a path, so that its
// errors are problem+json.
func isForPrograms(path string) bool {
	if strings.HasPrefix(path, "/sdk/") && strings.HasSuffix(path, ".zip") {
		return true
	}
	for _, prefix := range []string{"/api/", "/openapi/", "/postman/", "/.well-known/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return strings.HasSuffix(path, ".json") || path == "/llms.txt" || path == "/llms-full.txt" || path == "/mcp"
}

// phrase returns the heading and the text of an error: what a rule says is more
// to the point than the words for a status.
func phrase(f *fault.Error, view reader.ErrorPage) (heading, text string) {
	if f.Err != nil {
		return view.Heading, view.Text
	}
	return cmp.Or(f.Title, view.Heading), f.Message
}

// notice is an error beside a page that stays as it is.
func (a *failures) notice(c echo.Context, status int, f *fault.Error) ui.Notice {
	heading, text := phrase(f, reader.NewErrorPage(a.frame(), status, requestIDOf(c)))
	if status == http.StatusInternalServerError {
		text = "Try again. If it fails again, report the number " + requestIDOf(c) + "."
	}
	return ui.Notice{Title: heading, Text: text}
}

// withoutSlash returns the address of a page that was asked for with a slash
// at its end, which no page here has; else nothing.
func withoutSlash(r *http.Request) string {
	path, slash := strings.CutSuffix(r.URL.Path, "/")
	if r.Method != http.MethodGet || !slash || path == "" || strings.Contains(path, "//") {
		return ""
	}
	u := url.URL{Path: path, RawQuery: r.URL.RawQuery}
	return u.String()
}

func requestIDOf(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// problem is a problem detail (RFC 9457) with the extensions code, errors, nearest and
// request_id.
type problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Code      string         `json:"code,omitempty"`
	Errors    []problemField `json:"errors,omitempty"`
	Nearest   []problemNear  `json:"nearest,omitempty"`
	RequestID string         `json:"request_id"`
}

// problemNear is something that exists and resembles what was not found.
type problemNear struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type problemField struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// problemPage is the page that explains the problems of the portal, and explained
// lists the statuses that have an entry there.
const problemPage = "/docs/portal/1.1/errors"

var explained = []int{400, 401, 403, 404, 405, 409, 413, 429, 500, 503}

// problemType returns the address of the explanation of a status.
func (a *failures) problemType(status int) string {
	if !slices.Contains(explained, status) {
		return "about:blank" // RFC 9457: the status says it all
	}
	return strings.TrimSuffix(a.publicURL, "/") + problemPage + "#" + markdown.ErrorID(strconv.Itoa(status))
}

func (a *failures) newProblem(status int, f *fault.Error, requestID string) problem {
	p := problem{Type: a.problemType(status), Title: http.StatusText(status), Status: status, Detail: f.Message, Code: f.Code, RequestID: requestID}
	for _, field := range f.Fields {
		p.Errors = append(p.Errors, problemField{Field: field.Name, Message: field.Message})
	}
	for _, near := range f.Nearest {
		p.Nearest = append(p.Nearest, problemNear{near.Name, near.URL})
	}
	return p
}
