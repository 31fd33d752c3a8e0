package errands

import (
	"context"

	"heliograph/db"
)

// SettleLock lets one transaction at a time settle, until it ends.
func SettleLock(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `select pg_advisory_xact_lock(7431902656)`)
	return err
}
