package relay_test

import (
	"net/http"
	"strings"
	"testing"

	"heliograph/app/channels"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	queries "heliograph/db/queries/channels"
)

// A callback to an address of a webhook range is handed over without dialling, signed
// with the secret of its webhook, and tried again as the range asks for it.
func TestCallbacksToARangeStayInside(t *testing.T) {
	t.Parallel()
	c := newCourier(t)
	ctx := t.Context()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	// The host does not exist: whatever dials it fails.
	ranges := webhookrange.New(webhookrange.Options{Channels: channels.Declared(), DB: c.pool, Keyring: keys, PublicURL: "https://portal.invalid"})
	client := outbound.New(outbound.Options{Inside: ranges})
	c.postWith(client)
	var organisation int64
	if err := c.pool.QueryRow(ctx, `select organisation_id from deliveries where id = $1`, c.id).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	if err := ranges.Open(ctx, organisation, "test"); err != nil {
		t.Fatal(err)
	}
	open, err := ranges.Get(ctx, organisation)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CheckURL(open.Address); err != nil {
		t.Fatalf("the address cannot be entered as a webhook: %v", err)
	}
	if _, err := client.CheckURL("https://portal.invalid/range/other"); err == nil {
		t.Error("another address of the portal is taken")
	}
	if err := client.Challenge(ctx, "1", open.Address, nil, "token"); err != nil {
		t.Errorf("the address does not answer the challenge: %v", err)
	}
	if _, err := c.pool.Exec(ctx, `update webhooks set url = $1`, open.Address); err != nil {
		t.Fatal(err)
	}
	if err := ranges.SetAnswer(ctx, organisation, webhookrange.Answer{Status: http.StatusServiceUnavailable, Body: "later"}); err != nil {
		t.Fatal(err)
	}
	if again := c.work(t); again == 0 {
		t.Error("an answer of 503 is not tried again")
	}
	if err := ranges.SetAnswer(ctx, organisation, webhookrange.Answer{Status: http.StatusOK}); err != nil {
		t.Fatal(err)
	}
	if again := c.work(t); again != 0 {
		t.Errorf("a success is tried again after %v", again)
	}
	list, err := ranges.List(ctx, organisation)
	if err != nil || len(list) != 3 { // the challenge is one
		t.Fatalf("%d requests came, %v", len(list), err)
	}
	if repeated := list[0]; repeated.FirstNumber == nil || *repeated.FirstNumber != list[1].Number || !repeated.Inside || repeated.Event != "message.sent" || repeated.EventAt == nil {
		t.Errorf("the second attempt is shown as %+v", repeated)
	}
	taken, err := ranges.Find(ctx, organisation, list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if verdict, err := ranges.Check(ctx, taken, ""); err != nil || !verdict.OK || verdict.Secret != "the signing secret of the webhook" {
		t.Errorf("the signature: %+v, %v", verdict, err)
	}
	if verdict, err := ranges.Check(ctx, taken, keyring.NewWebhookSecret()); err != nil || verdict.OK {
		t.Errorf("another secret: %+v, %v", verdict, err)
	}
	if c.calls.Load() != 0 {
		t.Error("something was dialled")
	}
	if _, _, attempts, err := queries.DeliveryGetLogged(ctx, c.pool, organisation, c.id); err != nil || len(attempts) != 2 || attempts[0].Status+attempts[1].Status != 703 {
		t.Errorf("the attempts are %+v, %v", attempts, err)
	}
}
