package relay

import (
	"math"
	"time"

	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// The circuit of a webhook opens when at least circuitShare of circuitAttempts
// recent attempts failed, so that an endpoint that fails now and then is slowed
// but never silenced.
const (
	circuitAttempts = 5
	circuitShare    = 0.9
	// circuitSteps is how many times the first pause doubles until it is as long as
	// the schedule's.
	circuitSteps = 3
	// halfLife is how long recent attempts take to count half.
	halfLife = 30 * time.Second
	// assumed is how many successes are assumed before the first failure, which are
	// not counted.
	assumed = 2
)

// probeTime is how long one probe of a webhook may take before the next starts.
const probeTime = 15 * time.Second

// waitTime returns how long to wait before the next attempt at an endpoint when its
// circuit is open, or zero.
func waitTime(w models.Webhook, now time.Time) time.Duration {
	if w.OpenUntil == nil || !w.OpenUntil.After(now) {
		return 0
	}
	return w.OpenUntil.Sub(now)
}

// Pace returns the share of the full pace at which callbacks are posted to a
// webhook, between 0 and 1. It is 1 without recent failures, about a half if one in
// four attempts failed, and nearly 0 if all did.
func Pace(w models.Webhook, now time.Time) float64 {
	if w.CountedAt == nil || w.RecentFailures == 0 {
		return 1
	}
	fade := math.Exp2(-now.Sub(*w.CountedAt).Seconds() / halfLife.Seconds())
	worked := 1 - w.RecentFailures*fade/(w.RecentAttempts*fade+assumed)
	return worked * worked
}

// circuit says when failures open a circuit and disable a webhook.
var circuit = writes.WebhookLimits{Attempts: circuitAttempts, Share: circuitShare, Patience: maxFailing}

// countAttempts counts results by webhook.
func countAttempts(results []*result) []writes.WebhookAttempts {
	counts := map[int64]*writes.WebhookAttempts{}
	for _, r := range results {
		id := r.Delivery.Webhook.ID
		c := counts[id]
		if c == nil {
			c = &writes.WebhookAttempts{ID: id, First: r.Schedule.Circuit >> circuitSteps, Longest: r.Schedule.Circuit}
			counts[id] = c
		}
		switch {
		case r.Succeeded:
			c.Delivered++
		case r.Gone:
			c.Gone = true
		default:
			c.Failed++
		}
	}
	all := make([]writes.WebhookAttempts, 0, len(counts))
	for _, c := range counts {
		all = append(all, *c)
	}
	return all
}
