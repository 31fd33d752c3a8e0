package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db/queries/channels/writes"
)

const (
	// What is younger may not be committed yet; pages count it themselves.
	usageDelay = time.Minute
	// For how many days back states are counted again: the last attempts to
	// deliver are over by then.
	usageAgain = 2
)

// CountUsage counts what every organisation has sent, by day and channel.
func CountUsage(ctx context.Context, tx pgx.Tx, now time.Time) error {
	if err := writes.UsageCount(ctx, tx, now.Add(-usageDelay), usageAgain); err != nil {
		return fmt.Errorf("counting usage: %w", err)
	}
	return nil
}
