package assets_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/relay"
	"heliograph/app/people/notification"
	"heliograph/db/dbtest"
)

// outbox keeps emails in place of queueing them.
type outbox []notification.Email

func (l *outbox) SendEmail(_ context.Context, _ pgx.Tx, m notification.Email) error {
	*l = append(*l, m)
	return nil
}

// Owners of live numbers without a carrier get an email once, and again after the number
// has had one. Sandboxes and new numbers are left alone.
func TestTellStranded(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	service, live, sandbox := organisationsIn(t, tx)
	for _, by := range []assets.By{live, sandbox} {
		if _, err := service.AddAccount(t.Context(), by, "Repairs"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.AddNumber(t.Context(), sandbox, assets.NewNumber{VerifiedName: "Trial"}); err != nil {
		t.Fatal(err)
	}
	number, err := service.AddNumber(t.Context(), live, assets.NewNumber{Number: "+919812345678", VerifiedName: "Lamps"})
	if err != nil {
		t.Fatal(err)
	}
	tell := func(when string, want int) outbox {
		t.Helper()
		var sent outbox
		queued, err := relay.Notifier{Mail: &sent, PublicURL: "https://docs.example.com"}.TellStranded(t.Context(), tx)
		if err != nil || queued != want || len(sent) != want {
			t.Fatalf("%s: %d emails, %v, want %d", when, queued, err, want)
		}
		return sent
	}
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	tell("a new number", 0)
	exec(`update phone_numbers set created_at = now() - interval '2 hours'`)
	sent := tell("an older number", 1)
	if text := sent[0].Message.Text(); sent[0].To != "owner0@example.com" || !strings.Contains(text, "+91 98123 45678") {
		t.Errorf("to %s: %s", sent[0].To, text)
	}
	tell("once more", 0)
	exec(`insert into carriers (name, kind, url, settings) values ('up', 'http', 'https://up.example.com', '{}')`)
	exec(`insert into carrier_routes (channel, sender, organisation_id, carrier_id) select 'messaging', $1, 0, id from carriers`, fmt.Sprint(number))
	tell("with a carrier", 0)
	exec(`update carriers set disabled_at = now()`)
	tell("without it again", 1)
}
