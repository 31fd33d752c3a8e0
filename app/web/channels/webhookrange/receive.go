package webhookrange

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/channels/webhookrange"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
)

// mostWaiting is how many requests of a process may wait for their answer at once. One
// client and one address get a quarter of them.
const mostWaiting = 200

// Receiver takes what is posted to the addresses of all ranges.
type Receiver struct {
	ranges  *rule.Service
	waiting *limit.Crowd
}

// NewReceiver returns a receiver.
func NewReceiver(ranges *rule.Service) *Receiver {
	return &Receiver{ranges, limit.NewCrowd(mostWaiting)}
}

// secure makes an answer text that nothing runs or shows as a page.
func secure(header http.Header) {
	page.DropDocumentHeaders(header)
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
}

// Handle takes a request of any method.
func (h *Receiver) Handle(c echo.Context) error {
	r := c.Request()
	token, err := url.PathUnescape(c.Param("*"))
	if err != nil || strings.Contains(token, "/") {
		token = ""
	}
	client := limit.Client(c.RealIP())
	leave, ok := h.waiting.Enter("client "+client, "range "+token)
	if !ok {
		return &fault.Error{Kind: fault.Limited, Message: "Too many requests wait for their answers. Try again in a second.", RetryAfter: 1e9}
	}
	defer leave()
	body, err := io.ReadAll(io.LimitReader(r.Body, rule.MaxBody+1))
	if err != nil {
		return err
	}
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	answer, err := h.ranges.Take(r.Context(), token, rule.Request{Method: r.Method, Query: r.URL.RawQuery, Header: header, Body: body, Client: client})
	if err != nil {
		return err
	}
	if err := rule.Wait(r.Context(), answer.Delay); err != nil {
		return nil // nobody waits for the answer any more
	}
	return write(c, answer.Status, answer.Body)
}

// Fail answers what was refused.
func (h *Receiver) Fail(c echo.Context, err error) error {
	f := fault.As(err)
	if f == nil {
		f = fault.New(fault.Internal, "Something failed on our side.")
	}
	status := rule.Status(err)
	if status == http.StatusServiceUnavailable {
		status = page.Status(f) // such as a method that nothing takes
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	if f.RetryAfter > 0 {
		page.RetryAfter(c, f.RetryAfter)
	}
	return write(c, status, f.Message)
}

func write(c echo.Context, status int, body string) error {
	secure(c.Response().Header())
	if status == http.StatusNoContent || status == http.StatusNotModified {
		return c.NoContent(status)
	}
	return c.Blob(status, rule.ContentType, []byte(body))
}
