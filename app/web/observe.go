package web

import (
	"cmp"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/channels/pipeline"
	"heliograph/app/trace"
	"heliograph/app/web/page"
)

// observe is the outermost layer, in one pass because every request pays for
// it: request id, security headers, recovery, the answer to an error, access
// log and metrics. The id is always ours; one sent by a client is ignored.
//
// The log holds the path without its query and without the secrets that routes declare,
// and no header: keys, cookies, tokens of previews, addresses of carriers and what
// people search for stay out of it.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		header := c.Response().Header()
		header[echo.HeaderXRequestID] = []string{pipeline.NewRequestID(start, rand.Uint64())}
		page.SecureHeaders(header, s.https)
		c.Response().Before(func() {
			if s.draining.Load() {
				header.Set("Connection", "close") // before the process closes it under the next request
			}
		})
		endTrace := beginTrace(c)
		if err := recovered(next, c); err != nil {
			s.failures.answer(err, c)
		}
		route := s.routeOf(c)
		s.record(c, route, time.Since(start))
		s.readings.count(c, route)
		s.noteRefused(c, route)
		endTrace(route, c.Response().Status)
		return nil
	}
}

// beginTrace begins the span of a request. Handlers run in its context.
func beginTrace(c echo.Context) (end func(route string, status int)) {
	if !trace.Enabled() {
		return func(string, int) {}
	}
	ctx, end := trace.StartRequest(c.Request())
	c.SetRequest(c.Request().WithContext(ctx))
	return end
}

// panicked is a panic as an error, with the stack where it happened.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func recovered(next echo.HandlerFunc, c echo.Context) (err error) {
	defer func() {
		if value := recover(); value != nil {
			if value == http.ErrAbortHandler {
				panic(value)
			}
			err = &panicked{value, debug.Stack()}
		}
	}()
	return next(c)
}

type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	known    *sync.Map // answered → *series; finding them by their labels costs each request more
}

// answered is what an answer is counted by.
type answered struct {
	route  string
	status int
}

// series are the counts of answers of a route with a status.
type series struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

func (m metrics) of(a answered) *series {
	if known, ok := m.known.Load(a); ok {
		return known.(*series)
	}
	s := &series{m.requests.WithLabelValues(a.route, strconv.Itoa(a.status)), m.duration.WithLabelValues(a.route)}
	m.known.Store(a, s)
	return s
}

func newMetrics(registry prometheus.Registerer) metrics {
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_requests_total", Help: "Answered requests by route and status.",
		}, []string{"route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "Time from the request's headers to the end of the answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"route"}),
		known: &sync.Map{},
	}
	registry.MustRegister(m.requests, m.duration)
	return m
}

// unmatched names the requests that no route takes.
const unmatched = "unmatched"

// routeOf names the route of a request for logs, metrics and traces.
func (s *Server) routeOf(c echo.Context) string {
	route := s.names[c.Path()][c.Request().Method]
	// A surface that routes by itself says which operation it was.
	if operation, ok := c.Get(page.OperationKey).(string); ok {
		route += "." + operation
	}
	route = cmp.Or(route, unmatched)
	return route
}

func (s *Server) record(c echo.Context, route string, took time.Duration) {
	r, res := c.Request(), c.Response()
	counts := s.metrics.of(answered{route, res.Status})
	counts.requests.Inc()
	counts.duration.Observe(took.Seconds())
	s.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
		slog.String("id", res.Header().Get(echo.HeaderXRequestID)),
		slog.String("route", route),
		slog.String("method", r.Method),
		slog.String("path", s.secrets.hide(r.URL.Path, route != unmatched)),
		slog.Int("status", res.Status),
		slog.Int64("bytes", res.Size),
		slog.Duration("took", took),
		slog.String("client", c.RealIP()),
	)
}
