package metric

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Database tells what the database knows of the whole system, the same from
// every process, and how this process uses its connections. It implements
// prometheus.Collector and asks at most every databaseAge.
type Database struct {
	// Budget, where it is set, says how much of today's budget of SMS is used,
	// as a share of 1.
	Budget func(context.Context) (float64, error)

	pool *pgxpool.Pool
	mu   sync.Mutex
	at   time.Time
	last []prometheus.Metric
}

// How old an answer may be, and how long one is waited for: less than scrapers
// wait.
const (
	databaseAge     = 5 * time.Second
	databaseTimeout = 3 * time.Second
)

// NewDatabase makes the collector of a process.
func NewDatabase(pool *pgxpool.Pool) *Database { return &Database{pool: pool} }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("heliograph_"+name, help, labels, nil)
}

var (
	up            = desc("database_up", "1 while the database answers, else 0; what it knows is missing then.")
	queueDue      = desc("queue_jobs", "Jobs of a queue that are due and wait, counted up to 100,000 in all.", "queue")
	queueAge      = desc("queue_oldest_seconds", "How long the oldest job that waits in a queue is due.", "queue")
	queuePaused   = desc("queues_paused", "Queues that an administrator has paused.")
	jobsDiscarded = desc("jobs_discarded", "Jobs that were given up in the last 30 days and not retried.")
	failing       = desc("webhooks_failing", "Webhooks whose last callbacks failed and that are still tried.")
	disabled      = desc("webhooks_disabled", "Webhooks that are not tried any more.")
	auditBroken   = desc("audit_broken", "1 when the last reading of the audit found an entry that was changed, else 0.")
	auditChecked  = desc("audit_checked_timestamp_seconds", "When the audit was read last, in Unix time.")
	budgetUsed    = desc("sms_budget_used_ratio", "Share of today's budget of SMS that is used; told by workers.")
	bytes         = desc("database_bytes", "Size of the database.")
	deadRows      = desc("database_dead_rows", "Dead rows of the job table, which vacuum is to remove.")
	oldest        = desc("database_oldest_transaction_seconds", "How long the oldest open transaction of the database is open; vacuum waits for it.")
	connections   = desc("pool_connections", "Connections of this process to the database by state: busy or idle.", "state")
	connectionCap = desc("pool_connections_max", "How many connections this process may open.")
	poolWaits     = desc("pool_waits_total", "How often something waited for a connection.")
	poolWaited    = desc("pool_wait_seconds_total", "How long things waited for a connection, in all.")
)

// Describe names the measures.
func (d *Database) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		up, queueDue, queueAge, queuePaused, jobsDiscarded, failing, disabled, auditBroken, auditChecked,
		budgetUsed, bytes, deadRows, oldest, connections, connectionCap, poolWaits, poolWaited,
	} {
		to <- desc
	}
}

// Collect gives the measures.
func (d *Database) Collect(to chan<- prometheus.Metric) {
	for _, m := range d.known() {
		to <- m
	}
	stat := d.pool.Stat()
	to <- gauge(connections, float64(stat.AcquiredConns()), "busy")
	to <- gauge(connections, float64(stat.IdleConns()), "idle")
	to <- gauge(connectionCap, float64(stat.MaxConns()))
	to <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(stat.EmptyAcquireCount()))
	to <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, stat.EmptyAcquireWaitTime().Seconds())
}

func gauge(desc *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// known returns what the database knew a moment ago.
func (d *Database) known() []prometheus.Metric {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.at) < databaseAge {
		return d.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), databaseTimeout)
	defer cancel()
	overview, err := queries.OverviewGet(ctx, d.pool)
	var health models.DatabaseHealth
	if err == nil {
		health, err = queries.DatabaseHealthGet(ctx, d.pool)
	}
	d.last = []prometheus.Metric{gauge(up, truth(err == nil))}
	if err == nil {
		d.last = append(d.last, told(overview, health)...)
		d.last = append(d.last, d.budget(ctx)...)
	} else if !db.IsUnreachable(err) {
		slog.WarnContext(ctx, "the database's measures cannot be read", "error", err)
	}
	d.at = time.Now()
	return d.last
}

// told turns rows into measures. Queues are told at zero, too, so that a rule
// can be written before the first job waits.
func told(o models.Overview, h models.DatabaseHealth) []prometheus.Metric {
	all := []prometheus.Metric{
		gauge(queuePaused, float64(len(o.QueuesPaused))),
		gauge(jobsDiscarded, float64(o.JobsDiscarded)),
		gauge(failing, float64(o.WebhooksFailing)),
		gauge(disabled, float64(o.WebhooksDisabled)),
		gauge(auditBroken, truth(o.AuditBrokenSeq != nil)),
		gauge(bytes, float64(o.DatabaseBytes)),
		gauge(deadRows, float64(h.DeadJobRows)),
		gauge(oldest, h.OldestTransaction.Seconds()),
	}
	if o.AuditCheckedAt != nil {
		all = append(all, gauge(auditChecked, float64(o.AuditCheckedAt.Unix())))
	}
	waiting := map[string]int64{}
	age := map[string]time.Duration{}
	for _, name := range h.Queues {
		waiting[name] = 0
	}
	for _, q := range o.Queues {
		waiting[q.Name], age[q.Name] = q.Waiting, time.Since(q.Oldest)
	}
	for name, jobs := range waiting {
		all = append(all, gauge(queueDue, float64(jobs), name), gauge(queueAge, max(0, age[name].Seconds()), name))
	}
	return all
}

func (d *Database) budget(ctx context.Context) []prometheus.Metric {
	if d.Budget == nil {
		return nil
	}
	share, err := d.Budget(ctx)
	if err != nil {
		slog.WarnContext(ctx, "the budget of SMS cannot be read", "error", err)
		return nil
	}
	return []prometheus.Metric{gauge(budgetUsed, share)}
}
