package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// MaxReplay is how many callbacks one replay posts at most.
const MaxReplay = 10_000

// Replay posts a finished callback of an organisation again, with the same body,
// the same webhook-id and the full schedule of attempts. It is a Conflict if the
// callback is still being sent or its webhook is not enabled.
func (e *Endpoints) Replay(ctx context.Context, organisationID, deliveryID int64, actor string) error {
	by := By{actor, fmt.Sprintf("delivery:%d", deliveryID)}
	return db.InTx(ctx, e.options.DB, func(tx pgx.Tx) error {
		webhookID, err := writes.DeliveryReplay(ctx, tx, organisationID, deliveryID)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("replaying delivery %d: %w", deliveryID, err)
		}
		if err != nil {
			return fault.New(fault.Conflict, "The callback was not replayed. It is still being sent, its content was deleted, or its webhook is disabled or removed.")
		}
		err = enqueue(ctx, tx, e.options.Jobs, []writes.StoredDelivery{{ID: deliveryID}}, fixedPriority(priorityHealthy))
		if err != nil {
			return err
		}
		if err := allowProbe(ctx, tx, webhookID); err != nil {
			return err
		}
		return by.record(ctx, tx, "delivery.replay", nil)
	})
}

// ReplayRange selects the finished callbacks of a webhook to replay: those
// stored at or after Since and before Until that failed, or with Everything the
// delivered ones too.
type ReplayRange struct {
	Since, Until time.Time
	Everything   bool
}

func (r ReplayRange) of(w models.Webhook) models.Replay {
	return models.Replay{OrganisationID: w.OrganisationID, WebhookID: w.ID, Since: r.Since, Until: r.Until, Everything: r.Everything}
}

// CountReplay counts the callbacks that a replay would post, up to one more than
// MaxReplay. It is a Conflict if the webhook is not enabled.
func (e *Endpoints) CountReplay(ctx context.Context, w models.Webhook, r ReplayRange) (int, error) {
	if err := checkActive(w); err != nil {
		return 0, err
	}
	n, err := queries.ReplayCount(ctx, e.options.DB, r.of(w), MaxReplay)
	if err != nil {
		return 0, fmt.Errorf("counting callbacks of webhook %d: %w", w.ID, err)
	}
	return n, nil
}

// ReplayMany replays the finished callbacks of a range, the oldest first and at
// most MaxReplay, and returns the replay. They wait behind new callbacks. It is
// a Conflict if there are none.
func (e *Endpoints) ReplayMany(ctx context.Context, w models.Webhook, r ReplayRange, by By) (done models.Replay, err error) {
	if err := checkActive(w); err != nil {
		return done, err
	}
	err = db.InTx(ctx, e.options.DB, func(tx pgx.Tx) error {
		var ids []int64
		if done, ids, err = writes.ReplayInsert(ctx, tx, r.of(w), MaxReplay); err != nil {
			return fmt.Errorf("replaying callbacks of webhook %d: %w", w.ID, err)
		}
		if len(ids) == 0 {
			return fault.New(fault.Conflict, "There is nothing left to replay. These callbacks were replayed a moment ago.")
		}
		stored := make([]writes.StoredDelivery, len(ids))
		for i, id := range ids {
			stored[i].ID = id
		}
		if err := enqueue(ctx, tx, e.options.Jobs, stored, fixedPriority(priorityFailing)); err != nil {
			return err
		}
		if err := allowProbe(ctx, tx, w.ID); err != nil {
			return err
		}
		return by.record(ctx, tx, "delivery.replay_many", map[string]any{
			"replay": done.ID, "since": done.Since.UTC(), "until": done.Until.UTC(), "everything": done.Everything, "count": done.Callbacks,
		})
	})
	return done, err
}

// allowProbe lets a webhook be tried at once though its circuit is open. If it fails
// again, the circuit stays open.
func allowProbe(ctx context.Context, tx pgx.Tx, webhookID int64) error {
	if err := writes.WebhookUpdateProbed(ctx, tx, webhookID); err != nil {
		return fmt.Errorf("allowing a probe of webhook %d: %w", webhookID, err)
	}
	return nil
}

// SendTest posts a test event to a webhook like any other callback and returns
// the id of the delivery.
func (e *Endpoints) SendTest(ctx context.Context, w models.Webhook, body any, by By) (id int64, err error) {
	if err := checkActive(w); err != nil {
		return 0, err
	}
	err = db.InTx(ctx, e.options.DB, func(tx pgx.Tx) error {
		stored, err := Store(ctx, tx, e.options.Jobs, Event{WebhookID: w.ID, Failing: w.Failures > 0, Kind: TestEvent, Body: body})
		if err != nil {
			return err
		}
		if len(stored) == 0 {
			return fault.New(fault.Conflict, "The webhook was removed a moment ago. Nothing was sent.")
		}
		id = stored[0].ID
		if err := allowProbe(ctx, tx, w.ID); err != nil {
			return err
		}
		return by.record(ctx, tx, "webhook.test", map[string]any{"delivery": id})
	})
	return id, err
}

// TestEvent is the kind of a callback that tests a webhook.
const TestEvent = "test"
