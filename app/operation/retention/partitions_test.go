package retention_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	channelsqueries "heliograph/db/queries/channels"
	channelswrites "heliograph/db/queries/channels/writes"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

var partitioned = []string{"messages", "message_events", "leg_events", "carriages", "inbound_messages", "deliveries", "delivery_attempts"}

// calendar is a database with an organisation and a clock that a test sets.
type calendar struct {
	t    *testing.T
	pool *pgxpool.Pool
	now  time.Time
}

func newCalendar(t *testing.T) *calendar {
	t.Helper()
	c := &calendar{t, dbtest.Pool(t), time.Now()}
	c.exec(`insert into organisations (id, name, status) overriding system value values (1, 'First', 'active'), (2, 'Second', 'active')`)
	c.exec(`insert into webhooks (id, organisation_id, channel, subject, url, headers) overriding system value values (1, 1, 'sms', '1', 'https://example.com', 'x')`)
	return c
}

func (c *calendar) exec(sql string, args ...any) {
	c.t.Helper()
	if _, err := c.pool.Exec(c.t.Context(), sql, args...); err != nil {
		c.t.Fatalf("%s: %v", sql, err)
	}
}

func (c *calendar) text(sql string, args ...any) (text string) {
	c.t.Helper()
	if err := c.pool.QueryRow(c.t.Context(), sql, args...).Scan(&text); err != nil {
		c.t.Fatalf("%s: %v", sql, err)
	}
	return text
}

// message stores a message of a time with an event and a carriage, a received message
// and a callback with the number given and an attempt.
func (c *calendar) message(organisation int, at time.Time, state string, callback int64) (id string) {
	c.t.Helper()
	id = c.text(`
		insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state, created_at)
		values ((left(id_at($2)::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, $1, 'sms', 'ABC', '919812345678', 'text', '{}', $3, $2) returning id::text`,
		organisation, at, state)
	c.exec(`insert into message_events (message_id, state, occurred_at) values ($1, 'failed', $2)`, id, at)
	c.exec(`insert into carriages (message_id, leg, part, channel, carrier, state) values ($1, 1, 1, 'sms', 'virtual', 'failed')`, id)
	c.exec(`insert into inbound_messages (id, organisation_id, channel, contact, kind, payload, received_at) values ($1, $2, 'sms', '919812345678', 'text', '{}', $3)`, id, organisation, at)
	c.exec(`select setval('deliveries_id_seq', $1)`, callback)
	c.exec(`insert into deliveries (id, webhook_id, organisation_id, message_id, event, body, state, created_at) values ($1, 1, $2, $3, 'x', 'x', 'delivered', $4)`, callback, organisation, id, at)
	c.exec(`insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url) values ($1, 1, $2, 1, 'https://example.com')`, callback, at)
	return id
}

// rows counts the rows of every table.
func (c *calendar) rows() string {
	c.t.Helper()
	counts := make([]string, len(partitioned))
	for i, table := range partitioned {
		counts[i] = c.text(`select count(*)::text from ` + table)
	}
	return strings.Join(counts, " ")
}

func (c *calendar) keep() {
	c.t.Helper()
	if err := retention.KeepPartitions(c.t.Context(), c.pool, c.now); err != nil {
		c.t.Fatal(err)
	}
	if left := c.text(`select coalesce(string_agg(conrelid::regclass::text, ' '), '') from pg_constraint where conname = 'closing'`); left != "" {
		c.t.Errorf("a check was left on %s", left)
	}
	for _, table := range partitioned {
		if latest, err := queries.PartitionLatest(c.t.Context(), c.pool, table); err != nil || latest != "" {
			c.t.Errorf("the last partition of %s has %q, %v", table, latest, err)
		}
	}
}

// bounds lists the ids at which the partitions of a table end.
func (c *calendar) bounds(table string) string {
	c.t.Helper()
	parts, err := queries.PartitionList(c.t.Context(), c.pool, table)
	if err != nil {
		c.t.Fatal(err)
	}
	var ends []string
	for i, part := range parts {
		if i > 0 && part.Low != parts[i-1].High {
			c.t.Errorf("%s has a gap before %s", table, part.Low)
		}
		ends = append(ends, part.High)
	}
	return strings.Join(ends, " ")
}

func TestPartitionsAreMadeAhead(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	var last string
	for range 3 { // only the first makes any
		c.keep()
		all := ""
		for _, table := range partitioned {
			all += c.bounds(table) + "\n"
		}
		if last != "" && all != last {
			t.Errorf("without need there are\n%s\ninstead of\n%s", all, last)
		}
		last = all
	}
	for follower, table := range map[string]string{"message_events": "messages", "leg_events": "messages", "carriages": "messages", "delivery_attempts": "deliveries"} {
		if got, want := c.bounds(follower), c.bounds(table); got != want {
			t.Errorf("%s ends at %s and %s at %s", follower, got, table, want)
		}
	}
	if far := c.text(`select (max(low) > id_at(now() + interval '27 days')::text)::text from partition_list('messages')`); far != "true" {
		t.Errorf("partitions of messages end at %s", c.bounds("messages"))
	}
}

// While no worker runs nothing makes partitions. Inserts go on, and a worker that comes
// back makes what is missing around the rows that are there.
func TestPartitionsAfterMonthsWithoutAWorker(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.keep()
	start := c.now
	for i := range 20 {
		c.now = start.Add(time.Duration(i) * 10 * day)
		c.message(1, c.now, "read", 1_200_000+int64(i)*150_000)
	}
	before := c.rows()
	c.exec(`update retention set logs_days = 365`) // they are kept
	c.keep()
	if after := c.rows(); after != before || !strings.HasPrefix(after, "20 20 0 20 20 20 20") {
		t.Errorf("there are %s rows, before %s", after, before)
	}
	for i := range 20 { // a worker that runs every day
		c.now = c.now.Add(2 * day)
		c.message(1, c.now, "read", 5_000_000+int64(i)*1000)
		c.keep()
	}
	if after := c.rows(); !strings.HasPrefix(after, "40 40 0 40 40 40 40") {
		t.Errorf("there are %s rows", after)
	}
}

// A partition goes as a whole once nobody keeps any of it, with what belongs to its
// messages. Messages that opened an order stay, and so does all that is on its way.
func TestPartitionsAreDropped(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	start := c.now.Add(time.Duration((8-c.now.UTC().Weekday())%7) * day) // a Monday, when weeks begin
	var ordered, open string
	c.exec(`select setval('deliveries_id_seq', 900000)`)
	for i := range 12 { // a message a week, the first with an order
		c.now = start.Add(time.Duration(i+2) * 7 * day)
		c.keep()
		id := c.message(1, c.now, "read", 1_000_100+int64(i)*100_000)
		switch i {
		case 0:
			ordered = id
			c.exec(`begin; set local session_replication_role = replica; -- without its number
				insert into orders (message_id, phone_number_id, payment_configuration, reference_id, recipient, payment_type, currency, amount, amount_offset)
				values ('` + id + `', 1, 'x', 'x', '1', 'x', 'INR', 1, 100); commit`)
		case 3:
			open = id
			c.exec(`update messages set state = 'accepted' where id = $1`, id)
			c.exec(`update deliveries set state = 'pending' where message_id = $1`, id)
		}
	}
	c.now = start.Add(100 * day) // nothing is older than 86 days
	c.keep()
	if got := c.rows(); got != "12 12 0 12 12 12 12" {
		t.Errorf("there are %s rows after 86 days", got)
	}
	c.now = start.Add((24 + 90) * day) // one week is over, and three days of the next
	c.keep()
	for range 2 {
		if got := c.rows(); got != "12 12 0 12 11 11 11" {
			t.Errorf("there are %s rows after a week is over", got)
		}
		if _, err := retention.Sweep(t.Context(), c.pool, c.now); err != nil { // leaves those days to the partition
			t.Fatal(err)
		}
	}
	c.now = start.Add((36 + 90) * day)
	c.keep()
	if got := c.rows(); got != "10 10 0 10 9 9 9" {
		t.Errorf("there are %s rows after three weeks are over", got)
	}
	if kept := c.text(`select tableoid::regclass || ' ' || (select count(*) from message_events where message_id = $1) from messages where id = $1`, ordered); kept != "messages_before 1" {
		t.Errorf("the message with an order is in %s", kept)
	}
	c.now = start.Add((14 + 42 + 8 + 90) * day) // the fourth week is not done
	c.keep()
	if got := c.rows(); got != "10 10 0 10 5 9 9" {
		t.Errorf("there are %s rows while one is on its way", got)
	}
	for range 2 { // single rows go from what cannot be dropped
		if _, err := retention.Sweep(t.Context(), c.pool, c.now); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.rows(); got != "7 7 0 7 5 6 6" {
		t.Errorf("there are %s rows after single rows were deleted", got)
	}
	c.exec(`update messages set state = 'read' where id = $1`, open)
	c.exec(`update deliveries set state = 'delivered' where message_id = $1`, open)
	c.exec(`insert into retention (organisation_id, bodies_days, logs_days) values (2, 30, 365)`)
	c.keep() // the second organisation keeps its own for longer
	if got := c.rows(); got != "7 7 0 7 5 6 6" {
		t.Errorf("there are %s rows while an organisation keeps them for longer", got)
	}
	c.exec(`delete from retention where organisation_id = 2`)
	c.keep()
	if got := c.rows(); got != "6 6 0 6 5 5 5" {
		t.Errorf("there are %s rows at the end", got)
	}
	for _, table := range partitioned {
		c.bounds(table)
	}
	c.message(1, start.Add(14*day), "read", 1_000_101) // a late one still finds its place
}

// A partition with messages that opened very many orders is not dropped, because they would
// have to be moved.
func TestPartitionsWithManyOrdersStay(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	start := c.now
	c.now = start.Add(14 * day)
	c.keep()
	c.exec(`
		insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state, created_at)
		select (left(id_at($1)::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, 1, 'sms', 'ABC', '919812345678', 'text', '{}', 'read', $1 from generate_series(1, 10001)`, c.now)
	c.exec(`begin; set local session_replication_role = replica; -- without their number
		insert into orders (message_id, phone_number_id, payment_configuration, reference_id, recipient, payment_type, currency, amount, amount_offset)
		select id, 1, 'x', right(id::text, 12), '1', 'x', 'INR', 1, 100 from messages; commit`)
	c.now = start.Add((14 + 7 + 8 + 90) * day)
	c.keep()
	if where := c.text(`select string_agg(distinct tableoid::regclass::text, ' ') from messages`); where == "messages_before" || c.text(`select count(*)::text from messages`) != "10001" {
		t.Errorf("%s messages are left, in %s", c.text(`select count(*)::text from messages`), where)
	}
}

// Several processes that keep partitions at once do what one does.
func TestPartitionsAreKeptByOneAtATime(t *testing.T) {
	t.Parallel()
	alone, together := newCalendar(t), newCalendar(t)
	together.now = alone.now
	alone.keep()
	for range 3 {
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if err := retention.KeepPartitions(t.Context(), together.pool, together.now); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	for _, table := range partitioned {
		if got, want := together.bounds(table), alone.bounds(table); got != want {
			t.Errorf("%s has the partitions %s, want %s", table, got, want)
		}
	}
	if left := together.text(`select count(*)::text from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`); left != "0" {
		t.Errorf("%s locks are left", left)
	}
}

// Who reads a table for long delays its partitions, and nobody else.
func TestPartitionsWaitForReaders(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	reader, err := c.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Exec(t.Context(), `select count(*) from messages`); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- retention.KeepPartitions(t.Context(), c.pool, c.now) }()
	for i := range 8 {
		began := time.Now()
		c.message(1, c.now, "read", int64(i+1))
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("an insert took %s", took)
		}
		time.Sleep(100 * time.Millisecond)
	}
	select {
	case err := <-done:
		t.Fatalf("partitions were made under a reader, %v", err)
	default:
	}
	if err := reader.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Deleting single rows takes along what belongs to them, as foreign keys did.
func TestRowsAreDeletedWithWhatBelongsToThem(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	for i := range 4 {
		c.message(1+i/3, c.now, "read", int64(i+1))
	}
	c.exec(`delete from messages where organisation_id = 2`)
	if got := c.rows(); got != "3 3 0 3 4 4 4" {
		t.Errorf("there are %s rows without a message", got)
	}
	c.exec(`delete from deliveries where id = 1`)
	if got := c.rows(); got != "3 3 0 3 4 3 3" {
		t.Errorf("there are %s rows without a callback", got)
	}
	c.exec(`delete from organisations where id = 1`)
	if got := c.rows(); got != "3 3 0 3 4 0 0" {
		t.Errorf("there are %s rows without a webhook", got)
	}
}

// planned runs statements with plans that know no parameters, and keeps the plans.
type planned struct {
	db.Querier
	t     *testing.T
	plans []string
}

func (p *planned) explain(sql string, args []any) {
	p.t.Helper()
	if _, err := p.Querier.Exec(p.t.Context(), `prepare planned as `+sql); err != nil {
		p.t.Fatal(err)
	}
	given, args := make([]string, len(args)), slices.Clone(args)
	for i, arg := range args {
		given[i] = fmt.Sprintf("$%d", i+1)
		if ids, ok := arg.([]uuid.UUID); ok {
			args[i] = "{" + strings.Join(uuid.UUIDs(ids).Strings(), ",") + "}"
		}
	}
	rows, err := p.Querier.Query(p.t.Context(), `explain (analyze, costs off, timing off, summary off) execute planned(`+strings.Join(given, ", ")+`)`,
		append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	if err != nil {
		p.t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		p.t.Fatalf("%s: %v", sql, err)
	}
	p.plans = append(p.plans, strings.Join(plan, "\n"))
	if _, err := p.Querier.Exec(p.t.Context(), `deallocate planned`); err != nil {
		p.t.Fatal(err)
	}
}

func (p *planned) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	p.explain(sql, args)
	return p.Querier.Exec(ctx, sql, args...)
}

func (p *planned) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	p.explain(sql, args)
	return p.Querier.Query(ctx, sql, args...)
}

// partitionScans matches the scans of partitions in a plan.
var partitionScans = regexp.MustCompile(`(\w+ Scan).* on (?:messages|message_events|leg_events|carriages|deliveries|delivery_attempts)(_before|_from_\d+) .*`)

// Most of what is done with messages names them by their ids, and looks into no
// partition but theirs, whatever plan was kept.
func TestStatementsLookIntoOnePartition(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.keep()
	c.exec(`
		insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state, created_at)
		select (left(id_at(at)::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, 1, 'sms', '1', '919812345678', 'text', '{}', 'read', at
		from generate_series(now(), now() + interval '30 days', interval '5 minutes') at`)
	c.exec(`insert into carriages (message_id, leg, part, channel, carrier, state) select id, 1, part, 'sms', 'virtual', 'sent' from messages, generate_series(1, 4) part`)
	c.exec(`insert into deliveries (id, webhook_id, organisation_id, message_id, event, body, state)
		select 980000 + 10 * row_number() over (order by id), 1, 1, id, 'x', '', 'delivered' from messages`)
	for _, part := range strings.Fields(c.text(`select string_agg(name, ' ') from (values ('messages'), ('carriages'), ('deliveries')) t (n), partition_list(n)`)) {
		c.exec(`analyze ` + part)
	}
	conn, err := c.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `set plan_cache_mode = force_generic_plan`); err != nil {
		t.Fatal(err)
	}
	id, at := c.midweekMessage()
	part := strings.TrimPrefix(c.text(`select tableoid::regclass::text from messages where id = $1`, id), "messages")
	callbacks := "_from_1000001"
	for name, s := range map[string]struct {
		part string
		run  func(q db.Querier) error
	}{
		"a message": {part, func(q db.Querier) error { _, err := channelsqueries.MessageGet(t.Context(), q, id); return err }},
		"messages to lock": {part, func(q db.Querier) error {
			_, err := channelswrites.MessageLockMany(t.Context(), q, []uuid.UUID{id})
			return err
		}},
		"messages to hand over": {part, func(q db.Querier) error {
			_, err := channelsqueries.MessageListCarried(t.Context(), q, []uuid.UUID{id})
			return err
		}},
		"messages that fail": {part, func(q db.Querier) error { return channelswrites.MessageFallOver(t.Context(), q, []uuid.UUID{id}) }},
		"messages that move": {part, func(q db.Querier) error {
			_, err := channelswrites.MessageUpdateStates(t.Context(), q, []channelswrites.MessageMove{{ID: id, Leg: 1, To: "read", At: time.Now()}},
				[]channelswrites.MessageRule{{Channel: "sms", To: "read", From: []string{"sent", "read"}}})
			return err
		}},
		"parts of messages": {part, func(q db.Querier) error {
			_, err := channelsqueries.CarriageList(t.Context(), q, []uuid.UUID{id})
			return err
		}},
		"parts that move": {part, func(q db.Querier) error {
			_, err := channelswrites.CarriageUpdateStates(t.Context(), q, []channelswrites.MessageMove{{ID: id, Leg: 1, Part: 1, To: "read"}},
				[]channelswrites.MessageRule{{Channel: "sms", To: "read", From: []string{"sent", "read"}}})
			return err
		}},
		"callbacks that were tried": {callbacks, func(q db.Querier) error {
			return channelswrites.DeliveryUpdateAttempted(t.Context(), q, []channelswrites.DeliveryAttempt{{Attempt: models.Attempt{DeliveryID: 1_000_010, Number: 1}, State: "delivered"}})
		}},
		"contents that are old": {part, func(q db.Querier) error {
			return writes.ContentDelete(t.Context(), messagesOnly{q}, 1, at, at.Add(time.Minute))
		}},
	} {
		p := &planned{Querier: conn, t: t}
		if err := s.run(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		found := 0
		for _, scan := range partitionScans.FindAllStringSubmatch(strings.Join(p.plans, "\n"), -1) {
			if strings.Contains(scan[0], "never executed") {
				continue
			}
			found++
			if scan[2] != s.part || scan[1] == "Seq Scan" {
				t.Errorf("%s: %s", name, scan[0])
			}
		}
		if found == 0 {
			t.Errorf("%s looks into no partition:\n%s", name, p.plans)
		}
	}
}

// midweekMessage returns a message that is far from both ends of its partition,
// and when it was accepted at the earliest.
func (c *calendar) midweekMessage() (uuid.UUID, time.Time) {
	c.t.Helper()
	at := time.Now().Add(20 * day)
	for at.Weekday() != time.Thursday {
		at = at.Add(day)
	}
	id, err := uuid.Parse(c.text(`select id::text from messages where id > id_at($1) order by id limit 1`, at))
	if err != nil {
		c.t.Fatal(err)
	}
	return id, at
}

// messagesOnly leaves statements about callbacks out, which are found by their time.
type messagesOnly struct{ db.Querier }

func (m messagesOnly) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if !strings.HasPrefix(sql, "update messages") {
		return pgconn.CommandTag{}, nil
	}
	return m.Querier.Exec(ctx, sql, args...)
}
