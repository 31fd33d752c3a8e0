//go:build drill && linux

package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/dbtest"
	channelsqueries "heliograph/db/queries/channels"
	operationwrites "heliograph/db/queries/operation/writes"
)

// What the drill of size says its figures for.
const sizeWhole = 100_000_000

var sizeLoaded = flag.Int("drill.messages", sizeWhole/50, "how many messages the drill of size loads")

// TestSizeDrill loads a tenth, a quarter, a half and all of two million
// messages with their carriages, states and callbacks. At each size it measures
// what the program does with them, and prints what that means for a hundred
// million: what did not grow is taken as it is, what grew is continued on the
// line through the last two sizes. It fails where accepting or a page reads more
// the more there is. It needs 10 GB of disk and half an hour:
//
//	go test -tags drill -run SizeDrill -timeout 60m -v ./app
func TestSizeDrill(t *testing.T) {
	f := newFleet(t)
	d := &sizeDrill{fleet: f, t: t, traffic: dbtest.Traffic{Messages: *sizeLoaded, Until: time.Now(), Organisations: 100, First: 1000, Callbacks: 1}}
	d.partner, d.web = newSender(t, f, "asha@example.com"), f.start("web")
	if _, err := f.pool.Exec(t.Context(), "create table t (x text)"); err != nil {
		t.Fatal(err)
	}
	loaded := 0
	for _, size := range []int{*sizeLoaded / 10, *sizeLoaded / 4, *sizeLoaded / 2, *sizeLoaded} {
		for loaded < size {
			next := min(size, loaded+250_000)
			d.traffic.Load(t, f.pool, loaded+1, next)
			loaded = next
		}
		d.sizes = append(d.sizes, size)
		d.measure()
	}
	t.Log("\n" + d.table())
}

type sizeDrill struct {
	*fleet
	t       *testing.T
	traffic dbtest.Traffic
	partner *partner
	web     *process
	sizes   []int
	rows    []*sizeRow
}

// sizeRow is what was measured of one thing, at each size.
type sizeRow struct {
	name, unit string
	flat       bool // must not grow
	values     []float64
}

func (d *sizeDrill) note(name, unit string, flat bool, value float64) {
	i := slices.IndexFunc(d.rows, func(r *sizeRow) bool { return r.name == name })
	if i < 0 {
		d.rows, i = append(d.rows, &sizeRow{name: name, unit: unit, flat: flat}), len(d.rows)
	}
	d.rows[i].values = append(d.rows[i].values, value)
	d.t.Logf("%d messages: %s %.4g %s", d.sizes[len(d.sizes)-1], name, value, unit)
}

// timed notes how long something took, in seconds.
func (d *sizeDrill) timed(name string, do func() error) {
	d.t.Helper()
	start := time.Now()
	if err := do(); err != nil {
		d.t.Fatalf("%s: %v", name, err)
	}
	d.note(name, "s", false, time.Since(start).Seconds())
}

func (d *sizeDrill) measure() {
	ctx := d.t.Context()
	d.timed("vacuum and analyze", func() error {
		_, err := d.pool.Exec(ctx, "vacuum (analyze)")
		return err
	})
	d.accept()
	d.pages()
	d.timed("usage, all days", func() error {
		return db.InTx(ctx, d.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `update usage_clock set counted_until = '2000-01-01'`); err != nil {
				return err
			}
			return pipeline.CountUsage(ctx, tx, time.Now())
		})
	})
	d.timed("usage, the last three days", func() error {
		return db.InTx(ctx, d.pool, func(tx pgx.Tx) error { return pipeline.CountUsage(ctx, tx, time.Now()) })
	})
	var bytes int64
	if err := d.pool.QueryRow(ctx, `select pg_database_size(current_database())`).Scan(&bytes); err != nil {
		d.t.Fatal(err)
	}
	d.note("size of the database", "GB", false, float64(bytes)/1e9)
	d.backUp()
	d.sweep()
}

// accept measures how many messages are accepted, beside single-row inserts.
func (d *sizeDrill) accept() {
	const connections = 64
	send := request{
		method: http.MethodPost, url: d.web.url + "/v3/" + d.partner.PhoneNumberID + "/messages",
		header: map[string]string{"apikey": d.partner.APIKey, "Content-Type": "application/json"},
		body:   string(d.partner.messageBody(ordinary, "order-1")),
	}
	inserts := d.pgbench(d.t, connections, "insert into t (x) values ('Your parcel arrives on Friday.');\n")
	accepts := hammer(d.t, connections, send).perSecond
	d.note("accepted", "messages/s", false, accepts)
	d.note("accepted, by single-row inserts", "", false, accepts/inserts)
}

// pages measures what people read, each page five times: what the fastest run
// took, and how many blocks of the database it touched, which must not grow.
func (d *sizeDrill) pages() {
	of := d.traffic.First
	var deep uuid.UUID
	var recipient string
	err := d.pool.QueryRow(d.t.Context(), `select id, recipient from messages where organisation_id = $1 order by id offset 1000 limit 1`, of).Scan(&deep, &recipient)
	if err != nil {
		d.t.Fatal(err)
	}
	list := func(f channelsqueries.MessageFilter) func(db.Querier) error {
		f.OrganisationID = of
		return func(q db.Querier) error {
			_, err := channelsqueries.MessageList(d.t.Context(), q, f, 50)
			return err
		}
	}
	d.page("log, newest", list(channelsqueries.MessageFilter{}))
	d.page("log, far back", list(channelsqueries.MessageFilter{Before: deep}))
	d.page("log, failed", list(channelsqueries.MessageFilter{State: "failed"}))
	d.page("log, one recipient", list(channelsqueries.MessageFilter{Recipient: recipient}))
	d.page("log, one message", func(q db.Querier) error {
		_, err := channelsqueries.MessageGetLogged(d.t.Context(), q, of, deep)
		return err
	})
	d.page("callbacks, newest", func(q db.Querier) error {
		_, err := channelsqueries.DeliveryList(d.t.Context(), q, channelsqueries.DeliveryFilter{OrganisationID: of}, 50)
		return err
	})
}

func (d *sizeDrill) page(name string, read func(db.Querier) error) {
	d.t.Helper()
	var fastest time.Duration
	for n := range 5 {
		start := time.Now()
		if err := read(d.pool); err != nil {
			d.t.Fatalf("%s: %v", name, err)
		}
		if took := time.Since(start); n == 0 || took < fastest {
			fastest = took
		}
	}
	counted := &countingQuerier{Querier: d.pool}
	if err := read(counted); err != nil || counted.err != nil {
		d.t.Fatalf("%s: %v, %v", name, err, counted.err)
	}
	d.note(name, "ms", false, float64(fastest.Microseconds())/1000)
	d.note(name+", blocks", "", true, float64(counted.blocks))
}

// countingQuerier counts the blocks that the statements it runs touch.
type countingQuerier struct {
	db.Querier
	blocks int
	err    error
}

func (c *countingQuerier) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	c.explain(ctx, sql, args)
	return c.Querier.Query(ctx, sql, args...)
}

func (c *countingQuerier) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	c.explain(ctx, sql, args)
	return c.Querier.QueryRow(ctx, sql, args...)
}

func (c *countingQuerier) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	for _, q := range batch.QueuedQueries {
		c.explain(ctx, q.SQL, q.Arguments)
	}
	return c.Querier.SendBatch(ctx, batch)
}

func (c *countingQuerier) explain(ctx context.Context, sql string, args []any) {
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	if err := c.Querier.QueryRow(ctx, "explain (analyze, buffers, format json) "+sql, args...).Scan(&plans); err != nil {
		c.err = err
		return
	}
	c.blocks += plans[0].Plan.Hit + plans[0].Plan.Read
}

// backUp measures a backup with pg_dump and its restore into another database.
func (d *sizeDrill) backUp() {
	file := filepath.Join(d.dir, "backup")
	d.timed("backup", func() error { return d.command("pg_dump", "-Fd", "-j2", "-Z1", "-f", file, d.cluster.URL) })
	if _, err := d.pool.Exec(d.t.Context(), `create database restored`); err != nil {
		d.t.Fatal(err)
	}
	into, err := url.Parse(d.cluster.URL)
	if err != nil {
		d.t.Fatal(err)
	}
	into.Path = "/restored"
	d.timed("restore", func() error { return d.command("pg_restore", "-j2", "-d", into.String(), file) })
	if _, err := d.pool.Exec(d.t.Context(), `drop database restored`); err != nil {
		d.t.Fatal(err)
	}
	if err := d.command("rm", "-r", file); err != nil {
		d.t.Fatal(err)
	}
}

func (d *sizeDrill) command(name string, args ...string) error {
	out, err := exec.CommandContext(d.t.Context(), name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// sweep measures how long it takes to delete what a day brought.
func (d *sizeDrill) sweep() {
	var oldest time.Time
	if err := d.pool.QueryRow(d.t.Context(), `select created_at from messages where state <> 'accepted' order by id limit 1`).Scan(&oldest); err != nil {
		d.t.Fatal(err)
	}
	if err := operationwrites.RetentionUpsert(d.t.Context(), d.pool, retention.Everyone, 90, 90); err != nil {
		d.t.Fatal(err)
	}
	start := time.Now()
	deleted, err := retention.Sweep(d.t.Context(), d.pool, oldest.Add(90*24*time.Hour+12*time.Hour))
	if err != nil || deleted == 0 {
		d.t.Fatalf("%d deleted, %v", deleted, err)
	}
	d.note("sweep, entries", "rows/s", false, float64(deleted)/time.Since(start).Seconds())
}

// table prints the rows with what they mean for the whole.
func (d *sizeDrill) table() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "messages")
	for _, size := range d.sizes {
		fmt.Fprintf(w, "\t%.2g million", float64(size)/1e6)
	}
	fmt.Fprintf(w, "\t%.3g million\n", float64(sizeWhole)/1e6)
	for _, r := range d.rows {
		fmt.Fprint(w, r.name)
		for _, v := range r.values {
			fmt.Fprintf(w, "\t%.4g %s", v, r.unit)
		}
		fmt.Fprintf(w, "\t%s\n", d.whole(r))
	}
	w.Flush() //nolint:errcheck // it writes to memory
	return text.String()
}

// whole says what a row means for the whole, and fails where it must not grow
// and does: a block more for each level of an index is allowed.
func (d *sizeDrill) whole(r *sizeRow) string {
	n := len(r.values) - 1
	first, last := r.values[0], r.values[n]
	if r.flat && last > 1.3*first+20 {
		d.t.Errorf("%s: %.0f at %d messages, %.0f at %d", r.name, first, d.sizes[0], last, d.sizes[n])
	}
	if r.flat || last < 1.3*first {
		return fmt.Sprintf("%.4g %s", last, r.unit)
	}
	slope := (last - r.values[n-1]) / float64(d.sizes[n]-d.sizes[n-1])
	return fmt.Sprintf("%.4g %s, continued", last+slope*float64(sizeWhole-d.sizes[n]), r.unit)
}
