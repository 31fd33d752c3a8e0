package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

const (
	// batch is how many rows one transaction deletes.
	batch = 2000
	// slice is the span of time that one transaction empties.
	slice = 10 * time.Minute
)

// Purge keeps the partitions of messages and callbacks, and deletes contents and logs that
// were kept long enough. Neither waits for the other to succeed.
func Purge(ctx context.Context, pool *pgxpool.Pool, now time.Time) error {
	kept := keepPartitionsOnce(ctx, pool, now)
	deleted, err := Sweep(ctx, pool, now)
	if deleted > 0 {
		slog.InfoContext(ctx, "old messages and callbacks were deleted", "rows", deleted)
	}
	return errors.Join(kept, err)
}

// Sweep deletes the contents and the logs of all organisations that are older than
// their times. It returns the number of deleted log entries. It can be stopped at
// any time, and goes on where it was.
func Sweep(ctx context.Context, b db.Beginner, now time.Time) (deleted int64, err error) {
	now = now.Truncate(time.Microsecond) // as the database keeps times
	organisations, err := queries.OrganisationListIDs(ctx, b)
	if err != nil {
		return 0, fmt.Errorf("listing organisations: %w", err)
	}
	p, err := newPlan(ctx, b, now)
	if err != nil {
		return 0, err
	}
	rows := make([]time.Time, len(tables))
	for i, t := range tables {
		if rows[i], err = t.rowsBefore(ctx, b, p); err != nil {
			return 0, err
		}
	}
	for _, id := range organisations {
		times, err := Load(ctx, b, id)
		if err != nil {
			return deleted, err
		}
		before := slices.Repeat([]time.Time{now.Add(-time.Duration(times.Logs) * day)}, len(tables))
		if !before[0].After(p.before) {
			before = rows
		}
		n, err := deleteLogs(ctx, b, id, before)
		deleted += n
		if err != nil {
			return deleted, fmt.Errorf("deleting logs of organisation %d: %w", id, err)
		}
		if err := forget(ctx, b, id, now.Add(-time.Duration(times.Logs)*day)); err != nil {
			return deleted, fmt.Errorf("forgetting people of organisation %d: %w", id, err)
		}
		if err := deleteContents(ctx, b, id, now.Add(-time.Duration(times.Bodies)*day)); err != nil {
			return deleted, fmt.Errorf("deleting contents of organisation %d: %w", id, err)
		}
	}
	return deleted, nil
}

// deleteLogs deletes the entries of an organisation from before a time for each of the
// tables.
func deleteLogs(ctx context.Context, b db.Beginner, organisationID int64, before []time.Time) (deleted int64, err error) {
	for i, t := range tables {
		for n := int64(batch); n == batch; deleted += n {
			if n, err = t.deleteOld(ctx, b, organisationID, before[i], batch); err != nil {
				return deleted, err
			}
		}
	}
	return deleted, nil
}

// forget deletes what is known of the identities of people who were last seen before a
// time.
func forget(ctx context.Context, b db.Beginner, organisationID int64, before time.Time) (err error) {
	for n := int64(batch); n == batch; {
		if n, err = writes.IdentityDeleteOld(ctx, b, organisationID, before, batch); err != nil {
			return err
		}
	}
	return nil
}

// deleteContents deletes the contents of an organisation from before end, from
// where the last sweep came to.
func deleteContents(ctx context.Context, b db.Beginner, organisationID int64, end time.Time) error {
	for more := true; more; {
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			mark, err := writes.RetentionMarkGet(ctx, tx, organisationID, end)
			if err != nil {
				return err
			}
			if !mark.Before(end) {
				more = false
				return nil
			}
			next, err := queries.RetentionMarkNext(ctx, tx, organisationID, mark, end)
			if err != nil {
				return err
			}
			to := next.Add(slice)
			if to.After(end) {
				to = end
			}
			return writes.ContentDelete(ctx, tx, organisationID, mark, to)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
