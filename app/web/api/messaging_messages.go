package api

import "context"

// sendMessage is operation 1: a message goes in.
func (m *Messaging) sendMessage(ctx context.Context, c *call, body raw) (raw, error) {
	number, err := m.service.Number(ctx, c.caller.OrganisationID, c.params["phone_number_id"])
	if err != nil {
		return nil, err
	}
	reply, err := m.service.Send(ctx, number, body, c.request.Header.Get("Idempotency-Key"))
	if reply.Replayed {
		c.writer.Header().Set("Idempotent-Replayed", "true")
	}
	return reply.Body, err
}
