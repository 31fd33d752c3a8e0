package api

import "context"

// receiveInSandbox has somebody write to a sandbox number: an extra operation,
// because without people nothing comes in.
func (m *Messaging) receiveInSandbox(ctx context.Context, c *call, body raw) (raw, error) {
	number, err := m.service.Number(ctx, c.caller.OrganisationID, c.params["phone_number_id"])
	if err != nil {
		return nil, err
	}
	return c.replied(m.service.ReceiveInSandbox(ctx, number, body, c.key()))
}
