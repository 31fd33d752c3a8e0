package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Event is something that a partner is notified of. It is stored in the form of
// its channel, which renders it again for each attempt.
type Event struct {
	WebhookID int64
	Failing   bool       // the last attempt at the webhook failed
	Kind      string     // for the delivery log, for instance message.sent
	MessageID *uuid.UUID // the message it is about, nil for none
	Body      any        // encoded as JSON
}

// Job priorities. Callbacks to a failing endpoint wait behind the others.
const (
	priorityHealthy = 1
	priorityFailing = 3
)

// Store stores events and the jobs that post them in the caller's transaction.
// It returns the stored deliveries. Events of webhooks that are disabled or have
// no URL get no job, and can be replayed. Events of webhooks that are gone are
// left out.
func Store(ctx context.Context, tx pgx.Tx, jobs args.Inserter, events ...Event) ([]writes.StoredDelivery, error) {
	if len(events) == 0 {
		return nil, nil
	}
	deliveries := make([]writes.NewDelivery, len(events))
	failing := map[int64]bool{}
	for i, e := range events {
		body, err := json.Marshal(e.Body)
		if err != nil {
			return nil, fmt.Errorf("writing a callback: %w", err)
		}
		deliveries[i] = writes.NewDelivery{WebhookID: e.WebhookID, MessageID: e.MessageID, Event: e.Kind, Body: body}
		failing[e.WebhookID] = e.Failing
	}
	stored, err := writes.DeliveryInsertMany(ctx, tx, deliveries)
	if err != nil {
		return nil, fmt.Errorf("storing callbacks: %w", err)
	}
	priority := func(d writes.StoredDelivery) int {
		if failing[d.WebhookID] {
			return priorityFailing
		}
		return priorityHealthy
	}
	due := slices.DeleteFunc(slices.Clone(stored), func(d writes.StoredDelivery) bool { return d.State != "pending" })
	return stored, enqueue(ctx, tx, jobs, due, priority)
}

// enqueue inserts the jobs that post stored callbacks.
func enqueue(ctx context.Context, tx pgx.Tx, jobs args.Inserter, stored []writes.StoredDelivery, priority func(writes.StoredDelivery) int) error {
	if len(stored) == 0 {
		return nil
	}
	work := make([]river.InsertManyParams, len(stored))
	for i, d := range stored {
		work[i] = river.InsertManyParams{Args: args.RelayCallback{DeliveryID: d.ID}, InsertOpts: &river.InsertOpts{Priority: priority(d)}}
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, work); err != nil {
		return fmt.Errorf("inserting the relay jobs: %w", err)
	}
	return nil
}

func fixedPriority(priority int) func(writes.StoredDelivery) int {
	return func(writes.StoredDelivery) int { return priority }
}
