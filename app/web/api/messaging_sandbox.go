package api

import (
	"context"

	"heliograph/db/models"
)

// receiveInSandbox serves POST /{phone_number_id}/sandbox/inbound. It simulates a
// message from a person, because nobody writes to a sandbox number.
func (m messagingMessages) receiveInSandbox(ctx context.Context, c *call, number models.PhoneNumber, body raw) (raw, error) {
	return c.replied(m.inbound.ReceiveInSandbox(ctx, number, body, c.key()))
}
