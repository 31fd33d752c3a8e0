package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// admit reserves a place for a post, to be released after it. Without one release
// is nil, and err is what the job returns: the callback waits in the line of a
// webhook that fails, or comes back soon to one that works.
func (w *relayCallback) admit(ctx context.Context, job *river.Job[args.RelayCallback], d models.Delivery) (release func(), err error) {
	if d.Webhook.OpenUntil != nil {
		probing, err := queries.WebhookUpdateProbing(ctx, w.deps.Pool, d.Webhook.ID, time.Now().Add(relay.ProbeTime))
		if err != nil {
			return nil, fmt.Errorf("reserving a probe of webhook %d: %w", d.Webhook.ID, err)
		}
		if !probing {
			return nil, w.park(ctx, job)
		}
	}
	release, ok := w.slots.take(ctx, d.Webhook, job.Args.Released)
	if ok {
		return release, nil
	}
	if relay.Pace(d.Webhook, time.Now()) < 1 {
		return nil, w.park(ctx, job)
	}
	return nil, river.JobSnooze(time.Second + rand.N(4*time.Second))
}

// park puts the callback in the line of its webhook and ends the job.
func (w *relayCallback) park(ctx context.Context, job *river.Job[args.RelayCallback]) error {
	inserter := w.inserter
	if inserter == nil {
		client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
		if err != nil {
			return errNoClient
		}
		inserter = client
	}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := relay.Park(ctx, tx, inserter, job.Args.DeliveryID); err != nil {
			return err
		}
		_, err := queries.JobUpdateCompleted(ctx, tx, []int64{job.ID})
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
func (w *relayCallback) awaitEarlier(ctx context.Context, d models.Delivery) time.Duration {
	if relay.Pace(d.Webhook, time.Now()) < 1 || d.Attempts > d.Before {
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
		found, err := w.deliveries.Load(ctx, d.ID)
		if err != nil || len(found) == 0 {
			return 0 // posting it is tried, and the error is returned there
		}
		d = found[0]
	}
	return 0
}
