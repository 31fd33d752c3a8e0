package messaging

import (
	"context"
	"fmt"
	"time"

	"heliograph/app/channels/messaging/callback"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// Replay posts a finished callback of an organisation again, with the same body,
// the same webhook-id and the full schedule of attempts. It is a Conflict if the
// callback is still being sent or its webhook is not enabled.
func (h *Webhooks) Replay(ctx context.Context, organisationID, deliveryID int64, actor string) error {
	return h.endpoints.Replay(ctx, organisationID, deliveryID, actor)
}

// CountReplay counts the callbacks that a replay would post, up to one more than
// relay.MaxReplay. It is a Conflict if the webhook is not enabled.
func (h *Webhooks) CountReplay(ctx context.Context, w models.NumberWebhook, r relay.ReplayRange) (int, error) {
	return h.endpoints.CountReplay(ctx, w.Webhook, r)
}

// ReplayMany replays the finished callbacks of a range, the oldest first and at
// most relay.MaxReplay, and returns the replay. They wait behind new callbacks.
// It is a Conflict if there are none.
func (h *Webhooks) ReplayMany(ctx context.Context, w models.NumberWebhook, r relay.ReplayRange, actor string) (models.Replay, error) {
	return h.endpoints.ReplayMany(ctx, w.Webhook, r, by(actor, w.Number))
}

// SendTest posts a test event to a webhook like any other callback and returns
// the id of the delivery.
func (h *Webhooks) SendTest(ctx context.Context, w models.NumberWebhook, actor string) (int64, error) {
	return h.endpoints.SendTest(ctx, w.Webhook, h.testCallback(w.Number), by(actor, w.Number))
}

// testChange is the value of a change of the field "test".
type testChange struct {
	MessagingProduct string           `json:"messaging_product"`
	Metadata         callbackMetadata `json:"metadata"`
	Text             string           `json:"text"` // explains that this is a test
}

func (h *Webhooks) testCallback(n models.PhoneNumber) callback.Body {
	c := callback.New(h.options.Product, n.BusinessAccountID, relay.TestEvent, testChange{
		MessagingProduct: h.options.Product,
		Metadata:         callbackMetadata{DisplayPhoneNumber: n.Number[1:], PhoneNumberID: fmt.Sprint(n.ID)},
		Text:             "This is a test of your webhook. No message was sent or received.",
	})
	c.Entry[0].Time = time.Now().Unix()
	return c
}
