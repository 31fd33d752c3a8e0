// Package console serves the API console: the panel on the page of an endpoint, the
// form of a call, and its result.
//
// There are two doors to the same forms. Readers use /console, which answers only
// while the setting shows the console. Administrators use /admin/console on every
// published page, whatever the setting says.
//
// Credentials are read from one form and used for one call. They are not sent back: a
// form that is shown again has empty fields for them.
package console

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
	views "heliograph/views/reader/console"
)

// The addresses of the two doors.
const (
	ReaderPath = "/console"
	StaffPath  = "/admin/console"
)

// Deps holds the dependencies of the console.
type Deps struct {
	Documentation *published.Documentation
	Service       *console.Service
	Limiter       *limit.Limiter
	// Frame returns the frame of a page without product.
	Frame func() layout.Page
	// Shown reports whether readers see the console.
	Shown func() bool
	// PublicURL is the public address of the portal.
	PublicURL string
	// HasMock reports whether this process serves the mock server.
	HasMock func() bool
	// Local answers a request in this process, for calls of the mock server.
	Local http.Handler
	// DB has the log of messages of the channels, and Accepts returns the channel for
	// which an operation accepts messages.
	DB       db.Querier
	Channels pipeline.Channels
	Accepts  func(method, path string) string
}

// Handlers serves the console through one of its doors.
type Handlers struct {
	Deps
	path string // ReaderPath or StaffPath
	url  reference.Site
}

// NewReader returns the handlers for readers.
func NewReader(deps Deps) *Handlers {
	return &Handlers{deps, ReaderPath, reference.Site{URL: deps.PublicURL}}
}

// NewStaff returns the handlers for administrators.
func NewStaff(deps Deps) *Handlers {
	return &Handlers{deps, StaffPath, reference.Site{URL: deps.PublicURL}}
}

func (h *Handlers) isStaff() bool { return h.path == StaffPath }

// The limits of the console for each person and each network.
var (
	calls   = limit.Limit{Name: "console", Burst: 20, Period: time.Minute}
	samples = limit.Limit{Name: "console_sample", Burst: 240, Period: time.Minute}
)

// limited counts one use by the network and, where somebody is signed in, by the
// person.
func (h *Handlers) limited(c echo.Context, n limit.Limit) error {
	ctx := c.Request().Context()
	if user := page.User(c); user != nil {
		if err := h.Limiter.Take(ctx, n, string(h.path)+" "+strconv.FormatInt(user.ID, 10)); err != nil {
			return err
		}
	}
	return h.Limiter.Take(ctx, n, limit.Client(c.RealIP()))
}

// target is the endpoint that an address names.
type target struct {
	reference.Place
	op *published.Operation
	e  *model.Endpoint
}

func (t target) path() string {
	return "/" + t.Product.Slug + "/" + t.Version.Slug + "/" + t.op.Slug
}

// Find returns the endpoint of an address. Everything that is not published is missing.
func (h *Handlers) Find(c echo.Context) (t target, err error) {
	if err := h.check(); err != nil {
		return t, err
	}
	missing := fault.New(fault.NotFound, "The console has no endpoint at this address. Choose one from the list of the console.")
	t.Product = h.Documentation.Snapshot().Product(c.Param("product"))
	if t.Product == nil || t.Product.ComingSoon {
		return t, missing
	}
	if t.Version = t.Product.Version(c.Param("version")); t.Version == nil {
		return t, missing
	}
	if t.op = t.Version.Operation(c.Param("endpoint")); t.op == nil || t.op.Callback {
		return t, missing
	}
	t.e, err = t.Version.Endpoint(c.Request().Context(), t.op)
	return t, err
}

// check refuses readers while the console is hidden.
func (h *Handlers) check() error {
	if !h.isStaff() && !h.Shown() {
		return fault.New(fault.NotFound, "The API console is not open to readers of this portal.")
	}
	return nil
}

// note names the people that see the console.
func (h *Handlers) note() string {
	if h.isStaff() && !h.Shown() {
		return "Only administrators see the console. A Super Admin can show it to readers."
	}
	return ""
}

// Show shows the form of an endpoint. On the page of the endpoint it is the panel or
// the form within it.
func (h *Handlers) Show(c echo.Context) error {
	if h.isStaff() && page.WantsFragment(c) && page.Target(c) == views.PanelRegion {
		return h.showPanel(c)
	}
	t, err := h.Find(c)
	if err != nil {
		return err
	}
	typed := asked{entry: h.first(t, c.QueryParams()), example: c.QueryParam(exampleField), language: pickLanguage(c)}
	if typed.recent, err = h.recent(c, t); err != nil {
		return err
	}
	return h.render(c, http.StatusOK, t, typed, nil)
}

// showPanel shows the panel to an administrator on a page from which readers do not
// get it.
func (h *Handlers) showPanel(c echo.Context) error {
	t, err := h.Find(c)
	if err != nil || h.Shown() {
		return c.NoContent(http.StatusNoContent)
	}
	return page.Fragment(c, http.StatusOK, views.PanelView(views.Panel{Path: h.path + t.path(), Shown: true, Note: "Only administrators see this"}))
}

// Send sends a call and shows its result.
func (h *Handlers) Send(c echo.Context, t target) error {
	typed, err := h.read(c, t)
	if err != nil {
		return err
	}
	// A browser that sends the call to the mock server itself comes twice: for the call,
	// and with its answer. The mock server counts such calls.
	isDirect := typed.entry.Server == console.Mock && (typed.arrived != nil || typed.isDirect)
	uses := calls
	if isDirect {
		uses = samples
	}
	if err := h.limited(c, uses); err != nil {
		return h.again(c, t, typed, err)
	}
	if isDestructive(t.e) && c.Request().PostFormValue("confirmed") == "" {
		typed.refused = true
		return h.again(c, t, typed, fault.InvalidFields(fault.Field{Name: "confirmed", Message: "Confirm that the call may delete something."}))
	}
	call, err := console.Build(t.e, h.base(t, typed.entry.Server), typed.entry)
	if err != nil {
		return h.again(c, t, typed, err)
	}
	if isDirect && typed.arrived == nil {
		if d, ok := call.Direct(fieldsOf(t.e, typed.entry.Auth)); ok {
			typed.direct = &d
			return h.render(c, http.StatusOK, t, typed, nil)
		}
		if err := h.limited(c, calls); err != nil {
			return h.again(c, t, typed, err)
		}
	}
	result, err := h.send(c.Request().Context(), c, t, typed, call)
	if err != nil {
		return h.again(c, t, typed, err)
	}
	return h.render(c, http.StatusOK, t, typed, result)
}

func (h *Handlers) send(ctx context.Context, c echo.Context, t target, typed asked, call *console.Call) (*console.Result, error) {
	if typed.entry.Server == console.Mock && typed.arrived != nil {
		return h.Service.Arrived(ctx, t.Version, t.e, call, *typed.arrived)
	}
	if typed.entry.Server == console.Mock {
		return h.Service.Answered(ctx, t.Version, t.e, call, func(r *http.Request) (*http.Response, error) { return h.local(c, r) })
	}
	return h.Service.Send(ctx, t.Version, t.e, call)
}

// Sample writes the call of a form as a program. Nothing is sent.
func (h *Handlers) Sample(c echo.Context, t target) error {
	typed, err := h.read(c, t)
	if err != nil {
		return err
	}
	if err := h.limited(c, samples); err != nil {
		return err
	}
	return h.render(c, http.StatusOK, t, typed, nil)
}

// again shows the form again with its problems.
func (h *Handlers) again(c echo.Context, t target, typed asked, err error) error {
	return page.Again(c, err, func(status int, problems *page.Problems) error {
		typed.problems = problems
		return h.render(c, status, t, typed, nil)
	})
}

// base returns the address of a server of an endpoint by its slug, the first one for
// an unknown slug.
func (h *Handlers) base(t target, server string) string {
	if server == console.Mock {
		return h.PublicURL + mockPath(t)
	}
	for i, s := range t.e.Servers {
		if s.Slug == server {
			return h.url.Base(t.e, i)
		}
	}
	return h.url.Base(t.e, 0)
}

// mockPath returns the address of the mock server of a version.
func mockPath(t target) string { return "/mock/" + t.Product.Slug + "/" + t.Version.Slug }

// isDestructive reports whether a call asks first: it deletes, or the contract marks
// it.
func isDestructive(e *model.Endpoint) bool { return e.Method == http.MethodDelete || e.Destructive }
