package relay

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/people/notification"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/views/email"
)

// Notifier sends organisations emails about their webhooks.
type Notifier struct {
	Mail notification.Mailer
	// PublicURL is the start of links.
	PublicURL string
}

// emailLife is how long an email is worth sending.
const emailLife = 24 * time.Hour

// NotifyDisabled queues an email to the active owners of an organisation within
// tx. It says that their webhook was disabled.
func (l Notifier) NotifyDisabled(ctx context.Context, tx pgx.Tx, w models.Webhook) error {
	stored, err := queries.WebhookGet(ctx, tx, w.Channel, w.Subject)
	if err != nil {
		return fmt.Errorf("loading webhook %d: %w", w.ID, err)
	}
	_, err = notification.TellOwners(ctx, tx, l.Mail, w.OrganisationID, notification.Email{
		Purpose: "webhook_disabled", Topic: fmt.Sprintf("webhook_disabled:%d", w.ID), ExpiresAt: time.Now().Add(emailLife),
		Message: email.WebhookDisabled(host(w.URL), stored.DisabledReason, l.PublicURL+"/account/webhooks/"+w.Subject),
	})
	return err
}

// host returns the host of a URL, without parts that may be secret.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "its address"
	}
	return u.Host
}
