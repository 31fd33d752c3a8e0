package jobs_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/outbound"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs"
	"heliograph/jobs/args"
)

// Messages that a removed number has accepted fail with a signed callback, those that
// its carrier has go on to be reported, and nothing more is accepted. The rest of the
// number is deleted weeks later.
func TestMessagesOfARemovedNumber(t *testing.T) {
	t.Parallel()
	carrier := &away{Virtual: outbound.NewVirtual(nil), failures: 1 << 20}
	b := prepare(t, func(d *jobs.Deps) { d.Carrier = carrier })
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	b.work(t, slog.New(slog.DiscardHandler))
	id := b.send(t, "+919812345678")
	b.hasten(t, func() bool { return carrier.calls() > 1 })
	service := assets.New(b.pool, b.keyring)
	by := assets.By{OrganisationID: b.number.OrganisationID, Actor: "admin:1"}
	if _, uses, err := service.Find(t.Context(), by.OrganisationID, b.number.ID); err != nil || uses.Messages != 1 {
		t.Errorf("a number with one message: %+v, %v", uses, err)
	}
	if _, err := service.Remove(t.Context(), by, b.number.ID); err != nil {
		t.Fatal(err)
	}
	parsed, _ := messaging.ParseMessageID(id)
	b.hasten(t, func() bool { return b.stateOf(t, parsed) == "failed" })
	c := next(t, calls)
	mac := hmac.New(sha256.New, []byte(b.sandbox.WebhookSecret))
	mac.Write(c.body)
	signed := c.header.Get("X-Hub-Signature-256") == "sha256="+hex.EncodeToString(mac.Sum(nil))
	if c.status.ID != id || c.status.Status != "failed" || len(c.status.Errors) != 1 || c.status.Errors[0].Code != 133010 || !signed {
		t.Errorf("the callback of a message under way (signed %t): %s", signed, c.body)
	}
	if _, err := b.service.Numbers.Number(t.Context(), by.OrganisationID, strconv.FormatInt(b.number.ID, 10)); !fault.Is(err, fault.NotFound) {
		t.Errorf("a removed number is found: %v", err)
	}
	if _, err := service.Remove(t.Context(), by, b.number.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a number is removed twice: %v", err)
	}
	b.exec(t, `update phone_numbers set removed_at = removed_at - interval '41 days'`)
	if _, err := b.client.Insert(context.Background(), args.Housekeep{}, nil); err != nil {
		t.Fatal(err)
	}
	b.hasten(t, func() bool { return b.count(t, `select count(*) from registry where id = $1`, b.number.ID) == 0 })
	if n := b.count(t, `select count(*) from messages`); n != 1 {
		t.Errorf("%d messages are in the log, want 1", n)
	}
}

// The virtual carrier reports what it had when a number was removed.
func TestReportsOfARemovedNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	id := b.send(t, "+919812340005") // delivered after ten seconds, read after twenty
	if c := next(t, calls); c.status.Status != "sent" {
		t.Fatalf("first callback %+v", c.status)
	}
	by := assets.By{OrganisationID: b.number.OrganisationID, Actor: "admin:1"}
	if _, err := assets.New(b.pool, b.keyring).Remove(t.Context(), by, b.number.ID); err != nil {
		t.Fatal(err)
	}
	var states []string
	for range 2 {
		b.rushNext(t, "report_message")
		c := next(t, calls)
		if states = append(states, c.status.Status); c.status.ID != id {
			t.Errorf("a callback about %s", c.status.ID)
		}
	}
	if got := strings.Join(states, " "); got != "delivered read" {
		t.Errorf("callbacks %s after the removal", got)
	}
}

// An account with numbers stays. Without them it goes, with its templates; a
// catalogue goes with its products.
func TestRemoveAccountAndCatalogue(t *testing.T) {
	t.Parallel()
	b := prepare(t)
	service := assets.New(b.pool, b.keyring)
	by := assets.By{OrganisationID: b.number.OrganisationID, Actor: "admin:1"}
	if _, err := service.Remove(t.Context(), by, b.sandbox.BusinessAccountID); !fault.Is(err, fault.Conflict) {
		t.Errorf("an account with a number: %v", err)
	}
	other := assets.By{OrganisationID: by.OrganisationID + 1, Actor: "admin:1"}
	if _, err := service.Remove(t.Context(), other, b.sandbox.CatalogueID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a catalogue of another organisation: %v", err)
	}
	for _, id := range []int64{b.sandbox.PhoneNumberID, b.sandbox.BusinessAccountID, b.sandbox.CatalogueID} {
		if _, err := service.Remove(t.Context(), by, id); err != nil {
			t.Fatalf("removing %d: %v", id, err)
		}
		if _, err := b.service.Numbers.Kind(t.Context(), by.OrganisationID, strconv.FormatInt(id, 10)); !fault.Is(err, fault.NotFound) {
			t.Errorf("%d is still there: %v", id, err)
		}
	}
	list, err := service.List(t.Context(), by.OrganisationID)
	if err != nil || len(list.Numbers)+len(list.Accounts)+len(list.Catalogues) != 0 || len(list.Businesses) != 1 {
		t.Errorf("what is left: %+v, %v", list, err)
	}
	if n := b.count(t, `select count(*) from registry where kind = 'template'`); n != 0 {
		t.Errorf("%d templates are left of a removed account", n)
	}
	if n := b.count(t, `select count(*) from audit_waiting`) + b.count(t, `select count(*) from audit_entries where action like '%.remove'`); n != 3 {
		t.Errorf("%d entries in the audit, want 3", n)
	}
	b.exec(t, `update phone_numbers set removed_at = removed_at - interval '41 days'`)
	b.exec(t, `update business_accounts set removed_at = removed_at - interval '41 days'`)
	if err := writes.AssetDeleteRemoved(t.Context(), b.pool, 40*24*60*60*1e9); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, `select count(*) from registry`); n != 1 {
		t.Errorf("%d assets are left, want the business", n)
	}
	if _, err := service.AddNumber(t.Context(), by, assets.NewNumber{VerifiedName: "Lamps"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a number without an account: %v", err)
	}
}
