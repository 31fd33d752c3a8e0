package writes

import (
	"context"
	"time"

	"heliograph/db"
)

// PartitionLock reports whether the connection q may make and drop partitions, which one
// at a time does, until PartitionUnlock or the end of the connection.
func PartitionLock(ctx context.Context, q db.Querier) (locked bool, err error) {
	err = q.QueryRow(ctx, `select pg_try_advisory_lock(7431902658)`).Scan(&locked)
	return locked, err
}

// PartitionUnlock ends what PartitionLock began.
func PartitionUnlock(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `select pg_advisory_unlock(7431902658)`)
	return err
}

// DeliveryMarkSet notes the number of the newest callback now, and forgets what was noted
// before a time.
func DeliveryMarkSet(ctx context.Context, q db.Querier, before time.Time) error {
	_, err := q.Exec(ctx, `
		with gone as (delete from delivery_marks where at < $1)
		insert into delivery_marks select clock_timestamp(), last_value from deliveries_id_seq`, before)
	return err
}
