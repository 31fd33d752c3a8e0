package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// PartitionLock reports whether the connection q may make and drop partitions, which one
// at a time does, until PartitionUnlock or the end of the connection.
func PartitionLock(ctx context.Context, q db.Querier) (locked bool, err error) {
	return collect.Value[bool](ctx, q, `select pg_try_advisory_lock(7431902658)`)
}

// PartitionUnlock ends what PartitionLock began.
func PartitionUnlock(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `select pg_advisory_unlock(7431902658)`)
}

// DeliveryMarkSet notes the number of the newest callback now, and forgets what was noted
// before a time.
func DeliveryMarkSet(ctx context.Context, q db.Querier, before time.Time) error {
	return collect.Execute(ctx, q, `
		with gone as (delete from delivery_marks where at < $1)
		insert into delivery_marks select clock_timestamp(), last_value from deliveries_id_seq`, before)
}
