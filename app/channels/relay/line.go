package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	operationqueries "heliograph/db/queries/operation"
	"heliograph/jobs/args"
)

const (
	// maxRelease is how many callbacks of a healthy webhook are due at once.
	maxRelease = 150
	// releaseEvery is the pause between two steps of a line.
	releaseEvery = time.Second
)

// park puts a callback that cannot be posted now in the line of its webhook, and
// starts the job that moves the line on. The callback waits without a job of its
// own, so that waiting for an endpoint costs nothing.
func park(ctx context.Context, tx pgx.Tx, jobs args.Inserter, deliveryID int64) error {
	webhookID, err := writes.DeliveryUpdateWaiting(ctx, tx, deliveryID)
	if err != nil {
		return db.Absent(err, nil, "putting delivery %d in line", deliveryID)
	}
	return startRelease(ctx, tx, jobs, webhookID)
}

// startRelease inserts the job that moves the line of a webhook on, if there is
// none. The caller has locked the webhook.
func startRelease(ctx context.Context, tx pgx.Tx, jobs args.Inserter, webhookID int64) error {
	running, err := operationqueries.JobReleases(ctx, tx, webhookID)
	if err != nil {
		return fmt.Errorf("looking for the release of webhook %d: %w", webhookID, err)
	}
	if running {
		return nil
	}
	if _, err := jobs.InsertTx(ctx, tx, args.ReleaseCallbacks{WebhookID: webhookID}, nil); err != nil {
		return fmt.Errorf("inserting the release of webhook %d: %w", webhookID, err)
	}
	return nil
}

// Release moves the line of a webhook on by one step in the caller's transaction:
// one callback as a probe while its circuit is open, otherwise as many as its pace
// allows, and more with each success. It returns when to take the next step, or
// zero if the line is empty. The line of a webhook that is disabled or has no URL
// is given up.
func Release(ctx context.Context, tx pgx.Tx, jobs args.Inserter, webhookID int64) (next time.Duration, err error) {
	w, err := writes.WebhookLock(ctx, tx, webhookID)
	if err != nil {
		return 0, db.Absent(err, nil, "loading webhook %d", webhookID)
	}
	now := time.Now()
	if wait := waitTime(w, now); wait > 0 {
		return wait, nil
	}
	due, err := queries.DeliveryCountDue(ctx, tx, w.ID, maxRelease)
	if err != nil {
		return 0, fmt.Errorf("counting the callbacks of webhook %d: %w", w.ID, err)
	}
	released, err := writes.DeliveryUpdateDue(ctx, tx, w.ID, max(0, releasable(w, now)-due))
	if err != nil {
		return 0, fmt.Errorf("releasing callbacks of webhook %d: %w", w.ID, err)
	}
	if checkActive(w) != nil {
		if err := writes.DeliveryUpdateFailed(ctx, tx, released...); err != nil {
			return 0, fmt.Errorf("giving up callbacks of webhook %d: %w", w.ID, err)
		}
	} else if err := post(ctx, tx, jobs, released); err != nil {
		return 0, err
	}
	waiting, err := queries.DeliveryHasWaiting(ctx, tx, w.ID)
	if err != nil || !waiting {
		return 0, err
	}
	return releaseEvery, nil
}

// releasable returns how many callbacks of a webhook may be due at once.
func releasable(w models.Webhook, now time.Time) int {
	if checkActive(w) != nil {
		return 10 * maxRelease
	}
	if w.OpenUntil != nil {
		return 1
	}
	pace := Pace(w, now)
	if pace == 1 {
		return maxRelease
	}
	most := int(maxRelease * pace)
	return max(1, min(most, 1+int(2*(w.RecentAttempts-w.RecentFailures))))
}

// post inserts the jobs of released callbacks.
func post(ctx context.Context, tx pgx.Tx, jobs args.Inserter, released []int64) error {
	if len(released) == 0 {
		return nil
	}
	work := make([]river.InsertManyParams, len(released))
	for i, id := range released {
		work[i] = river.InsertManyParams{Args: args.RelayCallback{DeliveryID: id, Released: true}, InsertOpts: &river.InsertOpts{Priority: priorityHealthy}}
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, work); err != nil {
		return fmt.Errorf("inserting the jobs of released callbacks: %w", err)
	}
	return nil
}

// settleLines gives the lines of all webhooks a job that moves them on.
func settleLines(ctx context.Context, b db.Beginner, jobs args.Inserter) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		webhooks, err := queries.WebhookListWaiting(ctx, tx)
		if err != nil {
			return fmt.Errorf("listing webhooks with waiting callbacks: %w", err)
		}
		for _, id := range webhooks {
			if err := startRelease(ctx, tx, jobs, id); err != nil {
				return err
			}
		}
		return nil
	})
}
