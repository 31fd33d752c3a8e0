package messaging

import (
	"context"
	"fmt"
	"strings"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/phone"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// closedEnding is the ending of recipients with a window in a sandbox that is closed
// until they send a message.
const closedEnding = "0007"

// checkWindow checks that the recipient has sent a message to the number in the
// last 24 hours, which is required for everything except templates. In a sandbox
// the window is open, so that a first text works.
func checkWindow(ctx context.Context, s account, number models.PhoneNumber, recipient string) error {
	if number.Sandbox && !strings.HasSuffix(recipient, closedEnding) {
		return nil
	}
	open, err := s.isOpen(ctx, number, recipient)
	if err != nil {
		return err
	}
	if !open {
		field := "to"
		if phone.IsUserID(recipient) {
			field = "recipient"
		}
		return refusal.New(refusal.Window, field, "%s has not written to this number in the last 24 hours: send a template", recipient)
	}
	return nil
}

// isOpen reports whether a recipient has written to a number in the last 24 hours.
func (s *Sender) isOpen(ctx context.Context, number models.PhoneNumber, recipient string) (bool, error) {
	open, err := queries.ConversationOpen(ctx, s.pool, number.OrganisationID, number.ID, recipient)
	if err != nil {
		return false, fmt.Errorf("looking a conversation up: %w", err)
	}
	return open, nil
}
