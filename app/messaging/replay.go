package messaging

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// MaxReplay is how many callbacks one replay posts at most.
const MaxReplay = 10_000

// Replay posts a finished callback of an organisation again, with the same body,
// the same webhook-id and the full schedule of attempts. It is a Conflict if the
// callback is still being sent or its webhook is not enabled.
func (h *Webhooks) Replay(ctx context.Context, organisationID, deliveryID int64, actor string) error {
	return db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		webhookID, err := queries.DeliveryReplay(ctx, tx, organisationID, deliveryID)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("replaying delivery %d: %w", deliveryID, err)
		}
		if err != nil {
			return fault.New(fault.Conflict, "The callback was not replayed. It is still being sent, or its webhook is disabled or removed.")
		}
		err = enqueue(ctx, tx, h.options.Jobs, []queries.StoredDelivery{{ID: deliveryID}}, fixedPriority(priorityHealthy))
		if err != nil {
			return err
		}
		if err := allowProbe(ctx, tx, webhookID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "delivery.replay", Target: fmt.Sprintf("delivery:%d", deliveryID)})
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
func (h *Webhooks) CountReplay(ctx context.Context, w models.NumberWebhook, r ReplayRange) (int, error) {
	if err := checkActive(w.Webhook); err != nil {
		return 0, err
	}
	n, err := queries.ReplayCount(ctx, h.options.DB, r.of(w.Webhook), MaxReplay)
	if err != nil {
		return 0, fmt.Errorf("counting callbacks of webhook %d: %w", w.Webhook.ID, err)
	}
	return n, nil
}

// ReplayMany replays the finished callbacks of a range, the oldest first and at
// most MaxReplay, and returns the replay. They wait behind new callbacks. It is
// a Conflict if there are none.
func (h *Webhooks) ReplayMany(ctx context.Context, w models.NumberWebhook, r ReplayRange, actor string) (done models.Replay, err error) {
	if err := checkActive(w.Webhook); err != nil {
		return done, err
	}
	err = db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		var ids []int64
		if done, ids, err = queries.ReplayInsert(ctx, tx, r.of(w.Webhook), MaxReplay); err != nil {
			return fmt.Errorf("replaying callbacks of webhook %d: %w", w.Webhook.ID, err)
		}
		if len(ids) == 0 {
			return fault.New(fault.Conflict, "There is nothing left to replay. These callbacks were replayed a moment ago.")
		}
		stored := make([]queries.StoredDelivery, len(ids))
		for i, id := range ids {
			stored[i].ID = id
		}
		if err := enqueue(ctx, tx, h.options.Jobs, stored, fixedPriority(priorityFailing)); err != nil {
			return err
		}
		if err := allowProbe(ctx, tx, w.Webhook.ID); err != nil {
			return err
		}
		return record(ctx, tx, actor, "delivery.replay_many", w.Number.ID, map[string]any{
			"replay": done.ID, "since": done.Since.UTC(), "until": done.Until.UTC(), "everything": done.Everything, "count": done.Callbacks,
		})
	})
	return done, err
}

// allowProbe lets a webhook whose circuit is open be tried at once. If it fails
// again, the circuit stays open.
func allowProbe(ctx context.Context, tx pgx.Tx, webhookID int64) error {
	if err := queries.WebhookUpdateProbed(ctx, tx, webhookID); err != nil {
		return fmt.Errorf("allowing a probe of webhook %d: %w", webhookID, err)
	}
	return nil
}

// SendTest posts a test event to a webhook like any other callback and returns
// the id of the delivery.
func (h *Webhooks) SendTest(ctx context.Context, w models.NumberWebhook, actor string) (id int64, err error) {
	if err := checkActive(w.Webhook); err != nil {
		return 0, err
	}
	err = db.InTx(ctx, h.options.DB, func(tx pgx.Tx) error {
		stored, err := storeCallbacks(ctx, tx, h.options.Jobs, notice{to: w.Webhook, event: testEvent, payload: h.testCallback(w.Number)})
		if err != nil {
			return err
		}
		if len(stored) == 0 {
			return fault.New(fault.Conflict, "The webhook was removed a moment ago. Nothing was sent.")
		}
		id = stored[0].ID
		if err := allowProbe(ctx, tx, w.Webhook.ID); err != nil {
			return err
		}
		return record(ctx, tx, actor, "webhook.test", w.Number.ID, map[string]any{"delivery": id})
	})
	return id, err
}

// testEvent is the kind of a callback that tests a webhook.
const testEvent = "test"

// testChange is the value of a change whose field is "test".
type testChange struct {
	MessagingProduct string           `json:"messaging_product"`
	Metadata         callbackMetadata `json:"metadata"`
	Text             string           `json:"text"` // explains that this is a test
}

func (h *Webhooks) testCallback(n models.PhoneNumber) Callback {
	c := newCallback(h.options.Product, n.BusinessAccountID, testEvent, testChange{
		MessagingProduct: h.options.Product,
		Metadata:         callbackMetadata{DisplayPhoneNumber: n.Number[1:], PhoneNumberID: fmt.Sprint(n.ID)},
		Text:             "This is a test of your webhook. No message was sent or received.",
	})
	c.Entry[0].Time = time.Now().Unix()
	return c
}

// checkActive returns a Conflict if a webhook has no URL or is disabled.
func checkActive(w models.Webhook) error {
	switch {
	case w.URL == "":
		return fault.New(fault.Conflict, "No webhook is set for this number. Set its URL first.")
	case w.DisabledAt != nil:
		return fault.New(fault.Conflict, "The webhook is disabled. Enable it first.")
	}
	return nil
}

func fixedPriority(priority int) func(queries.StoredDelivery) int {
	return func(queries.StoredDelivery) int { return priority }
}
