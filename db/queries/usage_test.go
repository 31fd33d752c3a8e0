package queries_test

import (
	"testing"
	"time"

	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// What was counted once is counted again while states can change, and what came
// since is counted by the page.
func TestUsageIsCounted(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	ctx := t.Context()
	insert := func(age time.Duration, state string) {
		t.Helper()
		at := time.Now().Add(-age)
		_, err := tx.Exec(ctx, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, created_at)
			values ((lpad(to_hex($1::bigint), 12, '0') || '7000' || substr(md5(random()::text), 1, 16))::uuid, $2, 'sms', 1, '91', 'text', '{}', $3, $4)`,
			at.UnixMilli(), 7, state, at)
		if err != nil {
			t.Fatal(err)
		}
	}
	insert(10*24*time.Hour, "read")
	insert(2*time.Hour, "sent")
	count := func(until time.Time) {
		t.Helper()
		if err := writes.UsageCount(ctx, tx, until, 2); err != nil {
			t.Fatal(err)
		}
	}
	sums := func() (sum models.Usage) {
		t.Helper()
		usage, _, err := queries.UsageList(ctx, tx, 7, time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -29))
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range usage {
			sum.Messages, sum.Delivered, sum.Failed = sum.Messages+u.Messages, sum.Delivered+u.Delivered, sum.Failed+u.Failed
		}
		return sum
	}
	if got := sums(); got.Messages != 2 || got.Delivered != 1 {
		t.Errorf("never counted: %+v", got)
	}
	count(time.Now().Add(-time.Minute))
	if got := sums(); got.Messages != 2 || got.Delivered != 1 {
		t.Errorf("counted: %+v", got)
	}
	insert(time.Second, "failed")
	if _, err := tx.Exec(ctx, `update messages set state = 'delivered' where state = 'sent'`); err != nil {
		t.Fatal(err)
	}
	if got := sums(); got.Messages != 3 || got.Delivered != 1 || got.Failed != 1 {
		t.Errorf("before the next count: %+v", got)
	}
	count(time.Now().Add(-time.Minute))
	if got := sums(); got.Messages != 3 || got.Delivered != 2 || got.Failed != 1 {
		t.Errorf("after it: %+v", got)
	}
}
