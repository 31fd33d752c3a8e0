package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// admit reserves a place for a post, to be released after it. Without one release
// is nil, and err is what the job returns: the callback waits in the line of a
// webhook that fails, or comes back soon to one that works.
func (r *Relayer) admit(ctx context.Context, run args.Run, released bool, d models.Delivery) (release func(), err error) {
	if d.Webhook.OpenUntil != nil {
		probing, err := writes.WebhookUpdateProbing(ctx, r.options.Pool, d.Webhook.ID, time.Now().Add(probeTime))
		if err != nil {
			return nil, fmt.Errorf("reserving a probe of webhook %d: %w", d.Webhook.ID, err)
		}
		if !probing {
			return nil, r.park(ctx, run, d.ID)
		}
	}
	release, ok := r.slots.take(ctx, d.Webhook, released)
	if ok {
		return release, nil
	}
	if Pace(d.Webhook, time.Now()) < 1 {
		return nil, r.park(ctx, run, d.ID)
	}
	return nil, river.JobSnooze(time.Second + rand.N(4*time.Second))
}

// park puts the callback in the line of its webhook and ends the job.
func (r *Relayer) park(ctx context.Context, run args.Run, deliveryID int64) error {
	if run.Inserter == nil {
		return errNoInserter
	}
	return db.InTx(ctx, r.options.Pool, func(tx pgx.Tx) error {
		if err := park(ctx, tx, run.Inserter, deliveryID); err != nil {
			return err
		}
		_, err := errands.JobUpdateCompleted(ctx, tx, []int64{run.JobID})
		return err
	})
}

const (
	// earlierLife is how long a callback lets earlier ones of its message go first.
	earlierLife = 30 * time.Second
	// earlierPatience is how long a job waits for them before it comes back.
	earlierPatience = 160 * time.Millisecond
)

// awaitEarlier waits until earlier callbacks about the message of d were posted
// once. It returns a pause if they take longer. It does not wait while the webhook
// fails, nor for more than half a minute.
func (r *Relayer) awaitEarlier(ctx context.Context, d models.Delivery) time.Duration {
	if Pace(d.Webhook, time.Now()) < 1 || d.Attempts > d.Before {
		return 0
	}
	for pause := 10 * time.Millisecond; d.Earlier && time.Since(d.CreatedAt) < earlierLife; pause *= 2 {
		if pause > earlierPatience {
			return time.Second
		}
		select {
		case <-ctx.Done():
			return time.Second
		case <-time.After(pause):
		}
		found, err := r.deliveries.Load(ctx, d.ID)
		if err != nil || len(found) == 0 {
			return 0 // posting it is tried, and the error is returned there
		}
		d = found[0]
	}
	return 0
}
