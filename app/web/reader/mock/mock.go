// Package mock serves the mocks of published versions under /mock. Every origin
// may call them. No session is read, and what documentation says never acts on the
// origin of the portal: browsers treat each response as a sandboxed document.
package mock

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	rules "heliograph/app/documentation/mock"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
)

// BodyLimit is the largest body of a request in bytes.
const BodyLimit = 10 << 20

// The bounds of what a process does for mocks at once.
const (
	mostWaiting = 2_000    // requests that wait because they asked to
	mostBytes   = 64 << 20 // of bodies that are held
	smallBody   = 64 << 10 // bodies up to this size are not counted
)

// refusedPause is how long an answer to a caller over the limit waits. A caller that asks
// again at once would take the processors from everybody else.
const refusedPause = 100 * time.Millisecond

// Deps holds the dependencies of the handlers.
type Deps struct {
	Mocks *rules.Service
}

// Handler serves mocks. Use New.
type Handler struct {
	mocks   *rules.Service
	waiting atomic.Int64
	held    atomic.Int64 // bytes of bodies
}

// New returns the handler.
func New(deps Deps) *Handler { return &Handler{mocks: deps.Mocks} }

// The headers of every response, shared by all.
var (
	anyOrigin  = []string{"*"}
	exposed    = []string{"*"}
	sandboxed  = []string{"sandbox; default-src 'none'"}
	crossRead  = []string{"cross-origin"}
	notCached  = []string{"no-store"}
	preflights = []string{"Access-Control-Request-Headers, Access-Control-Request-Method, Origin"}
)

// secure sets the headers that keep a response from acting on the portal, and
// allows every origin to read it. No credentials are allowed.
func secure(header http.Header) {
	page.DropDocumentHeaders(header)
	header["Content-Security-Policy"] = sandboxed
	header["Cross-Origin-Resource-Policy"] = crossRead
	header["Access-Control-Allow-Origin"] = anyOrigin
	header["Access-Control-Expose-Headers"] = exposed
	header["Cache-Control"] = notCached
}

// actsOnPages are the uses for which browsers would run or apply what a mock answers on
// the origin of the portal (Sec-Fetch-Dest).
var actsOnPages = map[string]bool{
	"script": true, "style": true, "worker": true, "sharedworker": true, "serviceworker": true, "audioworklet": true, "paintworklet": true,
	"manifest": true, "object": true, "embed": true, "xslt": true, "json": true,
}

// Handle answers every method and path under /mock.
func (h *Handler) Handle(c echo.Context) error {
	start := time.Now()
	r, header := c.Request(), c.Response().Header()
	secure(header)
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		return preflight(c)
	}
	if actsOnPages[r.Header.Get("Sec-Fetch-Dest")] {
		return write(c, h.mocks.Fail(http.StatusForbidden, "A mock is no script, style or worker of a page. Call it with fetch.", header.Get(echo.HeaderXRequestID)))
	}
	call := rules.Call{Client: limit.Client(c.RealIP()), RequestID: header.Get(echo.HeaderXRequestID)}
	call.Product, call.Version, call.Path = split(r.URL)
	call.Method, call.Query, call.Header = r.Method, r.URL.RawQuery, withoutSession(r.Header)
	release, err := h.read(r, &call.Request)
	defer release()
	var tooLarge *http.MaxBytesError
	var response rules.Response
	switch {
	case errors.As(err, &tooLarge):
		response = h.mocks.RefuseBody(call, BodyLimit)
	case errors.Is(err, errBusy):
		response = h.mocks.RefuseBusy(call)
	case err != nil:
		return err
	default:
		response = h.mocks.Respond(r.Context(), call)
	}
	if response.Operation != "" {
		c.Set(page.OperationKey, call.Product+"."+call.Version)
	}
	own := time.Since(start)
	isLimited := response.Status == http.StatusTooManyRequests && response.Operation == ""
	if isLimited {
		response.Wait = refusedPause
	}
	if response.Wait > 0 {
		if h.waiting.Add(1) > mostWaiting {
			if !isLimited {
				response = h.mocks.RefuseBusy(call)
			}
		} else {
			sleep(r.Context(), response.Wait)
		}
		h.waiting.Add(-1)
	}
	if response.Fault != "" {
		return h.fail(c, response)
	}
	header["Server-Timing"] = []string{timing(own, response.Wait)}
	return write(c, response)
}

// Fail writes the response to a request that never reached the mock.
func Fail(c echo.Context, response rules.Response) error {
	secure(c.Response().Header())
	return write(c, response)
}

// timing tells how long the mock took, and how long it waited because it was
// asked to.
func timing(own, wait time.Duration) string {
	text := "mock;dur=" + milliseconds(own)
	if wait > 0 {
		text += ", wait;dur=" + milliseconds(wait)
	}
	return text
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64)
}

// write writes a response. HEAD has the length of the body that GET has.
func write(c echo.Context, response rules.Response) error {
	w := c.Response()
	header := w.Header()
	maps.Copy(header, response.Header)
	if len(response.Body) > 0 || response.Status != http.StatusNoContent && response.Status != http.StatusNotModified {
		header["Content-Length"] = []string{strconv.Itoa(len(response.Body))}
	}
	w.WriteHeader(response.Status)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(response.Body)
	return err
}

// preflight answers a question of a browser about a request to come.
func preflight(c echo.Context) error {
	r, header := c.Request(), c.Response().Header()
	header["Vary"] = preflights
	header.Set("Access-Control-Allow-Methods", r.Header.Get("Access-Control-Request-Method"))
	if names := r.Header.Get("Access-Control-Request-Headers"); names != "" {
		header.Set("Access-Control-Allow-Headers", names)
	}
	header.Set("Access-Control-Max-Age", "600")
	return c.NoContent(http.StatusNoContent)
}

// split splits the path of a request into product, version and the rest, which
// stays percent-encoded.
func split(u *url.URL) (product, version, rest string) {
	path := strings.TrimPrefix(u.EscapedPath(), rules.Prefix+"/")
	product, path, _ = strings.Cut(path, "/")
	version, rest, _ = strings.Cut(path, "/")
	return product, version, "/" + rest
}

var errBusy = errors.New("too many bodies are held")

// read reads the body of a request. Large bodies of all requests together are
// bounded. release must be called when the body is no longer used.
func (h *Handler) read(r *http.Request, to *rules.Request) (release func(), err error) {
	release = func() {}
	if r.Body == nil || r.ContentLength == 0 {
		return release, nil
	}
	size := r.ContentLength
	if size < 0 {
		size = BodyLimit
	}
	if size > smallBody {
		if h.held.Add(size) > mostBytes {
			h.held.Add(-size)
			return release, errBusy
		}
		release = func() { h.held.Add(-size) }
	}
	if r.ContentLength > 0 {
		to.Body = make([]byte, r.ContentLength)
		_, err = io.ReadFull(r.Body, to.Body)
		return release, err
	}
	to.Body, err = io.ReadAll(r.Body)
	return release, err
}

// withoutSession returns the headers without the cookies of the portal. A
// documented cookie parameter is read, sessions never are.
func withoutSession(header http.Header) http.Header {
	if len(header["Cookie"]) == 0 {
		return header
	}
	made := header.Clone()
	var kept []string
	for _, line := range header["Cookie"] {
		for pair := range strings.SplitSeq(line, ";") {
			name, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if !strings.HasPrefix(name, "__") && !strings.HasPrefix(name, "heliograph") {
				kept = append(kept, strings.TrimSpace(pair))
			}
		}
	}
	if made.Del("Cookie"); len(kept) > 0 {
		made.Set("Cookie", strings.Join(kept, "; "))
	}
	return made
}

// sleep waits, or until the client is gone.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
