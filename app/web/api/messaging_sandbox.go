package api

import "context"

// receiveInSandbox serves POST /{phone_number_id}/sandbox/inbound. It simulates a
// message from a person, because nobody writes to a sandbox number.
func (m messagingMessages) receiveInSandbox(ctx context.Context, c *call, body raw) (raw, error) {
	number, err := m.numbers.Number(ctx, c.caller.OrganisationID, c.params["phone_number_id"])
	if err != nil {
		return nil, err
	}
	return c.replied(m.inbound.ReceiveInSandbox(ctx, number, body, c.key()))
}
