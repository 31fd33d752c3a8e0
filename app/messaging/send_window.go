package messaging

import (
	"context"
	"fmt"
	"strings"

	"heliograph/db/models"
	"heliograph/db/queries"
)

// closedEnding marks the recipients to whom the window of a sandbox counts as
// closed until they write.
const closedEnding = "0007"

// checkWindow holds a message that is not a template to the window: its
// recipient has written to the number in the last 24 hours. For a sandbox the
// window is open, so that a first text just works.
func (s *Service) checkWindow(ctx context.Context, number models.PhoneNumber, recipient string) error {
	if number.Sandbox && !strings.HasSuffix(recipient, closedEnding) {
		return nil
	}
	open, err := queries.ConversationOpen(ctx, s.pool, number.ID, recipient)
	if err != nil {
		return fmt.Errorf("looking a conversation up: %w", err)
	}
	if !open {
		return reject(codeWindow, "to", "%s has not written to this number in the last 24 hours: send a template", recipient)
	}
	return nil
}
