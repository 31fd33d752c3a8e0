package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/mock"
	"heliograph/app/operation/insight"
	"heliograph/app/web/page"
	"heliograph/db/models"
)

// pageKinds are the routes of the pages of readers, and the kind that they are counted
// as. Pages that show drafts are not among them.
var pageKinds = map[string]string{
	"home": "home", "home.text": "home", "product": "product", "changelog": "changelog", "changelog.md": "changelog", "compare": "compare", "compare.md": "compare",
	"version": "version", "errors": "errors", "errors.text": "errors", "endpoint": "endpoint", "schema": "schema", "guides": "guides", "guides.text": "guides", "guide": "guide",
	"mcp.setup": "assistant", "mcp.setup.text": "assistant", "sdk": "library", "console.index": "console", "console.show": "console", "contact.show": "contact",
	"simulators": "simulator", "simulator.messaging.show": "simulator", "simulator.rcs.show": "simulator", "simulator.sms.show": "simulator",
	"llms": "text", "llms.known": "text", "llms.full": "text", "llms.product": "text", "llms.product.full": "text",
}

// exportForms are the routes of documents that readers take away, and the form that they
// are counted as.
var exportForms = map[string]string{
	"openapi": "OpenAPI", "openapi.endpoint": "OpenAPI of an endpoint", "postman.collection": "Postman collection", "postman.environment": "Postman environment",
	"api.catalog": "JSON catalogue", "api.catalog.version": "JSON catalogue", "api.catalog.examples": "Examples", "changelog.atom": "Feed of changes", "changelog.json": "Changes as JSON", "compare.json": "Comparison as JSON", "apis": "API catalogue",
}

// readings counts what readers do; without a counter nothing.
type readings struct{ counter *insight.Counter }

// count counts a request once it is answered. It reads the route, the path and what the
// handler said; the query, cookies and the address stay out of it.
func (r readings) count(c echo.Context, route string) {
	if r.counter == nil || route == unmatched {
		return
	}
	status, method := c.Response().Status, c.Request().Method
	served := method == http.MethodGet && (status == http.StatusOK || status == http.StatusNotModified)
	if kind, ok := pageKinds[route]; ok {
		if served && page.IsView(c) {
			r.countView(c, kind)
		}
		return
	}
	if operation, ok := c.Get(page.OperationKey).(string); ok && !strings.HasPrefix(route, mockName+".") {
		r.countCall(route, operation, status)
		return
	}
	e := insight.Event{Product: c.Param("product"), Version: c.Param("version")}
	switch form, isExport := exportForms[route]; {
	case isExport:
		e.What, e.Name = insight.Exports, form
		for _, suffix := range []string{".json", ".yaml", ".yml"} {
			e.Version = strings.TrimSuffix(e.Version, suffix)
		}
		if served && status == http.StatusOK {
			r.counter.Add(e)
		}
	case route == "sdk.archive":
		e.What, e.Name = insight.Libraries, strings.TrimSuffix(c.Param("file"), ".zip")
		if served && status == http.StatusOK {
			r.counter.Add(e)
		}
	case route == "console" && status == http.StatusOK:
		e.What, e.Name = insight.Consoles, c.Param("endpoint")
		r.counter.Add(e)
	case strings.HasPrefix(route, simulatorName):
		r.countSimulated(c, route, status)
	case strings.HasPrefix(route, mockName+"."):
		e.What, e.Detail = insight.Mocks, statusClass(status)
		e.Product, e.Version, _ = strings.Cut(strings.TrimPrefix(route, mockName+"."), ".")
		r.counter.Add(e)
	default:
		r.countSaid(c, route, status)
	}
}

// mockName is the name of the surface of the mock server.
var mockName = strings.TrimPrefix(mock.Prefix, "/")

// simulatorName begins the names of the routes of simulators.
const simulatorName = "simulator."

// countSimulated counts a message that was looked at in a simulator. A form that was
// refused for another reason than its message is none.
func (r readings) countSimulated(c echo.Context, route string, status int) {
	e := insight.Event{What: insight.Simulators, Name: strings.TrimPrefix(route, simulatorName)}
	if said := page.CountedOf(c); said != nil {
		e.Product, e.Version = said.Product, said.Version
	}
	switch status {
	case http.StatusOK:
		e.Detail = "valid"
	case http.StatusUnprocessableEntity:
		e.Detail = "refused"
	default:
		return
	}
	r.counter.Add(e)
}

func (r readings) countView(c echo.Context, kind string) {
	req := c.Request()
	v := insight.Visit{
		UserAgent: req.UserAgent(), Language: req.Header.Get("Accept-Language"), Referrer: req.Referer(), OwnHost: req.Host, Loaded: !page.IsPart(c),
		Page: insight.Page{Path: readPath(req.URL.Path), Kind: kind, Product: strings.TrimSuffix(c.Param("product"), ".md"), Version: strings.TrimSuffix(c.Param("version"), ".md")},
	}
	if said := page.CountedOf(c); said != nil {
		v.Samples = said.Samples
	}
	r.counter.View(v)
}

// readPath is the path of the page that a path shows: its Markdown is the same
// page.
func readPath(path string) string {
	path = strings.TrimSuffix(path, ".md")
	if path == "/index" {
		return "/"
	}
	return path
}

// countCall counts a call of an operation of a channel API.
func (r readings) countCall(route, operation string, status int) {
	surface := strings.TrimSuffix(route, operation) // with the dot between them
	r.counter.Add(insight.Event{What: insight.Calls, Name: surface[:len(surface)-1] + "/" + operation, Detail: statusClass(status)})
}

// countSaid counts what a handler said.
func (r readings) countSaid(c echo.Context, route string, status int) {
	said := page.CountedOf(c)
	switch {
	case said == nil:
	case said.Searched:
		place := "page"
		if route == "api.search" {
			place = "program"
			if page.IsPart(c) {
				place = "dialog"
			}
		}
		r.counter.Add(insight.Event{What: insight.Searches, Product: said.Product, Name: place, Detail: insight.SearchDetail(said.Length, said.Results)})
	case said.Copied != "":
		r.counter.Add(insight.Event{What: insight.Copies, Product: said.Product, Version: said.Version, Name: said.Copied, Detail: said.Language})
	case len(said.Tools) > 0:
		client := insight.Client(said.Client)
		if said.Client == "" {
			client = insight.Client(c.Request().UserAgent())
		}
		for _, tool := range said.Tools {
			r.counter.Add(insight.Event{What: insight.Tools, Name: tool, Detail: client})
		}
	}
}

// noteRefused adds a request that a channel API refused to the log of refused calls. The
// query stays out of it, and so do the secrets of paths.
func (s *Server) noteRefused(c echo.Context, route string) {
	refused := page.RefusedOf(c)
	if refused == nil || s.deps.Refusals == nil {
		return
	}
	s.deps.Refusals.Add(models.RefusedCall{
		KeyHash: refused.KeyHash, KeyID: refused.KeyID, KeyPrefix: refused.KeyPrefix, Channel: refused.Channel,
		Method: c.Request().Method, Path: s.secrets.hide(c.Request().URL.Path, route != unmatched),
		Status: refused.Status, Code: refused.Code, RequestID: requestIDOf(c), At: time.Now(),
	})
}

// statusClass says how a call ended.
func statusClass(status int) string {
	switch {
	case status < http.StatusBadRequest:
		return "succeeded"
	case status < http.StatusInternalServerError:
		return "refused"
	}
	return "failed"
}
