package web

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"heliograph/db"
)

// OpsDeps is what the operators' addresses need.
type OpsDeps struct {
	Pool            *pgxpool.Pool
	Registry        *prometheus.Registry
	MetricsNetworks []netip.Prefix
	// Draining reports whether the process is leaving.
	Draining func() bool
}

// Ops answers what operators and balancers ask of a web or a worker process:
//
//   - /health: 200 while the database answers, 503 within two seconds of its
//     loss, and 200 again by itself;
//   - /livez: 200 while the process runs, whatever the database does;
//   - /readyz: 200 while the database answers, its schema is this program's
//     and the process is not draining;
//   - /metrics: Prometheus text, for direct connections from the networks
//     given.
//
// Answers say no more than ok or unavailable.
func Ops(deps OpsDeps) http.Handler {
	mux := http.NewServeMux()
	alive := &probe{check: func(ctx context.Context) bool { return deps.Pool.Ping(ctx) == nil }}
	current := &probe{check: func(ctx context.Context) bool {
		current, err := db.Current(ctx, deps.Pool)
		return err == nil && current
	}}
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { answerHealth(w, alive.ok()) })
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, r *http.Request) { answerHealth(w, true) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		answerHealth(w, !deps.Draining() && current.ok())
	})
	metrics := promhttp.HandlerFor(deps.Registry, promhttp.HandlerOpts{})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !mayReadMetrics(r, deps.MetricsNetworks) {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		metrics.ServeHTTP(w, r)
	})
	return mux
}

func answerHealth(w http.ResponseWriter, ok bool) {
	status, body := http.StatusOK, `{"status":"ok"}`
	if !ok {
		status, body = http.StatusServiceUnavailable, `{"status":"unavailable"}`
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write([]byte(body)) //nolint:errcheck // the client may have left
}

// mayReadMetrics goes by the peer of the socket alone. A forwarded request
// came from somewhere else than its peer, whichever header a proxy marks it by.
func mayReadMetrics(r *http.Request, networks []netip.Prefix) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded-") || name == "Forwarded" || name == "X-Real-Ip" || name == "Via" {
			return false
		}
	}
	for _, network := range networks {
		if network.Contains(peer.Addr().Unmap()) {
			return true
		}
	}
	return false
}

// A probe asks at most every probeAge and waits at most probeTimeout: the sum
// is how long a loss can go unseen.
const (
	probeAge     = 500 * time.Millisecond
	probeTimeout = time.Second
)

// probe keeps the last answer of a check for a moment, so that many watchers
// cost one query.
type probe struct {
	check func(context.Context) bool

	mu   sync.Mutex
	at   time.Time
	good bool
}

func (p *probe) ok() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.at) < probeAge {
		return p.good
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	p.good = p.check(ctx)
	p.at = time.Now()
	return p.good
}
