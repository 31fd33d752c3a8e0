package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// PartitionList returns the partitions of a table in the order of their ids.
func PartitionList(ctx context.Context, q db.Querier, table string) ([]models.Partition, error) {
	return collect.Many[models.Partition](ctx, q, `select name, coalesce(low, '') as low, coalesce(high, '') as high from partition_list($1)`, table)
}

// PartitionLatest returns the greatest id in the last partition of a table, empty if
// there is none.
func PartitionLatest(ctx context.Context, q db.Querier, table string) (id string, err error) {
	return collect.Value[string](ctx, q, `select coalesce(partition_latest($1), '')`, table)
}

// PartitionExtend ends the last partition of a table at an id and makes the next one.
// It commits several times, so that it cannot run in a transaction.
func PartitionExtend(ctx context.Context, q db.Querier, table, bound string) error {
	return collect.Execute(ctx, q, `call partition_extend($1, $2)`, table, bound)
}

// PartitionDrop drops the second partition of a table. Its ids belong to the first one
// from then on. Rows of messages that opened an order move there if orders is set. It
// commits several times, so that it cannot run in a transaction.
func PartitionDrop(ctx context.Context, q db.Querier, table, partition string, orders bool) error {
	return collect.Execute(ctx, q, `call partition_drop($1, $2, $3)`, table, partition, orders)
}

// RetentionGetLongest returns for how many days logs are kept by those who keep them
// the longest.
func RetentionGetLongest(ctx context.Context, q db.Querier) (days int, err error) {
	return collect.Value[int](ctx, q, `select max(logs_days) from retention where organisation_id in (select 0 union all select id from organisations)`)
}

// MessageRangeIsOpen reports whether ids from low on and below high have messages from
// a time on, or some that are on their way.
func MessageRangeIsOpen(ctx context.Context, q db.Querier, low, high string, from time.Time) (open bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from messages where id >= $1::text::uuid and id < $2::text::uuid and (created_at >= $3 or state = 'accepted'))`,
		low, high, from)
}

// OrderCountRange counts the messages with ids from low on and below high that opened
// an order, up to limit.
func OrderCountRange(ctx context.Context, q db.Querier, low, high string, limit int) (n int, err error) {
	return collect.Value[int](ctx, q, `
		select count(*) from (select from orders where message_id >= $1::text::uuid and message_id < $2::text::uuid limit $3) o`, low, high, limit)
}

// InboundMessageRangeIsOpen reports whether ids from low on and below high have
// messages that were received from a time on.
func InboundMessageRangeIsOpen(ctx context.Context, q db.Querier, low, high string, from time.Time) (open bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from inbound_messages where id >= $1::text::uuid and id < $2::text::uuid and received_at >= $3)`, low, high, from)
}

// DeliveryRangeIsOpen reports whether numbers from low on and below high have callbacks
// from a time on, or some that are on their way.
func DeliveryRangeIsOpen(ctx context.Context, q db.Querier, low, high string, from time.Time) (open bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from deliveries where id >= $1::text::bigint and id < $2::text::bigint and (created_at >= $3 or state = 'pending'))`,
		low, high, from)
}

// DeliveryGetNumber returns the number of the newest callback.
func DeliveryGetNumber(ctx context.Context, q db.Querier) (last int64, err error) {
	return collect.Value[int64](ctx, q, `select last_value from deliveries_id_seq`)
}

// DeliveryGetFirst returns the first callback from a number on and when it was stored,
// or pgx.ErrNoRows.
func DeliveryGetFirst(ctx context.Context, q db.Querier, from int64) (id int64, at time.Time, err error) {
	err = q.QueryRow(ctx, `select id, created_at from deliveries where id >= $1 order by id limit 1`, from).Scan(&id, &at)
	return id, at, err
}
