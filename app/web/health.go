package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/db"
)

// OpsDeps is what the operators' addresses need.
type OpsDeps struct {
	Pool            *pgxpool.Pool
	Keyring         *keyring.Keyring
	Registry        *prometheus.Registry
	MetricsNetworks []netip.Prefix
	// Draining reports whether the process is leaving.
	Draining func() bool
	// Storage is the health of the file storage; nil means that it is not watched.
	Storage storageHealth
	// Clock compares the clock of the process with the database's; nil means that
	// it is not watched.
	Clock clock
}

// clock says how far the clock of the process is ahead of the database's, and
// whether it is close enough.
type clock interface {
	Offset() time.Duration
	IsRight() bool
}

// storageHealth says whether files can be read and written.
type storageHealth interface{ Available() bool }

// Ops answers what operators and balancers ask of a web or a worker process:
//
//   - /health: 200 while the database answers, 503 within two seconds of its
//     loss, and 200 again by itself;
//   - /livez: 200 while the process runs, whatever the database does;
//   - /readyz: 200 while the database answers and takes changes, its schema is
//     this program's, the encryption keys open what is stored, the clock is close to
//     the database's, and the process is not draining; else 503 with the reason. Without file storage the process is ready, because
//     most of it works, and the answer says so;
//   - /metrics: Prometheus text, for direct connections from the networks
//     given;
//   - /debug/pprof/NAME: a profile of runtime/pprof, such as heap or goroutine,
//     or of the processor as profile?seconds=N, for the same connections.
//
// The other answers say no more than ok or unavailable.
func Ops(deps OpsDeps) http.Handler {
	mux := http.NewServeMux()
	alive := &probe{age: probeAge, check: func(ctx context.Context) string { return unless(deps.Pool.Ping(ctx) == nil, noDatabase) }}
	ready := []*probe{{age: probeAge, check: deps.checkSchema}, {age: probeAge, check: deps.checkWritable}, {age: keysAge, check: deps.checkKeys}}
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { answerHealth(w, alive.problem() == "", "") })
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, r *http.Request) { answerHealth(w, true, "") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		reason := unless(!deps.Draining(), "The process is stopping.")
		for _, p := range ready {
			if reason == "" {
				reason = p.problem()
			}
		}
		if reason == "" && deps.Clock != nil && !deps.Clock.IsRight() {
			reason = wrongClock(deps.Clock.Offset())
		}
		good := reason == ""
		if good && deps.Storage != nil && !deps.Storage.Available() {
			reason = noStorage
		}
		answerHealth(w, good, reason)
	})
	mux.HandleFunc("GET /metrics", deps.direct(promhttp.HandlerFor(deps.Registry, promhttp.HandlerOpts{}).ServeHTTP))
	mux.HandleFunc("GET /debug/pprof/{name}", deps.direct(func(w http.ResponseWriter, r *http.Request) { pprof.Handler(r.PathValue("name")).ServeHTTP(w, r) }))
	mux.HandleFunc("GET /debug/pprof/profile", deps.direct(pprof.Profile))
	return mux
}

// direct serves direct connections from the networks that may read metrics.
func (d OpsDeps) direct(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !mayReadMetrics(r, d.MetricsNetworks) {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		serve(w, r)
	}
}

// The reasons why a process is not ready.
const (
	noDatabase = "The database does not answer."
	readOnly   = "The database is read-only: it is a replica, or default_transaction_read_only is on. Published pages work, changes do not."
	oldSchema  = "The schema of the database is older than this program. Run heliograph migrate."
	noStorage  = "The file storage does not answer. Everything that needs no files works."
	wrongKey   = "ENCRYPTION_KEYS does not open what is stored. Set the keys that this database was used with and restart."
)

// wrongClock says how far a clock is off.
func wrongClock(offset time.Duration) string {
	way := "ahead of"
	if offset < 0 {
		way = "behind"
	}
	return fmt.Sprintf("The clock of this machine is %s %s that of the database. Synchronise both, for example with chrony.", offset.Round(time.Second).Abs(), way)
}

func (d OpsDeps) checkSchema(ctx context.Context) string {
	current, err := db.Current(ctx, d.Pool)
	if err != nil && d.Pool.Ping(ctx) != nil {
		return noDatabase
	}
	return unless(err == nil && current, oldSchema)
}

func (d OpsDeps) checkWritable(ctx context.Context) string {
	only, err := db.IsReadOnly(ctx, d.Pool)
	if err != nil {
		return noDatabase
	}
	return unless(!only, readOnly)
}

func (d OpsDeps) checkKeys(ctx context.Context) string {
	opens, err := setting.OpensChecks(ctx, d.Pool, d.Keyring)
	if err != nil {
		return noDatabase
	}
	return unless(opens, wrongKey)
}

// unless returns a problem, or nothing if all is well.
func unless(good bool, problem string) string {
	if good {
		return ""
	}
	return problem
}

func answerHealth(w http.ResponseWriter, ok bool, reason string) {
	status, word := http.StatusOK, "ok"
	if !ok {
		status, word = http.StatusServiceUnavailable, "unavailable"
	}
	body := fmt.Sprintf(`{"status":%q}`, word)
	if reason != "" {
		body = fmt.Sprintf(`{"status":%q,"reason":%q}`, word, reason)
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
	return slices.ContainsFunc(networks, func(network netip.Prefix) bool { return network.Contains(peer.Addr().Unmap()) })
}

// A probe asks at most every probeAge and waits at most probeTimeout: the sum
// is how long a loss can go unseen. Keys change with a restored database only.
const (
	probeAge     = 500 * time.Millisecond
	probeTimeout = time.Second
	keysAge      = 10 * time.Second
)

// probe keeps the last answer of a check for a moment, so that many watchers
// cost one query.
type probe struct {
	check func(context.Context) (problem string)
	age   time.Duration

	mu   sync.Mutex
	at   time.Time
	last string
}

// problem returns what is wrong, or nothing. A problem is looked at again at the
// rate of other probes.
func (p *probe) problem() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := p.age
	if p.last != "" {
		age = probeAge
	}
	if time.Since(p.at) < age {
		return p.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	p.last = p.check(ctx)
	p.at = time.Now()
	return p.last
}
