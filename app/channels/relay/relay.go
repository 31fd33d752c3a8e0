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
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/lists"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Schedule holds the pauses between attempts.
type Schedule struct {
	Pauses  []time.Duration // between attempts; there is one more attempt than pauses
	Circuit time.Duration   // longest pause between probes of an endpoint while its circuit is open
	// FinalClientErrors ends a delivery with an answer from 400 to 499, except for
	// 408 and 429.
	FinalClientErrors bool
}

// isFinal reports whether an answer ends a delivery.
func (s Schedule) isFinal(o outcome) bool {
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

// outcome is the result of one attempt.
type outcome struct {
	Attempt    models.Attempt
	Succeeded  bool
	Gone       bool          // the endpoint answered 410
	RetryAfter time.Duration // from the response, or zero
}

// result is the outcome of an attempt at a delivery. record adds what follows.
type result struct {
	Delivery models.Delivery
	Schedule Schedule
	outcome
	RetryIn  time.Duration // until the next attempt; zero if there is none
	Disabled bool          // the webhook was disabled by this attempt
}

// record stores attempts of different deliveries in the caller's transaction, with
// the states of their deliveries and webhooks that follow.
func record(ctx context.Context, tx pgx.Tx, results []*result) error {
	attempts := lists.Map(results, func(r *result) writes.DeliveryAttempt { return r.decide(time.Now()) })
	if err := writes.DeliveryUpdateAttempted(ctx, tx, attempts); err != nil {
		return fmt.Errorf("storing attempts at %d deliveries: %w", len(results), err)
	}
	disabled, err := writes.WebhookUpdateAttempted(ctx, tx, countAttempts(results), circuit)
	if err != nil {
		return fmt.Errorf("counting attempts at %d deliveries: %w", len(results), err)
	}
	for _, id := range disabled {
		last := slices.IndexFunc(results, func(r *result) bool { return r.Delivery.Webhook.ID == id && !r.Succeeded })
		results[last].Disabled = true
	}
	return nil
}

// decide returns the attempt with the state that its delivery gets.
func (r *result) decide(now time.Time) writes.DeliveryAttempt {
	d, s := r.Delivery, r.Schedule
	a := writes.DeliveryAttempt{Attempt: r.Attempt, State: "failed"}
	a.DeliveryID, a.Number = d.ID, d.Attempts+1
	r.RetryIn, r.Disabled = 0, false // a transaction may be tried again
	if r.Succeeded {
		a.State = "delivered"
	} else if made := d.Attempts - d.Before; made < len(s.Pauses) && !s.isFinal(r.outcome) {
		r.RetryIn = max(jitter(s.Pauses[made]), r.RetryAfter)
		a.State, a.Next = "pending", now.Add(r.RetryIn)
	}
	return a
}

func jitter(d time.Duration) time.Duration {
	fifth := int64(d / 5)
	return d + time.Duration(rand.Int64N(2*fifth+1)-fifth)
}
