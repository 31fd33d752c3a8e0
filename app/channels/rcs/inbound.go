package rcs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/blocklist"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// receive stores what a person did with a bot of an organisation, for its webhook.
// A text that asks for no more messages is obeyed. It returns the id of the
// delivery, or 0 for a bot that never had a webhook.
func receive(ctx context.Context, tx pgx.Tx, jobs args.Inserter, organisationID int64, e event) (int64, error) {
	if e.Type == typeUserMessage && e.Text != "" {
		err := blocklist.ObeyStop(ctx, tx, blocklist.Inbound{OrganisationID: organisationID, Channel: Channel, From: digits(e.UserContact), Text: e.Text})
		if err != nil {
			return 0, fmt.Errorf("obeying a recipient of bot %s: %w", e.BotID, err)
		}
	}
	return e.store(ctx, tx, jobs)
}

// newInbound returns an event about something that a person did. What is written,
// tapped or shared has an id of its own.
func newInbound(botID, from, kind string, at time.Time) event {
	e := newEvent(botID, kind, at)
	e.UserContact = "+" + digits(from)
	if kind != typeTyping {
		e.MessageID = uuid.NewString()
	}
	return e
}

// The endings of numbers that answer through the virtual carrier.
const (
	endsTapping = "0019"
	endsSharing = "0020"
)

// simulateReply stores what the recipient of a message answers through the virtual
// carrier: it types, then it taps the first suggestion, shares a location or
// writes a text. A message without suggestions is answered with a text.
func simulateReply(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message) error {
	content, err := readObject(m.Payload)
	if err != nil {
		return fmt.Errorf("reading message %s: %w", m.ID, err)
	}
	shown, _ := content["contentMessage"].(map[string]any)
	now := time.Now()
	if _, err := receive(ctx, tx, jobs, m.OrganisationID, newInbound(m.Sender, m.Recipient, typeTyping, now)); err != nil {
		return err
	}
	answer := newInbound(m.Sender, m.Recipient, typeUserMessage, now.Add(time.Millisecond))
	taps := tapsOf(shown)
	switch {
	case strings.HasSuffix(m.Recipient, endsTapping) && len(taps) > 0:
		answer.tap(taps[0])
	case strings.HasSuffix(m.Recipient, endsSharing):
		answer.Location = &location{Latitude: 12.9716, Longitude: 77.5946}
	default:
		answer.Text = "Thank you."
	}
	_, err = receive(ctx, tx, jobs, m.OrganisationID, answer)
	return err
}

// tap is a suggestion that can be tapped.
type tap struct {
	tappedSuggestion
	Action bool
}

// tap turns an event into a tapped suggestion.
func (e *event) tap(t tap) {
	e.Type, e.SuggestionResponse, e.Context = typeSuggestion, &t.tappedSuggestion, &eventContext{Action: t.Action}
}

// tapsOf returns the suggestions of a message: its own first, then the ones of its
// cards.
func tapsOf(content map[string]any) (all []tap) {
	for _, item := range chips(content) {
		chip, _ := item.(map[string]any)
		inner, isReply := chip["reply"].(map[string]any)
		if !isReply {
			inner, _ = chip["action"].(map[string]any)
		}
		all = append(all, tap{tappedSuggestion{PostbackData: stringOf(inner["postbackData"]), DisplayText: stringOf(inner["text"])}, !isReply})
	}
	return all
}
