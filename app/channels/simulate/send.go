package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	peoplequeries "heliograph/db/queries/people"
)

// Sandbox sends texts of the simulators for organisations that are a sandbox. Their
// messages reach nobody.
type Sandbox struct {
	DB        db.Querier
	Webhooks  *messaging.Webhooks
	Messaging *messaging.Service
	SMS       *sms.Service
	RCS       *rcs.Service
}

// Sent is the outcome of sending a text.
type Sent struct {
	Answer string // of the service, as JSON
	// Sender is what the text was sent from, where that is not in the text.
	Sender string
}

// MaySend reports whether an organisation is a sandbox.
func (s *Sandbox) MaySend(ctx context.Context, organisationID int64) (bool, error) {
	sandbox, err := peoplequeries.OrganisationIsSandbox(ctx, s.DB, organisationID)
	if err != nil {
		return false, fmt.Errorf("looking organisation %d up: %w", organisationID, err)
	}
	return sandbox, nil
}

// errLive is the answer to organisations that send to people.
var errLive = fault.New(fault.Conflict, "Your organisation is live. The simulator sends for sandboxes only, so that no person gets a test.")

// Send sends a text with a sender of an organisation's sandbox. The text may name a
// sender of the simulator: one of the organisation takes its place. Live organisations
// are refused.
func (s *Sandbox) Send(ctx context.Context, channel string, freeflow bool, organisationID int64, text string) (Sent, error) {
	sandbox, err := s.MaySend(ctx, organisationID)
	if err != nil {
		return Sent{}, err
	}
	if !sandbox {
		return Sent{}, errLive
	}
	switch channel {
	case messaging.Channel:
		return s.sendMessage(ctx, organisationID, text)
	case rcs.Channel:
		return s.sendRCS(ctx, freeflow, organisationID, text)
	}
	return s.sendSMS(ctx, organisationID, text)
}

func noSender(what string) error {
	return fault.New(fault.Conflict, "Your sandbox has no %s to send from.", what)
}

func (s *Sandbox) sendMessage(ctx context.Context, organisationID int64, text string) (sent Sent, err error) {
	numbers, err := s.Webhooks.ListWebhooks(ctx, organisationID)
	if err != nil {
		return sent, err
	}
	if len(numbers) == 0 {
		return sent, noSender("number")
	}
	number, err := s.Messaging.Numbers.Number(ctx, organisationID, fmt.Sprint(numbers[0].Number.ID))
	if err != nil {
		return sent, err
	}
	if !number.Sandbox {
		return sent, errLive
	}
	reply, err := s.Messaging.Sender.Send(ctx, number, []byte(text), "")
	if err != nil {
		return sent, err
	}
	return Sent{pretty(json.RawMessage(reply.Body)), number.Number}, nil
}

func (s *Sandbox) sendRCS(ctx context.Context, freeflow bool, organisationID int64, text string) (sent Sent, err error) {
	bots, err := queries.RCSBotList(ctx, s.DB, organisationID, "", queries.RCSPage{Limit: 100})
	if err != nil {
		return sent, fmt.Errorf("listing bots: %w", err)
	}
	var in input.Object
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return sent, fault.New(fault.Invalid, "This is not JSON.")
	}
	sender := ""
	for _, b := range bots {
		if b.Launch == "LAUNCHED" && (sender == "" || in["botId"] == b.ID) {
			sender = b.ID
		}
	}
	if sender == "" {
		return sent, noSender("launched bot")
	}
	in["botId"] = sender
	send := s.RCS.Sender.Send
	if freeflow {
		send = s.RCS.Sender.SendFreeflow
	}
	outcomes, _, err := send(ctx, rcs.Request{OrganisationID: organisationID, Input: in, Body: []byte(text)})
	if err != nil {
		return sent, err
	}
	return Sent{pretty(outcomes), sender}, nil
}

func (s *Sandbox) sendSMS(ctx context.Context, organisationID int64, text string) (sent Sent, err error) {
	headers, err := queries.SMSHeaderList(ctx, s.DB, organisationID)
	if err != nil {
		return sent, fmt.Errorf("listing headers: %w", err)
	}
	if len(headers) == 0 {
		return sent, noSender("header")
	}
	submission, err := sms.ReadJSON([]byte(text))
	var refusal *sms.Refusal
	if errors.As(err, &refusal) {
		return sent, fault.New(fault.Invalid, "%s", refusal.Error())
	}
	if err != nil {
		return sent, err
	}
	own := map[string]bool{}
	for _, h := range headers {
		own[h.Header] = true
	}
	for i := range submission.Messages {
		if !own[string(submission.Messages[i].Header)] {
			submission.Messages[i].Header, sent.Sender = input.Text(headers[0].Header), headers[0].Header
		}
	}
	response, err := s.SMS.Submit(ctx, sms.SubmitRequest{OrganisationID: organisationID, Submission: submission, Body: []byte(text)})
	if err != nil {
		return sent, err
	}
	sent.Answer = pretty(response)
	return sent, nil
}
