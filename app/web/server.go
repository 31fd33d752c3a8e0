// Package web is the HTTP side of the program and, with its subpackages, the
// only home of Echo. This package holds what every request passes: the server,
// the middleware chain, the route table, the mapping of errors and the
// operators' addresses. Handlers live in subpackages by audience and are
// written with package page.
package web

import (
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/config"
	"heliograph/app/identity"
	"heliograph/app/keyring"
	"heliograph/app/limit"
	"heliograph/app/notification"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/layout"
)

// Deps holds the dependencies of a server. Those of a feature stand beside its
// routes.
type Deps struct {
	Config  *config.Config
	Keyring *keyring.Keyring
	// DB is what handlers read and rules write with: the pool, or in tests a
	// transaction.
	DB db.Beginner
	// Pool is what /health and /readyz ask.
	Pool *pgxpool.Pool
	// Registry takes the server's metrics and is shown at /metrics.
	Registry *prometheus.Registry
	// Log takes the access log and internal errors; nil is slog.Default.
	Log *slog.Logger
	// Notifications sends SMS and emails to users.
	Notifications *notification.Service
	PortalDeps
	AccountDeps
	AdminDeps
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
	gates     map[identity.Surface]*page.Gate
	routes    []Route
	names     map[string]map[string]string // path pattern → method → route name
	metrics   metrics
	frame     func() layout.Page // around pages of errors
	https     bool
	draining  atomic.Bool
}

// New makes a server from its parts. It listens only through HTTPServer.
func New(deps Deps) (*Server, error) {
	s, err := newServer(deps)
	if err != nil {
		return nil, err
	}
	return s, s.mount(s.table())
}

// newServer makes the server without its routes.
func newServer(deps Deps) (*Server, error) {
	s := &Server{deps: deps, log: deps.Log, echo: echo.New(), https: strings.HasPrefix(deps.Config.PublicURL, "https://"), frame: func() layout.Page { return layout.Page{} }}
	if s.log == nil {
		s.log = slog.Default()
	}
	s.directory, s.limiter = identity.New(deps.DB, s.notifier()), limit.New(deps.DB, deps.Keyring)
	s.gates = map[identity.Surface]*page.Gate{}
	for _, area := range []page.Area{page.Account, page.Administration} {
		gate, err := page.NewGate(area, s.directory, deps.Keyring, deps.Config.PublicURL)
		if err != nil {
			return nil, err
		}
		s.gates[area.Surface] = gate
	}
	// Before anything else: without an extractor Echo believes any client's
	// X-Forwarded-For (GHSA-246p-cpwv-v3jq).
	s.echo.IPExtractor = clientAddress(deps.Config.TrustedProxies)
	s.echo.HTTPErrorHandler = s.answerError
	s.metrics = newMetrics(deps.Registry)
	s.echo.Use(s.observe)
	return s, nil
}

// notifier returns the sender of emails about changes to accounts.
func (s *Server) notifier() identity.Notifier {
	return identity.Notifier{Mail: s.deps.Notifications, PublicURL: s.deps.Config.PublicURL}
}

// Handler returns the whole server as one handler.
func (s *Server) Handler() http.Handler { return s.echo }

// Routes lists every route in the order of the table.
func (s *Server) Routes() []Route { return s.routes }

// Drain makes /readyz answer 503, so that balancers send nothing new while
// the process finishes what it has.
func (s *Server) Drain() { s.draining.Store(true) }

// HTTPServer returns a server for an address with the limits of this program:
// no client can hold a connection open without using it, nor send more than
// 32 kB of headers.
func (s *Server) HTTPServer(addr string) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           s.echo,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}
