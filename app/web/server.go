// Package web is the HTTP side of the program and, with its subpackages, the
// only home of Echo. This package holds what every request passes: the server,
// the middleware chain, the route table, the mapping of errors and the
// operators' addresses. Handlers live in subpackages by audience and are
// written with package page.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/refusal"
	"heliograph/app/config"
	"heliograph/app/documentation/mock"
	"heliograph/app/keyring"
	"heliograph/app/operation/insight"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/theme"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web/live"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
)

// Deps holds what all parts of a server need. What one feature needs stands beside its
// routes.
type Deps struct {
	Config  *config.Config
	Keyring *keyring.Keyring
	// DB is what handlers read and rules write with: the pool, or in tests a
	// transaction.
	DB db.Beginner
	// Channels are the channels that the pages know.
	Channels pipeline.Channels
	// Pool is what /health and /readyz ask.
	Pool *pgxpool.Pool
	// Listener hears what changes, for open pages; without one they have no stream
	// of events. The server must be made before the listener runs.
	Listener *db.Listener
	// Storage is the health of the file storage; nil means that it is not watched.
	Storage storageHealth
	// Clock compares the clock of the process with the database's; nil means that it
	// is not watched.
	Clock clock
	// Registry takes the server's metrics and is shown at /metrics.
	Registry *prometheus.Registry
	// Log takes the access log and internal errors; nil is slog.Default.
	Log *slog.Logger
	// Themes are how the surfaces appear; nil is the default of all.
	Themes *theme.Themes
	// Insight counts what readers do; nil counts nothing.
	Insight *insight.Counter
	// Refusals logs the calls that channel APIs refuse; nil logs nothing.
	Refusals *refusal.Log
	// Notifications sends SMS and emails to users.
	Notifications *notification.Service
	PortalDeps
	accountDeps
	adminDeps
	// APIs are the surfaces that do their own routing.
	APIs []API
}

// Server answers HTTP. Use New.
type Server struct {
	deps      Deps
	log       *slog.Logger
	echo      *echo.Echo
	directory *identity.Directory
	limiter   *limit.Limiter
	turns     *limit.Turns
	gates     map[identity.Surface]*page.Gate
	routes    []Route
	names     map[string]map[string]string // path pattern → method → route name
	secrets   secretPaths
	metrics   metrics
	failures  *failures
	readings  readings
	live      *live.Hub     // nil without a listener
	mocks     *mock.Service // nil without documentation
	brands    *page.Brands
	https     bool
	draining  atomic.Bool
}

// New makes a server from its parts. It listens only through HTTPServer.
func New(deps Deps) (*Server, error) {
	s, err := newServer(deps)
	if err != nil {
		return nil, err
	}
	table := newTable(s)
	if deps.Documentation != nil && deps.Serves != nil {
		deps.Documentation.SetServed(func(method, path string) bool { return deps.Serves(method, path) || serves(table, method, path) })
	}
	return s, s.mount(table)
}

// newServer makes the server without its routes.
func newServer(deps Deps) (*Server, error) {
	s := &Server{deps: deps, log: deps.Log, echo: echo.New(), https: strings.HasPrefix(deps.Config.PublicURL, "https://")}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.mocks = newMocks(deps); s.mocks != nil {
		s.deps.APIs = append(slices.Clip(s.deps.APIs), mockAPI(s))
	}
	if deps.Ranges != nil {
		s.deps.APIs = append(slices.Clip(s.deps.APIs), rangeAPI(s))
	}
	s.directory, s.limiter, s.turns = identity.New(deps.DB, newNotifier(s)), limit.New(deps.DB, deps.Keyring), limit.NewTurns()
	if deps.Listener != nil {
		s.live = live.NewHub(s.directory, deps.Listener, deps.Registry, live.Standard)
	}
	s.gates = map[identity.Surface]*page.Gate{}
	s.brands = page.NewBrands(deps.Themes)
	for _, area := range []page.Area{page.Account, page.Administration} {
		gate, err := page.NewGate(page.GateOptions{
			Area:      area,
			Directory: s.directory,
			Keyring:   deps.Keyring,
			PublicURL: deps.Config.PublicURL,
			Streams:   s.live != nil,
			Brand:     func() *layout.Brand { return s.brands.Of(surfaceOf(area)) },
		})
		if err != nil {
			return nil, err
		}
		s.gates[area.Surface] = gate
	}
	// Before anything else: without an extractor Echo believes any client's
	// X-Forwarded-For (GHSA-246p-cpwv-v3jq).
	s.echo.IPExtractor = clientAddress(deps.Config.TrustedProxies)
	s.failures = &failures{apis: s.deps.APIs, log: s.log, frame: func() layout.Page { return layout.Page{} }, brands: s.brands, publicURL: deps.Config.PublicURL}
	s.readings = readings{deps.Insight}
	s.echo.HTTPErrorHandler = s.failures.answer
	s.metrics = newMetrics(deps.Registry)
	s.echo.Pre(withoutMCPSlash)
	s.echo.Use(s.observe)
	return s, nil
}

// withoutMCPSlash serves /mcp/ as /mcp. Clients that add the slash lose the body or the
// headers at a redirect.
func withoutMCPSlash(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if u := c.Request().URL; u.Path == "/mcp/" {
			u.Path = "/mcp"
		}
		return next(c)
	}
}

// newNotifier returns the sender of emails about changes to accounts.
func newNotifier(s *Server) identity.Notifier {
	return identity.Notifier{Mail: s.deps.Notifications, PublicURL: s.deps.Config.PublicURL}
}

// surfaceOf returns the surface of an area.
func surfaceOf(area page.Area) theme.Surface {
	if area.Surface == identity.Administration {
		return theme.Administration
	}
	return theme.Organisation
}

// Handler returns the whole server as one handler.
func (s *Server) Handler() http.Handler { return s.echo }

// Routes lists every route in the order of the table.
func (s *Server) Routes() []Route { return s.routes }

// Drain makes /readyz answer 503, so that balancers send nothing new while
// the process finishes what it has, and ends each connection with its next response.
func (s *Server) Drain() { s.draining.Store(true) }

// Run does what goes on beside requests until ctx ends: it ends the streams of
// pages after their session has ended.
func (s *Server) Run(ctx context.Context) {
	if s.live != nil {
		s.live.Run(ctx)
	}
}

// HTTPServer returns a server for an address with the limits of this program:
// no client can hold a connection open without using it, nor send more than
// 32 kB of headers.
func (s *Server) HTTPServer(addr string) *http.Server {
	server := &http.Server{
		Addr:              addr,
		Handler:           s.echo,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	if s.live != nil {
		server.RegisterOnShutdown(s.live.Close) // nothing else would end a stream
	}
	return server
}
