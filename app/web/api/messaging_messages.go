package api

import (
	"context"

	"heliograph/app/channels/messaging"
	"heliograph/app/input"
	"heliograph/db/models"
)

// messagingMessages answers the operations that send messages and read received ones.
type messagingMessages struct {
	sender  *messaging.Sender
	inbound *messaging.Inbound
}

// sendMessage serves POST /{phone_number_id}/messages.
func (m messagingMessages) sendMessage(ctx context.Context, c *call, number models.PhoneNumber, body raw) (raw, error) {
	return c.replied(m.sender.Send(ctx, number, body, c.key()))
}

type receivedInput struct {
	listInput
	From input.Text `json:"from"`
}

// listReceivedMessages serves GET /{phone_number_id}/messages.
func (m messagingMessages) listReceivedMessages(ctx context.Context, c *call, number models.PhoneNumber, in receivedInput) (paged, error) {
	p, err := in.page(c)
	if err != nil {
		return paged{}, err
	}
	received, err := m.inbound.Received(ctx, number, messaging.ReceivedQuery{From: string(in.From), After: p.After, Before: p.Before, Limit: p.Limit})
	if err != nil {
		return paged{}, err
	}
	in.Fields = "" // each message stays as its callback has it
	return list(c, in.listInput, received, func(r messaging.ReceivedMessage) (string, any) { return r.Key, r })
}
