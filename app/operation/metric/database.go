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
	"heliograph/db/queries/across"
	queries "heliograph/db/queries/operation"
)

// Database collects metrics of the whole system from the database, which are the
// same in every process, and of this process's connections. It implements
// prometheus.Collector and queries the database at most every databaseAge.
type Database struct {
	// Budget returns the used share of today's SMS budget, from 0 to 1. It may be
	// nil.
	Budget func(context.Context) (float64, error)

	pool *pgxpool.Pool
	mu   sync.Mutex
	at   time.Time
	last []prometheus.Metric
}

// The maximum age of cached metrics, and the timeout of a query, which is shorter
// than the pause between scrapes.
const (
	databaseAge     = 5 * time.Second
	databaseTimeout = 3 * time.Second
)

// NewDatabase returns the collector of a process.
func NewDatabase(pool *pgxpool.Pool) *Database { return &Database{pool: pool} }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("heliograph_"+name, help, labels, nil)
}

var (
	up            = desc("database_up", "1 while the database answers, else 0. Metrics from the database are missing then.")
	queueDue      = desc("queue_jobs", "Jobs of a queue that are due and wait, counted up to 100,000 in all.", "queue")
	queueAge      = desc("queue_oldest_seconds", "How long the oldest waiting job of a queue has been due.", "queue")
	queuePaused   = desc("queues_paused", "Queues that an administrator has paused.")
	jobsDiscarded = desc("jobs_discarded", "Jobs that were given up in the last 30 days and not retried.")
	jobsFailing   = desc("jobs_failing", "Jobs that have failed five times or more and are tried again.")
	accepted      = desc("messages_oldest_accepted_seconds", "Age of the oldest accepted message that was not handed over to its carrier within two minutes, else 0.")
	failing       = desc("webhooks_failing", "Webhooks whose last callbacks failed and that are still retried.")
	disabled      = desc("webhooks_disabled", "Webhooks that are disabled.")
	auditBroken   = desc("audit_broken", "1 if the last audit check found a changed entry, else 0.")
	auditChecked  = desc("audit_checked_timestamp_seconds", "Time of the last audit check, in Unix time.")
	enquiryAge    = desc("enquiries_oldest_new_seconds", "Age of the oldest enquiry that nobody has worked yet, else 0.")
	enquiryFailed = desc("enquiries_deliveries_failed", "Deliveries of enquiries by email or webhook that have failed for good.")
	budgetUsed    = desc("sms_budget_used_ratio", "Used share of today's SMS budget. Reported by workers only.")
	partitions    = desc("partitions_late", "Tables that write to their last partition, because no worker has made the next one.")
	bytes         = desc("database_bytes", "Size of the database.")
	deadRows      = desc("database_dead_rows", "Dead rows of the job table, which vacuum is to remove.")
	oldest        = desc("database_oldest_transaction_seconds", "Age of the oldest open transaction of the database. Vacuum waits for it.")
	connections   = desc("pool_connections", "Connections of this process to the database by state: busy or idle.", "state")
	connectionCap = desc("pool_connections_max", "How many connections this process may open.")
	poolWaits     = desc("pool_waits_total", "How often something waited for a connection.")
	poolWaited    = desc("pool_wait_seconds_total", "Total time that callers waited for a connection.")
)

// Describe sends the descriptions of the metrics.
func (d *Database) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		up, queueDue, queueAge, queuePaused, jobsDiscarded, jobsFailing, accepted, failing, disabled, auditBroken, auditChecked,
		enquiryAge, enquiryFailed, budgetUsed, partitions, bytes, deadRows, oldest, connections, connectionCap, poolWaits, poolWaited,
	} {
		to <- desc
	}
}

// Collect sends the metrics.
func (d *Database) Collect(to chan<- prometheus.Metric) {
	for _, m := range d.cachedMetrics() {
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

// ageSeconds returns how long ago a time was, or 0 without one.
func ageSeconds(t *time.Time) float64 {
	if t == nil {
		return 0
	}
	return time.Since(*t).Seconds()
}

func boolValue(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// cachedMetrics returns the metrics of the database, at most databaseAge old.
func (d *Database) cachedMetrics() []prometheus.Metric {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.at) < databaseAge {
		return d.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), databaseTimeout)
	defer cancel()
	overview, err := across.OverviewGet(ctx, d.pool)
	var health models.DatabaseHealth
	if err == nil {
		health, err = queries.DatabaseHealthGet(ctx, d.pool)
	}
	d.last = []prometheus.Metric{gauge(up, boolValue(err == nil))}
	if err == nil {
		d.last = append(d.last, overviewMetrics(overview, health)...)
		d.last = append(d.last, d.budget(ctx)...)
	} else if !db.IsUnreachable(err) {
		slog.WarnContext(ctx, "reading the metrics of the database", "error", err)
	}
	d.at = time.Now()
	return d.last
}

// overviewMetrics converts rows to metrics. Empty queues are included, so that an
// alert rule can be written before the first job waits.
func overviewMetrics(o models.Overview, h models.DatabaseHealth) []prometheus.Metric {
	all := []prometheus.Metric{
		gauge(queuePaused, float64(len(o.QueuesPaused))),
		gauge(jobsDiscarded, float64(o.JobsDiscarded)),
		gauge(jobsFailing, float64(o.JobsFailing)),
		gauge(accepted, ageSeconds(o.OldestAcceptedAt)),
		gauge(failing, float64(o.WebhooksFailing)),
		gauge(disabled, float64(o.WebhooksDisabled)),
		gauge(auditBroken, boolValue(o.AuditBrokenSeq != nil)),
		gauge(partitions, float64(o.PartitionsLate)),
		gauge(bytes, float64(o.DatabaseBytes)),
		gauge(enquiryAge, ageSeconds(o.Contact.OldestAt)),
		gauge(enquiryFailed, float64(o.Contact.Failed)),
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
		slog.WarnContext(ctx, "reading the SMS budget", "error", err)
		return nil
	}
	return []prometheus.Metric{gauge(budgetUsed, share)}
}
