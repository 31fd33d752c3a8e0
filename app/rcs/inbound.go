package rcs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
	"heliograph/jobs/args"
)

// The endings of numbers that answer through the virtual carrier.
const (
	endsTapping = "0019"
	endsSharing = "0020"
)

// SimulateReply stores what the recipient of a message answers through the virtual
// carrier: it types, then it taps the first suggestion, shares a location or
// writes a text. A message without suggestions is answered with a text.
func SimulateReply(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message) error {
	content, err := readObject(m.Payload)
	if err != nil {
		return fmt.Errorf("reading message %s: %w", m.ID, err)
	}
	shown, _ := content["contentMessage"].(map[string]any)
	now := time.Now()
	typing := newEvent(m.Sender, typeTyping, now)
	typing.UserContact = "+" + m.Recipient
	if err := typing.store(ctx, tx, jobs, nil); err != nil {
		return err
	}
	answer := newEvent(m.Sender, typeUserMessage, now.Add(time.Second))
	answer.UserContact, answer.MessageID = typing.UserContact, uuid.NewString()
	tap, action, ok := firstSuggestion(shown)
	switch {
	case strings.HasSuffix(m.Recipient, endsTapping) && ok:
		answer.Type, answer.SuggestionResponse, answer.Context = typeSuggestion, &tap, &eventContext{Action: action}
	case strings.HasSuffix(m.Recipient, endsSharing):
		answer.Location = &location{Latitude: 12.9716, Longitude: 77.5946}
	default:
		answer.Text = "Thank you."
	}
	return answer.store(ctx, tx, jobs, nil)
}
