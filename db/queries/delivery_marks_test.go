package queries_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
	channelsqueries "heliograph/db/queries/channels"
	operationqueries "heliograph/db/queries/operation"
	operationwrites "heliograph/db/queries/operation/writes"
)

// Callbacks of a message or of a time are looked for in the partitions that can have
// them, and found.
func TestCallbacksAreLookedForInTheirPartitions(t *testing.T) {
	t.Parallel()
	pool, messages, at := storeWeeks(t)
	for _, tt := range []struct {
		name string
		want string // numbers of the weeks with partitions that are looked into
		find func(q db.Querier) error
	}{
		{"a callback", "4 5 6", func(q db.Querier) error {
			found, err := channelsqueries.DeliveryListRelayed(t.Context(), q, []int64{4*numbers + 11})
			if err == nil && !found[0].Earlier {
				err = fmt.Errorf("the callback before it was not found")
			}
			return err
		}},
		{"callbacks of a message", "4 5 6", func(q db.Querier) error {
			found, err := channelsqueries.DeliveryListOfMessage(t.Context(), q, 1, messages[4])
			if err == nil && len(found) != 2 {
				err = fmt.Errorf("%d callbacks were found", len(found))
			}
			return err
		}},
		{"old contents", "1 2", func(q db.Querier) error {
			if err := operationwrites.ContentDelete(t.Context(), q, 1, at(1).Add(36*time.Hour), at(1).Add(72*time.Hour)); err != nil {
				return err
			}
			var left int
			err := q.QueryRow(t.Context(), `select count(*) from deliveries where id >= $1 and id < 2 * $1 and body <> ''`, numbers).Scan(&left)
			if err == nil && left != 1 {
				err = fmt.Errorf("%d callbacks of the week have their content", left)
			}
			return err
		}},
		{"the oldest contents", "3 4", func(q db.Querier) error {
			next, err := operationqueries.RetentionMarkNext(t.Context(), q, 1, at(3).Add(36*time.Hour), at(3).Add(72*time.Hour))
			if err == nil && !next.Equal(at(3).Add(48*time.Hour)) {
				err = fmt.Errorf("they are of %s", next)
			}
			return err
		}},
		{"old callbacks", "0 1 2", func(q db.Querier) error {
			n, err := operationwrites.DeliveryDeleteOld(t.Context(), q, 1, at(1).Add(72*time.Hour), 100)
			if err == nil && n != 2 {
				err = fmt.Errorf("%d were deleted", n)
			}
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tx, err := pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback(t.Context()) //nolint:errcheck // nothing is kept
			before := scans(t, tx)
			if err := tt.find(tx); err != nil {
				t.Error(err)
			}
			after := scans(t, tx)
			var found []string
			for week := range 7 {
				if after[week] > before[week] {
					found = append(found, fmt.Sprint(week))
				}
			}
			if got := strings.Join(found, " "); got != tt.want {
				t.Errorf("looked into the weeks %s, want %s", got, tt.want)
			}
		})
	}
}

// numbers is how many numbers a partition has.
const numbers = 10_000_000

// storeWeeks stores a partition, a mark and a message with two callbacks for each of six
// weeks. at is when a week begins.
func storeWeeks(t *testing.T) (pool *pgxpool.Pool, messages []uuid.UUID, at func(week int) time.Time) {
	t.Helper()
	pool = dbtest.Pool(t)
	exec := execOn(t, pool)
	exec(`insert into organisations (id, name, status) overriding system value values (1, 'First', 'active')`)
	exec(`insert into webhooks (id, organisation_id, channel, subject, url, headers) overriding system value values (1, 1, 'sms', '1', 'https://example.com', 'x')`)
	exec(`delete from delivery_marks`)
	const week = 7 * 24 * time.Hour
	start := time.Now().Add(-6 * week).Truncate(time.Millisecond)
	at = func(n int) time.Time { return start.Add(time.Duration(n) * week) }
	for n := range 6 {
		if err := operationqueries.PartitionExtend(t.Context(), pool, "deliveries", fmt.Sprint((n+1)*numbers)); err != nil {
			t.Fatal(err)
		}
		exec(`insert into delivery_marks values ($1, $2)`, at(n), n*numbers+5)
		var id uuid.UUID
		made := at(n).Add(48 * time.Hour)
		err := pool.QueryRow(t.Context(), `select overlay((left(id_at($1)::text, 13) || substr(gen_random_uuid()::text, 14)) placing '7' from 15)::uuid`, made).Scan(&id)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, id)
		for i := range 2 {
			exec(`insert into deliveries (id, webhook_id, organisation_id, message_id, event, body, state, created_at) values ($1, 1, 1, $2, 'x', 'x', case when $3 then 'delivered' else 'pending' end, $4)`,
				n*numbers+10+i, id, i == 1 && n < 3, made)
		}
	}
	exec(`vacuum analyze deliveries`)
	return pool, messages, at
}

// scans returns how often the partitions of each week were scanned in a transaction.
func scans(t *testing.T, tx pgx.Tx) []int64 {
	t.Helper()
	rows, err := tx.Query(t.Context(), `
		select sum(coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0))::bigint
		from partition_list('deliveries') p left join pg_stat_xact_user_tables s on s.relname = p.name
		group by coalesce(p.low::bigint, 0) / $1 order by coalesce(p.low::bigint, 0) / $1`, numbers)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	return counts
}
