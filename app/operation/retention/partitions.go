package retention

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

const (
	// ahead is for how long partitions are made ahead.
	ahead = 4 * week
	// leastNumbers is the least size of a partition of callbacks.
	leastNumbers = 100_000
	// mostKept is how many messages may move when their partition is dropped. One with
	// more stays, and its other messages are deleted.
	mostKept = 10_000
	// A lock is waited for so often, half a second each, with a pause between.
	lockAttempts = 10
	lockPause    = 2 * time.Second
	// unlocking is how long letting others make partitions may take.
	unlocking = 5 * time.Second
)

// table is a partitioned table that others follow: their partitions end at ids of its
// partitions, and are dropped after them.
type table struct {
	name      string
	followers []string
	orders    bool // its messages that opened an order outlive their partition
	bounds    bounds
	// isOpen reports whether ids from low on and below high have entries from a time
	// on, or some that are on their way.
	isOpen func(ctx context.Context, q db.Querier, low, high string, from time.Time) (bool, error)
	// deleteOld deletes up to limit entries of an organisation from before a time.
	deleteOld func(ctx context.Context, q db.Querier, organisationID int64, before time.Time, limit int) (int64, error)
}

// bounds tells the times and the ids of a table apart.
type bounds interface {
	// next returns the id at which the last partition is to end, or empty if
	// enough are there. latest is the greatest id in the last partition, empty if it
	// has none.
	next(ctx context.Context, q db.Querier, parts []models.Partition, latest string, p plan) (string, error)
	// starts returns when the first entry with an id from bound on may have been
	// stored, or the zero time if there is none.
	starts(ctx context.Context, q db.Querier, bound string) (time.Time, error)
	// less reports whether id a comes before id b.
	less(a, b string) bool
}

var tables = []table{
	{"messages", []string{"message_events", "leg_events", "carriages"}, true, byTime{}, queries.MessageRangeIsOpen, writes.MessageDeleteOld},
	{"inbound_messages", nil, false, byTime{}, queries.InboundMessageRangeIsOpen, writes.InboundMessageDeleteOld},
	{"deliveries", []string{"delivery_attempts"}, false, byNumber{}, queries.DeliveryRangeIsOpen, writes.DeliveryDeleteOld},
}

// plan says what partitions are for.
type plan struct {
	now    time.Time
	before time.Time     // entries from before are kept by nobody
	span   time.Duration // of a partition
}

// newPlan returns the plan for the times that organisations were promised.
func newPlan(ctx context.Context, q db.Querier, now time.Time) (plan, error) {
	days, err := queries.RetentionGetLongest(ctx, q)
	if err != nil {
		return plan{}, fmt.Errorf("reading the longest retention: %w", err)
	}
	return plan{now: now, before: now.Add(-time.Duration(days) * day), span: Times{Logs: days}.Grace()}, nil
}

// keepPartitionsOnce makes partitions ahead and drops partitions with entries that nobody keeps any
// more. It also marks how far the numbers of callbacks have come, so that callbacks of a time
// are looked for in few partitions. It can be stopped at any time. While another process
// does it, it does nothing.
func keepPartitionsOnce(ctx context.Context, pool *pgxpool.Pool, now time.Time) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connecting to make partitions: %w", err)
	}
	defer conn.Release()
	locked, err := writes.PartitionLock(ctx, conn)
	if err != nil || !locked {
		return err
	}
	defer func() {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlocking)
		defer cancel()
		if writes.PartitionUnlock(clean, conn) != nil {
			_ = conn.Conn().Close(clean) // the lock ends with the connection
		}
	}()
	return keepPartitions(ctx, conn, now)
}

func keepPartitions(ctx context.Context, q db.Querier, now time.Time) error {
	p, err := newPlan(ctx, q, now)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := t.extend(ctx, q, p); err != nil {
			return fmt.Errorf("making partitions of %s: %w", t.name, err)
		}
		for _, name := range t.followers {
			if err := t.follow(ctx, q, name); err != nil {
				return fmt.Errorf("making partitions of %s: %w", name, err)
			}
		}
	}
	if err := writes.DeliveryMarkSet(ctx, q, p.before); err != nil {
		return fmt.Errorf("marking the newest callback: %w", err)
	}
	for _, t := range tables {
		if err := t.drop(ctx, q, p); err != nil {
			return fmt.Errorf("dropping partitions of %s: %w", t.name, err)
		}
		for _, name := range t.followers {
			if err := t.dropFollower(ctx, q, name); err != nil {
				return fmt.Errorf("dropping partitions of %s: %w", name, err)
			}
		}
	}
	return nil
}

// patiently does what needs a strong lock for a moment, again while others hold theirs.
func patiently(ctx context.Context, do func() error) (err error) {
	for range lockAttempts {
		if err = do(); !db.IsLockTimeout(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPause):
		}
	}
	return err
}

// extend makes partitions of the table until enough are there.
func (t table) extend(ctx context.Context, q db.Querier, p plan) error {
	for {
		parts, err := queries.PartitionList(ctx, q, t.name)
		if err != nil {
			return err
		}
		latest, err := queries.PartitionLatest(ctx, q, t.name)
		if err != nil {
			return err
		}
		bound, err := t.bounds.next(ctx, q, parts, latest, p)
		if err != nil || bound == "" {
			return err
		}
		if err := patiently(ctx, func() error { return queries.PartitionExtend(ctx, q, t.name, bound) }); err != nil {
			return err
		}
		slog.InfoContext(ctx, "a partition was made", "table", t.name, "from", bound)
	}
}

// follow ends the partitions of a follower where the table's own end. A follower that has its last
// partition written to already ends where the last one of the table begins, which is
// weeks away.
func (t table) follow(ctx context.Context, q db.Querier, name string) error {
	leads, err := queries.PartitionList(ctx, q, t.name)
	if err != nil {
		return err
	}
	own, err := queries.PartitionList(ctx, q, name)
	if err != nil {
		return err
	}
	latest, err := queries.PartitionLatest(ctx, q, name)
	if err != nil {
		return err
	}
	end, last := own[len(own)-1].Low, leads[len(leads)-1].Low
	for _, lead := range leads[:len(leads)-1] {
		if !t.bounds.less(end, lead.High) || latest != "" && lead.High != last {
			continue
		}
		if err := patiently(ctx, func() error { return queries.PartitionExtend(ctx, q, name, lead.High) }); err != nil {
			return err
		}
	}
	return nil
}

// drop drops the oldest partitions, as long as all of their entries are over.
func (t table) drop(ctx context.Context, q db.Querier, p plan) error {
	parts, err := queries.PartitionList(ctx, q, t.name)
	if err != nil {
		return err
	}
	for _, part := range parts[1 : len(parts)-1] {
		if over, err := t.isOver(ctx, q, part, p); err != nil || !over {
			return err
		}
		if err := patiently(ctx, func() error { return queries.PartitionDrop(ctx, q, t.name, part.Name, t.orders) }); err != nil {
			return err
		}
		slog.InfoContext(ctx, "a partition was dropped", "table", t.name, "partition", part.Name)
	}
	return nil
}

// isOver reports whether a partition can be dropped.
func (t table) isOver(ctx context.Context, q db.Querier, part models.Partition, p plan) (bool, error) {
	end, err := t.bounds.starts(ctx, q, part.High)
	if err != nil || end.IsZero() || end.After(p.before) {
		return false, err
	}
	if t.orders {
		if n, err := queries.OrderCountRange(ctx, q, part.Low, part.High, mostKept+1); err != nil || n > mostKept {
			return false, err
		}
	}
	open, err := t.isOpen(ctx, q, part.Low, part.High, p.before)
	return !open, err
}

// dropFollower drops the partitions of a follower with ids in the first partition
// of the table.
func (t table) dropFollower(ctx context.Context, q db.Querier, name string) error {
	leads, err := queries.PartitionList(ctx, q, t.name)
	if err != nil {
		return err
	}
	parts, err := queries.PartitionList(ctx, q, name)
	if err != nil {
		return err
	}
	for _, part := range parts[1 : len(parts)-1] {
		if t.bounds.less(leads[0].High, part.High) {
			return nil
		}
		if err := patiently(ctx, func() error { return queries.PartitionDrop(ctx, q, name, part.Name, t.orders) }); err != nil {
			return err
		}
	}
	return nil
}

// rowsBefore returns the time before which entries are deleted one by one, of
// organisations that keep them the longest. Younger ones go with their partition, unless
// it is too long to wait for.
func (t table) rowsBefore(ctx context.Context, q db.Querier, p plan) (time.Time, error) {
	parts, err := queries.PartitionList(ctx, q, t.name)
	if err != nil {
		return p.before, fmt.Errorf("listing the partitions of %s: %w", t.name, err)
	}
	var start time.Time
	for i, part := range parts[:len(parts)-1] {
		end, err := t.bounds.starts(ctx, q, part.High)
		if err != nil {
			return p.before, err
		}
		if end.IsZero() || end.After(p.before) {
			if i == 0 || end.IsZero() || end.Sub(start) > p.span {
				return p.before, nil
			}
			return start, nil
		}
		start = end
	}
	return p.before, nil
}

// byTime has the bounds of tables with ids that begin with their time.
type byTime struct{}

func (byTime) next(_ context.Context, _ db.Querier, parts []models.Partition, latest string, p plan) (string, error) {
	end, err := idTime(parts[len(parts)-1].Low)
	if err != nil || !end.Before(p.now.Add(ahead)) {
		return "", err
	}
	next := end.Add(p.span)
	if latest != "" { // one long partition for the time in which none was made
		from, err := idTime(latest)
		if err != nil {
			return "", err
		}
		if from.After(p.now.Add(52 * week)) {
			return "", fmt.Errorf("the last partition has the id %s, which is of %s", latest, from.Format(time.DateOnly))
		}
		if from.Before(p.now) {
			from = p.now
		}
		for next.Before(from.Add(2 * day)) {
			next = next.Add(week)
		}
	}
	return models.FirstMessageID(next).String(), nil
}

func (byTime) starts(_ context.Context, _ db.Querier, bound string) (time.Time, error) {
	return idTime(bound)
}

func (byTime) less(a, b string) bool { return a < b }

// idTime returns the time that an id begins with.
func idTime(id string) (time.Time, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return time.Time{}, fmt.Errorf("reading the id %q: %w", id, err)
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(parsed[:8]) >> 16)).UTC(), nil
}

// byNumber has the bounds of the callbacks, which are numbered. Their partitions are
// for three quarters of a span of time at the present rate, so that a span is enough when
// there are somewhat fewer.
type byNumber struct{}

func (b byNumber) next(ctx context.Context, q db.Querier, parts []models.Partition, latest string, p plan) (string, error) {
	last, err := queries.DeliveryGetNumber(ctx, q)
	if err != nil {
		return "", err
	}
	end := number(parts[len(parts)-1].Low)
	size, err := b.size(ctx, q, parts, last, p)
	if err != nil || end >= last+size*int64(ahead/week) {
		return "", err
	}
	next := end + size
	if latest != "" {
		next = max(next, last+size)
	}
	return strconv.FormatInt(next, 10), nil
}

// size returns how many callbacks a partition is for.
func (b byNumber) size(ctx context.Context, q db.Querier, parts []models.Partition, last int64, p plan) (int64, error) {
	size := int64(leastNumbers)
	for _, part := range parts { // the last one that has been written to for days counts
		from, start, err := queries.DeliveryGetFirst(ctx, q, number(part.Low))
		if db.IsNoRows(err) {
			break
		}
		if err != nil {
			return 0, err
		}
		if took := p.now.Sub(start); took > 2*day {
			size = max(leastNumbers, int64(float64(last-from)*0.75*p.span.Hours()/took.Hours()))
		}
	}
	return size, nil
}

func (byNumber) starts(ctx context.Context, q db.Querier, bound string) (time.Time, error) {
	_, at, err := queries.DeliveryGetFirst(ctx, q, number(bound))
	if db.IsNoRows(err) {
		return time.Time{}, nil
	}
	return at, err
}

func (byNumber) less(a, b string) bool { return number(a) < number(b) }

// number returns the number of a bound, 0 for none.
func number(bound string) int64 {
	n, _ := strconv.ParseInt(bound, 10, 64) // the database has written it
	return n
}
