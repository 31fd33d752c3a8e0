package insight

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// How long counts are kept. Two years can be read whole, and compared with the two years
// before by month.
const (
	keepHours   = 100 * 24 * time.Hour
	keepDays    = (2*365 + 31) * 24 * time.Hour
	keepMonths  = (4*365 + 62) * 24 * time.Hour
	keepBatches = 24 * time.Hour // a process tries for much less time to write one again
)

const (
	// collectAgain is for how many days back other tables are counted again: messages
	// change their state after they were counted.
	collectAgain = 2
	// foldAgain is for how many days back hosts are added up.
	foldAgain = 7
	// addAfter is for how many days after its end a month waits for what is still
	// counted. It is longer than the two above.
	addAfter = 10
	// mostSources is how many hosts of a day are kept.
	mostSources = 200
)

// Collect counts what other tables know: answers and enquiries, failed messages, and the
// first steps of organisations.
func Collect(ctx context.Context, tx pgx.Tx, now time.Time, zone *time.Location) error {
	from := dateOf(now, zone).AddDate(0, 0, -collectAgain)
	if err := writes.InsightThumbReplace(ctx, tx, from, zone.String()); err != nil {
		return fmt.Errorf("counting answers of readers: %w", err)
	}
	if err := writes.InsightEnquiryReplace(ctx, tx, from, zone.String()); err != nil {
		return fmt.Errorf("counting enquiries: %w", err)
	}
	if err := writes.InsightFailureReplace(ctx, tx, from, zone); err != nil {
		return fmt.Errorf("counting failed messages: %w", err)
	}
	if err := writes.InsightStepUpdate(ctx, tx); err != nil {
		return fmt.Errorf("recording first steps: %w", err)
	}
	today := dateOf(now, zone)
	if err := writes.InsightSourceFold(ctx, tx, today.AddDate(0, 0, -foldAgain), today, mostSources); err != nil {
		return fmt.Errorf("adding up hosts: %w", err)
	}
	return addMonths(ctx, tx, today.AddDate(0, 0, -addAfter))
}

// addMonths adds up the months that ended before a day. Mostly there is none.
func addMonths(ctx context.Context, tx pgx.Tx, day time.Time) error {
	from, err := queries.InsightMonthsUntil(ctx, tx)
	if err != nil {
		return fmt.Errorf("reading which months are added up: %w", err)
	}
	until := day.AddDate(0, 0, 1-day.Day())
	if !from.Before(until) {
		return nil
	}
	if err := writes.InsightMonthInsert(ctx, tx, from, until); err != nil {
		return fmt.Errorf("adding up months: %w", err)
	}
	return nil
}

// Sweep deletes counts that are too old.
func Sweep(ctx context.Context, q db.Querier, now time.Time) error {
	if err := writes.InsightDelete(ctx, q, now.Add(-keepHours), now.Add(-keepDays), now.Add(-keepMonths), now.Add(-keepBatches)); err != nil {
		return fmt.Errorf("deleting old counts of readers: %w", err)
	}
	return nil
}
