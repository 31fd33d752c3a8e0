package relay

import (
	"context"

	"heliograph/db/models"
)

// Places of one webhook.
const (
	SlotsFailing = slotsFailing
	SlotsHealthy = slotsHealthy
)

// Take is slots.take.
func (r *Relayer) Take(ctx context.Context, w models.Webhook) (release func(), ok bool) {
	return r.slots.take(ctx, w, false)
}

// Wait is waitTime.
var Wait = waitTime

// What an attempt becomes.
type (
	Outcome = outcome
	Result  = result
)

var (
	Park   = park
	Record = record
)

// NewResult returns the result of an attempt with an outcome.
func NewResult(d models.Delivery, s Schedule, o Outcome) *Result {
	return &Result{Delivery: d, Schedule: s, outcome: o}
}
