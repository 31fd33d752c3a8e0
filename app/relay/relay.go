// Package relay implements the webhooks of all channels: their addresses, headers
// and secrets, the events that are stored for them, and when an attempt is
// retried, given up or replayed.
//
// The standard schedule makes ten attempts over 75 hours and 35 minutes. Each
// pause is longer or shorter by up to a fifth at random. An endpoint that fails
// some attempts gets callbacks more slowly. If nearly all recent attempts failed,
// its circuit opens: it gets single probes, up to a minute apart, until one
// succeeds. Callbacks that have to wait form the line of their webhook and cost no
// job. Callbacks about one message are posted in order while the endpoint works.
// An endpoint that answers 410, or fails for five days without a
// success, is disabled until it is set or enabled again. Events of a webhook that
// is disabled or has no URL are stored without an attempt. A replayed delivery
// starts the whole schedule again.
package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
	"heliograph/db/queries"
)

// Schedule holds the pauses between attempts.
type Schedule struct {
	Pauses  []time.Duration // between attempts; there is one more attempt than pauses
	Circuit time.Duration   // longest pause between probes of an endpoint whose circuit is open
	// FinalClientErrors ends a delivery with an answer from 400 to 499, except for
	// 408 and 429.
	FinalClientErrors bool
}

// isFinal reports whether an answer ends a delivery.
func (s Schedule) isFinal(o Outcome) bool {
	status := o.Attempt.Status
	return o.Gone || s.FinalClientErrors && status >= 400 && status < 500 && status != 408 && status != 429
}

// Standard is the documented schedule.
var Standard = Schedule{
	Pauses: []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	},
	Circuit: time.Minute,
}

// maxFailing is how long an endpoint may fail without a success.
const maxFailing = 5 * 24 * time.Hour

// Outcome is the result of one attempt.
type Outcome struct {
	Attempt    models.Attempt
	Succeeded  bool
	Gone       bool          // the endpoint answered 410
	RetryAfter time.Duration // from the response, or zero
}

// RecordDelivered stores successful attempts of different deliveries in the
// caller's transaction, and marks their endpoints as healthy.
func RecordDelivered(ctx context.Context, tx pgx.Tx, attempts []models.Attempt) error {
	if err := queries.DeliveryUpdateDelivered(ctx, tx, attempts); err != nil {
		return fmt.Errorf("storing %d deliveries: %w", len(attempts), err)
	}
	ids := make([]int64, len(attempts))
	for i, a := range attempts {
		ids[i] = a.DeliveryID
	}
	if err := queries.WebhookUpdateHealthy(ctx, tx, ids); err != nil {
		return fmt.Errorf("marking the endpoints of %d deliveries as healthy: %w", len(attempts), err)
	}
	return nil
}

// Decision is the result of a failed attempt.
type Decision struct {
	RetryIn  time.Duration // until the next attempt; zero if the delivery was given up
	Disabled bool          // the webhook was disabled by this attempt
}

// RecordFailed stores a failed attempt and the resulting state of the delivery
// and the webhook in the caller's transaction.
func (s Schedule) RecordFailed(ctx context.Context, tx pgx.Tx, d models.Delivery, o Outcome) (f Decision, err error) {
	o.Attempt.DeliveryID, o.Attempt.Number = d.ID, d.Attempts+1
	if err := queries.AttemptInsert(ctx, tx, o.Attempt); err != nil {
		return f, fmt.Errorf("storing attempt %d of delivery %d: %w", o.Attempt.Number, d.ID, err)
	}
	if o.Gone {
		f.Disabled, err = queries.WebhookUpdateGone(ctx, tx, d.Webhook.ID)
	} else {
		f.Disabled, err = queries.WebhookUpdateFailing(ctx, tx, d.Webhook.ID, s.failure())
	}
	if err != nil {
		return f, fmt.Errorf("updating webhook %d: %w", d.Webhook.ID, err)
	}
	state, next := "failed", time.Time{}
	if made := d.Attempts - d.Before; made < len(s.Pauses) && !s.isFinal(o) {
		state, f.RetryIn = "pending", max(jitter(s.Pauses[made]), o.RetryAfter)
		next = time.Now().Add(f.RetryIn)
	}
	if err := queries.DeliveryUpdate(ctx, tx, d.ID, state, next); err != nil {
		return f, fmt.Errorf("updating delivery %d: %w", d.ID, err)
	}
	return f, nil
}

func jitter(d time.Duration) time.Duration {
	fifth := int64(d / 5)
	return d + time.Duration(rand.Int64N(2*fifth+1)-fifth)
}
