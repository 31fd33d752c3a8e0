package relay

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/notification"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Mailer queues letters in the transaction of what they are about.
type Mailer interface {
	SendEmail(ctx context.Context, tx pgx.Tx, m notification.Email) error
}

// Letters tell organisations what becomes of their webhooks.
type Letters struct {
	Mail Mailer
	// PublicURL begins the links.
	PublicURL string
}

// letterLife is how long it makes sense to send a letter.
const letterLife = 24 * time.Hour

// TellDisabled writes to the active owners of an organisation within tx that a
// webhook of theirs was just disabled.
func (l Letters) TellDisabled(ctx context.Context, tx pgx.Tx, w models.Webhook) error {
	stored, err := queries.WebhookGet(ctx, tx, w.Channel, w.Subject)
	if err != nil {
		return fmt.Errorf("loading webhook %d: %w", w.ID, err)
	}
	people, err := queries.ColleagueList(ctx, tx, w.OrganisationID)
	if err != nil {
		return fmt.Errorf("finding the owners of webhook %d: %w", w.ID, err)
	}
	for _, p := range people {
		if p.Role != "owner" || !p.Active {
			continue
		}
		err := l.Mail.SendEmail(ctx, tx, notification.Email{
			To: p.Email, Purpose: "webhook_disabled", Topic: fmt.Sprintf("webhook_disabled:%d:%d", w.ID, p.ID), ExpiresAt: time.Now().Add(letterLife),
			Subject: "A webhook of yours was disabled",
			Text: fmt.Sprintf(`Nothing is posted any more to your webhook at %s: %s.

Messages go out as before, and what becomes of them is in your account. Once
the endpoint is well, enable the webhook and replay what failed:
%s/account/webhooks/%s
`, host(w.URL), stored.DisabledReason, l.PublicURL, w.Subject),
		})
		if err != nil {
			return fmt.Errorf("writing to user %d: %w", p.ID, err)
		}
	}
	return nil
}

// host leaves out what of an address may be secret.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "its address"
	}
	return u.Host
}
