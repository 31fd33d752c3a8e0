// Package relay decides what becomes of a callback: when it is tried again,
// when it is given up, and when an endpoint is left alone for a while.
//
// A delivery is tried ten times over 75 hours and 35 minutes, each pause
// lengthened or shortened by up to a fifth. After five failures in a row an
// endpoint's circuit is open: one probe a minute, until one succeeds. An
// endpoint that answers 410, or nothing but failures for five days, is
// disabled until it is set again.
package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Pauses between attempts: the first attempt is made at once, the tenth is the
// last.
var pauses = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

const (
	circuitPause = time.Minute
	patience     = 5 * 24 * time.Hour
)

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

// Healthy reports whether an endpoint took the last callback, so that nothing
// changes for it with another.
func Healthy(w models.Webhook) bool { return w.Failures == 0 && w.OpenUntil == nil }

// Settle stores an attempt and what follows from it inside the caller's
// transaction. again is the pause before the next attempt; zero means that the
// delivery is finished, one way or the other.
func Settle(ctx context.Context, tx pgx.Tx, d models.Delivery, o Outcome) (again time.Duration, err error) {
	o.Attempt.DeliveryID, o.Attempt.Number = d.ID, d.Attempts+1
	if err := queries.AttemptInsert(ctx, tx, o.Attempt); err != nil {
		return 0, fmt.Errorf("storing attempt %d of delivery %d: %w", o.Attempt.Number, d.ID, err)
	}
	if err := settleWebhook(ctx, tx, d.Webhook, o); err != nil {
		return 0, fmt.Errorf("updating webhook %d: %w", d.Webhook.ID, err)
	}
	state, next := "delivered", time.Time{}
	if !o.Succeeded {
		state = "failed"
		if d.Attempts < len(pauses) && !o.Gone {
			state, again = "pending", max(jitter(pauses[d.Attempts]), o.RetryAfter)
			next = time.Now().Add(again)
		}
	}
	if err := queries.DeliveryUpdate(ctx, tx, d.ID, state, next); err != nil {
		return 0, fmt.Errorf("updating delivery %d: %w", d.ID, err)
	}
	return again, nil
}

func settleWebhook(ctx context.Context, q db.Querier, w models.Webhook, o Outcome) error {
	switch {
	case o.Succeeded && Healthy(w):
		return nil // the usual case writes nothing to the one row that all share
	case o.Succeeded:
		return queries.WebhookUpdateHealthy(ctx, q, w.ID)
	case o.Gone:
		return queries.WebhookUpdateGone(ctx, q, w.ID)
	}
	return queries.WebhookUpdateFailing(ctx, q, w.ID, time.Now().Add(circuitPause), patience)
}

func jitter(d time.Duration) time.Duration {
	fifth := int64(d / 5)
	return d + time.Duration(rand.Int64N(2*fifth+1)-fifth)
}
