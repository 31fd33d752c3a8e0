package api

import "context"

// sendMessage serves POST /{phone_number_id}/messages.
func (m *Messaging) sendMessage(ctx context.Context, c *call, body raw) (raw, error) {
	number, err := m.service.Number(ctx, c.caller.OrganisationID, c.params["phone_number_id"])
	if err != nil {
		return nil, err
	}
	return c.replied(m.service.Send(ctx, number, body, c.key()))
}
