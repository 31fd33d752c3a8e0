//go:build drill

package queries_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// The drill of the log loads five million messages of 200 organisations, their
// carriages and states, and one callback each for a tenth, asks for pages as people do and
// prints how long the database took, with the plans under -v. It needs 12 GB of
// disk and a few minutes:
//
//	go test -tags drill -run DrillMessageLog -timeout 30m -v ./db/queries
const (
	drillMessages      = 5_000_000
	drillOrganisations = 200
	drillBudget        = 50 * time.Millisecond
)

func TestDrillMessageLog(t *testing.T) {
	pool := dbtest.Pool(t)
	loadMessages(t, pool)
	for _, o := range []sender{{name: "of a million", organisation: 1}, {name: "of 20,000", organisation: 2}} {
		err := pool.QueryRow(t.Context(), `
			select (array_agg(recipient))[1], (array_agg(id order by id))[count(*) / 20] from messages where organisation_id = $1`, o.organisation).
			Scan(&o.recipient, &o.deep)
		if err != nil {
			t.Fatal(err)
		}
		o.messages(t, pool)
		o.deliveries(t, pool)
	}
	measureUsage(t, pool, 1)
}

// sender is an organisation with a log that is read.
type sender struct {
	name         string
	organisation int64
	recipient    string
	deep         uuid.UUID // nineteen of twenty messages are newer
}

var drillDay = time.Now().Add(-20 * 24 * time.Hour)

func (o sender) messages(t *testing.T, pool *pgxpool.Pool) {
	day := queries.MessageFilter{From: drillDay, To: drillDay.Add(24 * time.Hour)}
	failed, sent := day, day
	failed.State, sent.State = "failed", "sent"
	for name, f := range map[string]queries.MessageFilter{
		"everything":           {},
		"recipient":            {Recipient: o.recipient},
		"recipient, 8 digits":  {Recipient: o.recipient[:8]},
		"recipient, 6 digits":  {Recipient: o.recipient[:6]},
		"recipient, 2 digits":  {Recipient: o.recipient[:2]},
		"recipient, nobody":    {Recipient: "8100"},
		"id":                   {ID: o.deep},
		"state read":           {State: "read"},
		"state failed":         {State: "failed"},
		"state accepted":       {State: "accepted"},
		"state sent":           {State: "sent"},
		"channel rcs":          {Channel: "rcs"},
		"failed by rcs":        {State: "failed", Channel: "rcs"},
		"failed to 2 digits":   {State: "failed", Recipient: o.recipient[:2]},
		"a day":                day,
		"a day, failed":        failed,
		"a day, nothing to it": sent,
	} {
		f.OrganisationID = o.organisation
		for place, before := range map[string]uuid.UUID{"first page": uuid.Nil, "deep page": o.deep} {
			f.Before = before
			measure(t, pool, o.name+": "+name+", "+place, func(q db.Querier) error {
				_, err := queries.MessageList(t.Context(), q, f, 50)
				return err
			})
		}
	}
	measure(t, pool, o.name+": one message", func(q db.Querier) error {
		_, err := queries.MessageGetLogged(t.Context(), q, o.organisation, o.deep)
		return err
	})
}

func (o sender) deliveries(t *testing.T, pool *pgxpool.Pool) {
	for name, f := range map[string]queries.DeliveryFilter{
		"everything": {}, "failed": {State: "failed"}, "pending": {State: "pending"}, "event": {Event: "message.failed"},
		"an hour": {From: drillDay, To: drillDay.Add(time.Hour)},
	} {
		f.OrganisationID = o.organisation
		for place, before := range map[string]time.Time{"first page": {}, "deep page": drillDay} {
			f.Before.At = before
			measure(t, pool, o.name+": deliveries, "+name+", "+place, func(q db.Querier) error {
				_, err := queries.DeliveryList(t.Context(), q, f, 50)
				return err
			})
		}
	}
}

func loadMessages(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	start := time.Now()
	traffic := dbtest.Traffic{Messages: drillMessages, Until: start, Organisations: drillOrganisations, First: 1, Callbacks: 10}
	const chunk = 500_000
	for n := 1; n <= drillMessages; n += chunk {
		traffic.Load(t, pool, n, n+chunk-1)
	}
	for _, table := range []string{"messages", "message_events", "carriages", "deliveries", "delivery_attempts"} {
		if _, err := pool.Exec(t.Context(), "vacuum analyze "+table); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("loading took %s", time.Since(start).Round(time.Second))
}

func measureUsage(t *testing.T, pool *pgxpool.Pool, organisation int64) {
	t.Helper()
	start := time.Now()
	until := start.Add(-10 * time.Minute)
	count := func() {
		if err := db.InTx(t.Context(), pool, func(tx pgx.Tx) error { return writes.UsageCount(t.Context(), tx, until, 2) }); err != nil {
			t.Fatal(err)
		}
	}
	count()
	first := time.Since(start)
	start = time.Now()
	count()
	t.Logf("counting everything took %s, counting three days again %s", first.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
	measure(t, pool, "of a million: usage", func(q db.Querier) error {
		usage, _, err := queries.UsageList(t.Context(), q, organisation, time.Now().UTC().Truncate(24*time.Hour).Add(-29*24*time.Hour))
		if len(usage) < 85 {
			t.Errorf("usage has %d lines", len(usage))
		}
		return err
	})
}

// measure runs a page five times, prints the fastest, round trips included, and
// the plans of its statements with their times. What else the machine does
// makes a run slower, never faster.
func measure(t *testing.T, pool *pgxpool.Pool, name string, run func(db.Querier) error) {
	t.Helper()
	var took []time.Duration
	for range 5 {
		start := time.Now()
		if err := run(pool); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		took = append(took, time.Since(start))
	}
	fastest := slices.Min(took)
	plans := &explainer{Querier: pool}
	if err := run(plans); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Logf("%-50s %7.1f ms\n%s", name, float64(fastest.Microseconds())/1000, plans.String())
	if fastest > drillBudget {
		t.Errorf("%s took %s, over %s", name, fastest, drillBudget)
	}
}

// explainer runs statements and keeps their plans.
type explainer struct {
	db.Querier
	strings.Builder
}

func (e *explainer) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	e.explain(ctx, sql, args)
	return e.Querier.Query(ctx, sql, args...)
}

func (e *explainer) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	e.explain(ctx, sql, args)
	return e.Querier.QueryRow(ctx, sql, args...)
}

func (e *explainer) explain(ctx context.Context, sql string, args []any) {
	rows, err := e.Querier.Query(ctx, "explain (analyze, buffers, costs off) "+sql, args...)
	if err != nil {
		fmt.Fprintln(e, err)
		return
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		fmt.Fprintln(e, err)
	}
	fmt.Fprintln(e, "    "+strings.Join(lines, "\n    "))
}
