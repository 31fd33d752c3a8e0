// Package assistant serves the Model Context Protocol at /mcp. It checks what the
// protocol's library leaves to the server: Host and Origin, the size of batches,
// the rate of calls and how many run at once. It reads no cookies and keeps no
// sessions.
package assistant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/mcp"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
)

// calls is the rate of each address: 60 a minute, 30 of them at once. Lists and
// greetings are not counted, because clients need several before their first
// call.
var calls = limit.Limit{Name: "mcp", Burst: 30, Period: 30 * time.Second, Open: true}

// free are the methods that do not count. Everything else does: a message counts unless
// it is known that it costs little.
var free = []string{
	"initialize", "ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list",
	"notifications/initialized", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed",
}

// maxRunning bounds the requests that are worked on at once, of all clients.
const maxRunning = 32

// setupPath is the page for people.
const setupPath = "/mcp-setup"

// Deps holds the dependencies of the endpoint.
type Deps struct {
	Server  *mcp.Server
	Limiter *limit.Limiter
	// PublicURL is the public address of the portal, without a path.
	PublicURL string
}

// Endpoint serves /mcp. Use New.
type Endpoint struct {
	handler http.Handler
	limiter *limit.Limiter
	public  *url.URL
	running chan struct{}
}

// New returns the endpoint. With an invalid public address it answers only
// requests from this machine.
func New(deps Deps) *Endpoint {
	public, err := url.Parse(deps.PublicURL)
	if err != nil {
		public = &url.URL{}
	}
	return &Endpoint{deps.Server.Handler(), deps.Limiter, public, make(chan struct{}, maxRunning)}
}

// Serve handles POST, and tells what comes with GET where to go.
func (e *Endpoint) Serve(c echo.Context) error {
	r := c.Request()
	page.NoStore(c.Response().Header())
	if !e.isOurs(r.Host) {
		return fault.New(fault.Forbidden, "Requests to this host are not answered. Use %s.", e.public.JoinPath("mcp"))
	}
	if origin := r.Header.Get(echo.HeaderOrigin); origin != "" {
		if u, err := url.Parse(origin); err != nil || !e.isOurs(u.Host) {
			return fault.New(fault.Forbidden, "Requests from this origin are not allowed.")
		}
	}
	switch r.Method {
	case http.MethodPost:
		return e.post(c)
	case http.MethodGet, http.MethodHead:
		if strings.Contains(r.Header.Get(echo.HeaderAccept), "text/html") {
			return c.Redirect(http.StatusSeeOther, setupPath)
		}
	}
	c.Response().Header().Set(echo.HeaderAllow, http.MethodPost)
	return c.NoContent(http.StatusMethodNotAllowed)
}

// isOurs reports whether a host is the public one, or a name of this machine.
// Names of this machine are for development and do no harm elsewhere.
func (e *Endpoint) isOurs(host string) bool {
	if strings.EqualFold(host, e.public.Host) {
		return true
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

func (e *Endpoint) post(c echo.Context) error {
	r := c.Request()
	body, err := io.ReadAll(io.LimitReader(r.Body, mcp.MaxBody+1))
	var tooLarge *http.MaxBytesError
	if len(body) > mcp.MaxBody || errors.As(err, &tooLarge) {
		return fault.New(fault.TooLarge, "Send at most %d KiB and at most %d messages.", mcp.MaxBody>>10, mcp.MaxBatch)
	}
	if err != nil {
		return err
	}
	messages := readMessages(body)
	if len(messages) > mcp.MaxBatch {
		return fault.New(fault.TooLarge, "Send at most %d KiB and at most %d messages.", mcp.MaxBody>>10, mcp.MaxBatch)
	}
	for _, m := range messages {
		if m.isFree() {
			continue
		}
		if err := e.limiter.Take(r.Context(), calls, limit.Client(c.RealIP())); err != nil {
			return refuse(c, m, err)
		}
	}
	select {
	case e.running <- struct{}{}:
		defer func() { <-e.running }()
	default:
		return refuse(c, first(messages), &fault.Error{Kind: fault.Limited, Message: "The server is busy.", RetryAfter: time.Second})
	}
	page.Count(c, readCalls(body))
	if r.Header.Get(echo.HeaderAccept) == "" {
		r.Header.Set(echo.HeaderAccept, "*/*") // the same by RFC 9110 12.5.1, but the library refuses none
	}
	// From this revision on, the library answers unknown methods by itself, with 404.
	if r.Header.Get("MCP-Protocol-Version") < "2026-07-28" {
		if sorted, isBatch, found := sortOut(body); found {
			return e.serveSorted(c, sorted, isBatch)
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	e.handler.ServeHTTP(c.Response(), r)
	return nil
}

func first(messages []message) message {
	if len(messages) == 0 {
		return message{}
	}
	return messages[0]
}

// codeLimited is the error of the protocol for too many calls.
const codeLimited = -32000

// refuse responds to too many calls in the form of the protocol.
func refuse(c echo.Context, m message, err error) error {
	f := fault.As(err)
	if f == nil || f.Kind != fault.Limited {
		return err
	}
	wait := max(1, int(math.Ceil(f.RetryAfter.Seconds())))
	page.RetryAfter(c, f.RetryAfter)
	if m.ID == nil {
		m.ID = json.RawMessage("null")
	}
	return page.JSON(c, http.StatusTooManyRequests, echo.MIMEApplicationJSON, map[string]any{
		"jsonrpc": "2.0", "id": m.ID,
		"error": map[string]any{"code": codeLimited, "message": fmt.Sprintf("Too many calls. Try again in %d seconds.", wait)},
	})
}
