package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web"
	webpage "heliograph/app/web/page"
)

// Reports takes the reports of carriers, and the messages that they pass on, at
// signed addresses. They need no key:
// nobody can guess an address.
type Reports struct {
	receiver *pipeline.Receiver
	events   eventReceiver
	upstream upstreamReceiver
	slots    chan struct{} // one for each report that is being stored
	large    *limit.Crowd  // posts over maxReport
}

// eventReceiver takes an event that a carrier has signed, and returns the body of
// the response.
type eventReceiver interface {
	Receive(ctx context.Context, carrier string, body []byte, signature string) (answer string, err error)
}

// NewReports returns the API. Mount Handle for every method under
// pipeline.ReportPrefix. It stores atOnce reports at the same time, one at least, and
// others wait: reports of one message wait for each other in the database, and a
// crowd of them would take every connection from those who send.
func NewReports(receiver *pipeline.Receiver, events eventReceiver, upstream upstreamReceiver, atOnce int) *Reports {
	return &Reports{receiver, events, upstream, make(chan struct{}, max(atOnce, 1)), limit.NewCrowd(mostLarge)}
}

// API returns the surface with its limits.
func (s *Reports) API() web.API {
	return web.API{
		Name: "carriers", Prefixes: []string{pipeline.ReportPrefix}, Handle: s.Handle, Fail: s.Fail,
		BodyLimit: maxPost, Secret: web.SecretPath{Prefix: pipeline.ReportPrefix, Shown: 3},
	}
}

// maxReport is the largest report or event, in bytes. Only the posts of upstreams are
// larger, which hold up to 1,000 changes.
const maxReport = 64 << 10

var errLargeReport = fault.New(fault.TooLarge, "The report is larger than 64 KiB.")

// store stores a report when there is a slot.
func (s *Reports) store(ctx context.Context, report func() error) error {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.slots }()
	return report()
}

// Handle takes one report by GET or by POST of a form, with the fields of the query
// and the form, or one event of an RCS carrier in JSON.
func (s *Reports) Handle(c echo.Context) error {
	r := c.Request()
	if carrier, ok := carrierOfPosts(r); ok {
		return s.takePost(c, carrier)
	}
	if r.ContentLength > maxReport {
		return errLargeReport
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxReport)
	if carrier, ok := carrierOfEvents(r); ok {
		return s.receiveEvent(c, carrier)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		c.Response().Header().Set(echo.HeaderAllow, "GET, POST")
		return fault.New(fault.NotFound, "Reports come by GET or POST.")
	}
	address, ok := pipeline.ParseReportPath(r.URL.Path)
	if !ok {
		return fault.New(fault.NotFound, "No message is reported at this address.")
	}
	values, err := c.FormParams()
	if err != nil {
		return fault.New(fault.Invalid, "The report cannot be read: encode it as a form.")
	}
	report := make(map[string]string, len(values))
	for name := range values {
		report[name] = values.Get(name)
		if name != "text" { // its bytes may be of another charset, which the channel knows
			report[name] = storable(report[name])
		}
	}
	if address.Inbound() {
		err := s.store(r.Context(), func() error { return s.receiver.ReceiveMessage(r.Context(), address, report) })
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, "") // a gateway may send a text back as the answer
	}
	err = s.store(r.Context(), func() error { return s.receiver.Receive(r.Context(), address, report) })
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, "ok")
}

// storable returns a value without the bytes that the database refuses. A carrier would
// repeat a report that fails for ever, and the message would be lost.
func storable(value string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(value, "\ufffd"), "\x00", "\ufffd")
}

// Fail writes an error as text.
func (s *Reports) Fail(c echo.Context, err error) error {
	f := fault.As(err)
	if f != nil && f.RetryAfter > 0 {
		webpage.RetryAfter(c, f.RetryAfter)
	}
	if f == nil || f.Kind == fault.Internal {
		return c.String(http.StatusInternalServerError, "internal error")
	}
	return c.String(webpage.Status(f), f.Message)
}
