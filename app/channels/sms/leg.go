package sms

import (
	"context"

	"heliograph/db/models"
)

// NewLeg returns the leg that carries a message of another channel as an SMS. m is
// the text and its only recipient; it is checked like a submission. The error is a
// *Refusal if it cannot be sent.
func (s *Service) NewLeg(ctx context.Context, organisationID int64, m Message) (models.Leg, error) {
	b := batch{response: NewResponse(s.Now())}
	err := s.review(ctx, SubmitRequest{OrganisationID: organisationID, Submission: &Submission{Messages: []Message{m}}}, &b)
	if err != nil {
		return models.Leg{}, err
	}
	if len(b.messages) != 1 {
		return models.Leg{}, refuse(b.response.Messages[0].Code, "")
	}
	made := b.messages[0]
	return models.Leg{Channel: Channel, Sender: made.Sender, Kind: made.Kind, Payload: made.Payload, Parts: made.Parts, TTL: made.TTL}, nil
}
