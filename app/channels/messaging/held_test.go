package messaging_test

import (
	"strconv"
	"testing"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
)

// What happens while a webhook is cleared or disabled is stored without being
// posted, and can be replayed once the webhook is set again.
func TestEventsOfAWebhookThatTakesNothingCanBeReplayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hook := messaging.Webhook{URL: "https://hooks.example.com/"}
	set := func(w messaging.Webhook) {
		t.Helper()
		if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, w, "test"); err != nil {
			t.Fatal(err)
		}
	}
	b.report(t, b.accepted(t), "sent")
	if n := b.count(t, `select count(*) from deliveries`); n != 0 {
		t.Errorf("%d callbacks are stored for a webhook that was never set", n)
	}
	set(hook)
	set(messaging.Webhook{})
	b.report(t, b.accepted(t), "sent", "delivered")
	set(hook)
	if _, err := b.pool.Exec(t.Context(), `update webhooks set disabled_at = now(), disabled_reason = 'x'`); err != nil {
		t.Fatal(err)
	}
	b.report(t, b.accepted(t), "sent")
	held := `select count(*) from deliveries where state = 'failed' and attempts = 0 and next_attempt_at is null and finished_at is not null`
	if n := b.count(t, held); n != 3 {
		t.Errorf("%d callbacks are held, want 3", n)
	}
	if n := b.count(t, `select count(*) from river.river_job where kind = 'relay_callback'`); n != 0 {
		t.Errorf("%d jobs post callbacks that nobody takes", n)
	}
	set(hook)
	w, err := b.service.Webhooks.FindWebhook(t.Context(), b.number.OrganisationID, strconv.FormatInt(b.number.ID, 10))
	if err != nil {
		t.Fatal(err)
	}
	done, err := b.service.Webhooks.ReplayMany(t.Context(), w, relay.ReplayRange{Since: time.Now().Add(-time.Hour), Until: time.Now().Add(time.Hour)}, "test")
	if err != nil || done.Callbacks != 3 {
		t.Errorf("%d callbacks are replayed, %v; want 3", done.Callbacks, err)
	}
	if n := b.count(t, `select count(*) from river.river_job where kind = 'relay_callback'`); n != 3 {
		t.Errorf("%d jobs post the replayed callbacks, want 3", n)
	}
	b.report(t, b.accepted(t), "sent")
	if n := b.count(t, `select count(*) from deliveries where state = 'pending'`); n != 4 {
		t.Errorf("%d callbacks are to be posted, want 4", n)
	}
}
