// Package retention says how long the contents and the logs of messages are kept,
// deletes what is older, and erases single recipients.
//
// Messages and callbacks are partitioned. A partition is dropped as a whole once nobody
// keeps any of it. Organisations that keep entries for the longest time wait for that,
// a week at most, or four weeks where the time is over 180 days. The entries of others
// are deleted one by one.
//
// Contents are the payloads of messages, callbacks and received messages, and the
// responses of webhooks. Logs are the entries without them. Usage by day is kept
// for good, and so are messages that opened an order. An organisation that was
// promised other times has its own. What is still on its way is never deleted.
package retention

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
	peoplequeries "heliograph/db/queries/people"
)

// Everyone stands for all organisations without times of their own.
const Everyone = 0

// Times says for how many days contents and logs are kept.
type Times struct{ Bodies, Logs int }

// Grace returns for how much longer entries may stay until their partition is dropped.
// It keeps the number of partitions small.
func (t Times) Grace() time.Duration {
	if t.Logs > 180 {
		return 4 * week
	}
	return week
}

const (
	leastLogs = 3 // days, within which usage is counted again
	mostDays  = 3650
	day       = 24 * time.Hour
	week      = 7 * day
)

// Load returns the times of an organisation, or of Everyone.
func Load(ctx context.Context, q db.Querier, organisationID int64) (t Times, err error) {
	t.Bodies, t.Logs, err = queries.RetentionGet(ctx, q, organisationID)
	if err != nil {
		return t, fmt.Errorf("reading the retention of organisation %d: %w", organisationID, err)
	}
	return t, nil
}

// Save sets the times of an organisation, or of Everyone. Times out of range are
// Invalid, and an unknown organisation is NotFound.
func (t Times) Save(ctx context.Context, b db.Beginner, organisationID int64, actor string) error {
	var wrong fault.Fields
	wrong.AddIf(t.Logs < leastLogs || t.Logs > mostDays, "logs", fmt.Sprintf("Logs can be kept for %d to %d days.", leastLogs, mostDays))
	wrong.AddIf(t.Bodies < 1 || t.Bodies > t.Logs, "bodies", "Contents can be kept for 1 day or more, and no longer than logs.")
	if err := wrong.Err(); err != nil {
		return err
	}
	target := "platform"
	if organisationID != Everyone {
		target = fmt.Sprintf("organisation:%d", organisationID)
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		if organisationID != Everyone {
			if _, err := peoplequeries.OrganisationIsSandbox(ctx, tx, organisationID); db.IsNoRows(err) {
				return fault.New(fault.NotFound, "There is no organisation %d.", organisationID)
			} else if err != nil {
				return fmt.Errorf("looking organisation %d up: %w", organisationID, err)
			}
		}
		before, err := Load(ctx, tx, organisationID)
		if err != nil {
			return err
		}
		if err := writes.RetentionUpsert(ctx, tx, organisationID, t.Bodies, t.Logs); err != nil {
			return fmt.Errorf("saving the retention of organisation %d: %w", organisationID, err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "retention.change", Target: target, Details: map[string]any{
			"bodies_days": t.Bodies, "logs_days": t.Logs, "bodies_days_before": before.Bodies, "logs_days_before": before.Logs,
		}})
	})
}
