package relay_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/app/people/notification"
)

type outbox struct{ sent []notification.Email }

func (o *outbox) SendEmail(_ context.Context, _ pgx.Tx, m notification.Email) error {
	o.sent = append(o.sent, m)
	return nil
}

// Active owners get one email each, which says why and where to go, and holds
// nothing of the address but its host: paths and queries carry secrets.
func TestOwnersHearOfADisabledWebhook(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://user:hunter2@hooks.example.com:8443/t/hunter2?token=hunter2": "your webhook at hooks.example.com:8443:",
		"https://hooks.example.com/%zz/hunter2":                               "your webhook at its address:",
	} {
		tx, load := deliver(t)
		webhook := load().Webhook
		webhook.URL = address
		if _, err := tx.Exec(t.Context(), `update webhooks set disabled_reason = 'the endpoint answered 410 Gone'`); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), `
			insert into organisation_users (organisation_id, name, email, password_hash, role, active) values
			($1, 'Asha', 'asha@example.com', '', 'owner', true), ($1, 'Bela', 'bela@example.com', '', 'owner', false),
			($1, 'Mina', 'mina@example.com', '', 'developer', true), ($1, 'Noor', 'noor@example.com', '', 'owner', true)`, webhook.OrganisationID); err != nil {
			t.Fatal(err)
		}
		var mail outbox
		began := time.Now()
		notifier := relay.Notifier{Mail: &mail, PublicURL: "https://portal.example.com"}
		if err := notifier.NotifyDisabled(t.Context(), tx, webhook); err != nil {
			t.Fatal(err)
		}
		if len(mail.sent) != 2 || mail.sent[0].To != "asha@example.com" || mail.sent[1].To != "noor@example.com" {
			t.Fatalf("emails: %+v, want one to each active owner", mail.sent)
		}
		if mail.sent[0].Topic == mail.sent[1].Topic {
			t.Errorf("both emails have the topic %q: one replaces the other", mail.sent[0].Topic)
		}
		for _, m := range mail.sent {
			for _, part := range []string{want, "the endpoint answered 410 Gone", "https://portal.example.com/account/webhooks/1000000000000003\n"} {
				if !strings.Contains(m.Text(), part) {
					t.Errorf("the email does not say %q:\n%s", part, m.Text())
				}
			}
			if strings.Contains(m.Text(), "hunter2") {
				t.Errorf("the email gives a secret away:\n%s", m.Text())
			}
			if life := m.ExpiresAt.Sub(began); life < 24*time.Hour || life > 25*time.Hour {
				t.Errorf("the email expires after %s, want a day", life)
			}
		}
	}
}
