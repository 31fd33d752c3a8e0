// Package relay decides what becomes of a callback: when it is tried again,
// when it is given up, and when an endpoint is left alone for a while.
//
// A delivery is tried ten times over 75 hours and 35 minutes, each pause
// lengthened or shortened by up to a fifth. After five failures in a row an
// endpoint's circuit is open: one probe a minute, until one succeeds. An
// endpoint that answers 410, or nothing but failures for five days, is
// disabled until it is set or enabled again. A delivery that is replayed goes
// through the whole schedule once more.
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

// Schedule is when a callback is tried again.
type Schedule struct {
	Pauses  []time.Duration // between attempts, of which there is one more
	Circuit time.Duration   // between probes of an endpoint whose circuit is open
}

// Standard is the schedule that partners are told of.
var Standard = Schedule{
	Pauses: []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	},
	Circuit: time.Minute,
}

// patience is how long an endpoint may do nothing but fail.
const patience = 5 * 24 * time.Hour

// Outcome is what one attempt came to.
type Outcome struct {
	Attempt    models.Attempt
	Succeeded  bool
	Gone       bool          // the endpoint answered 410
	RetryAfter time.Duration // what the endpoint asked for, zero for nothing
}

// Wait says how long an endpoint must be left alone, zero for not at all.
func Wait(w models.Webhook, now time.Time) time.Duration {
	if w.OpenUntil == nil || !w.OpenUntil.After(now) {
		return 0
	}
	return w.OpenUntil.Sub(now)
}

// Delivered stores attempts that succeeded, each at a delivery of its own, inside
// the caller's transaction. Their endpoints are well again if they were not.
func Delivered(ctx context.Context, tx pgx.Tx, attempts []models.Attempt) error {
	if err := queries.DeliveryUpdateDelivered(ctx, tx, attempts); err != nil {
		return fmt.Errorf("storing %d deliveries: %w", len(attempts), err)
	}
	ids := make([]int64, len(attempts))
	for i, a := range attempts {
		ids[i] = a.DeliveryID
	}
	if err := queries.WebhookUpdateHealthy(ctx, tx, ids); err != nil {
		return fmt.Errorf("noting that the endpoints of %d deliveries are well: %w", len(attempts), err)
	}
	return nil
}

// Fate is what follows from an attempt that failed.
type Fate struct {
	Again    time.Duration // before the next attempt; zero gives the delivery up
	Disabled bool          // the webhook is, which it was not before
}

// Failed stores an attempt that failed and what follows from it inside the
// caller's transaction.
func (s Schedule) Failed(ctx context.Context, tx pgx.Tx, d models.Delivery, o Outcome) (f Fate, err error) {
	o.Attempt.DeliveryID, o.Attempt.Number = d.ID, d.Attempts+1
	if err := queries.AttemptInsert(ctx, tx, o.Attempt); err != nil {
		return f, fmt.Errorf("storing attempt %d of delivery %d: %w", o.Attempt.Number, d.ID, err)
	}
	if o.Gone {
		f.Disabled, err = queries.WebhookUpdateGone(ctx, tx, d.Webhook.ID)
	} else {
		f.Disabled, err = queries.WebhookUpdateFailing(ctx, tx, d.Webhook.ID, time.Now().Add(s.Circuit), patience)
	}
	if err != nil {
		return f, fmt.Errorf("updating webhook %d: %w", d.Webhook.ID, err)
	}
	state, next := "failed", time.Time{}
	if made := d.Attempts - d.Before; made < len(s.Pauses) && !o.Gone {
		state, f.Again = "pending", max(jitter(s.Pauses[made]), o.RetryAfter)
		next = time.Now().Add(f.Again)
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
