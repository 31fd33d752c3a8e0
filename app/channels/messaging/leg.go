package messaging

import (
	"context"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/db/models"
)

// NewLeg returns the leg that carries a message of another channel from a number.
// body is a send, which is checked like any other.
func (s *Sender) NewLeg(ctx context.Context, number models.PhoneNumber, body []byte) (models.Leg, error) {
	request, err := decodeSend(body)
	if err != nil {
		return models.Leg{}, err
	}
	if request.Status != "" || request.orderParameters() != nil {
		return models.Leg{}, refusal.New(refusal.Unsupported, "type", "send a message without an order here")
	}
	checked, err := s.check(ctx, number, request)
	if err != nil {
		return models.Leg{}, err
	}
	made, err := newMessage(number, request, checked, s.now())
	return models.Leg{Channel: Channel, Sender: made.Sender, Kind: made.Kind, Payload: made.Payload, TTL: made.TTL}, err
}
