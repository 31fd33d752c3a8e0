package jobs_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/delivery"
	"heliograph/app/messaging"
	"heliograph/db/models"
)

// A time to live also ends the wait for a recipient who is not reached. What was
// delivered in time stays so.
func TestSentMessageFailsWhenItsTimeToLiveIsOver(t *testing.T) {
	t.Parallel()
	for recipient, states := range map[string][2]string{"919812340003": {"sent", "failed"}, "919812340004": {"delivered", "delivered"}} {
		reached, want := states[0], states[1]
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			m := models.Message{
				ID: uuid.Must(uuid.NewV7()), OrganisationID: b.number.OrganisationID, Channel: messaging.Channel, Sender: strconv.FormatInt(b.number.ID, 10),
				Recipient: recipient, Kind: "text", Payload: []byte(`{"messaging_product":"msgapp","text":{"body":"Hello"}}`), TTL: 600, CreatedAt: time.Now(),
			}
			if _, err := delivery.NewAcceptor(b.pool, nil).Accept(t.Context(), delivery.Group{Messages: []models.Message{m}}); err != nil {
				t.Fatal(err)
			}
			b.await(t, reached)
			b.rush(t, "expire_message", func() bool {
				return b.count(t, `select count(*) from river.river_job where kind = 'expire_message' and state = 'completed'`) == 1
			})
			var state, code string
			err := b.pool.QueryRow(t.Context(), `select state, coalesce(failure->>'code', '') from messages`).Scan(&state, &code)
			if err != nil || state != want || (state == "failed") != (code == "131026") {
				t.Errorf("the message is %s with code %q, %v; want %s", state, code, err, want)
			}
			// Messages without a time to live of their own have no such job.
			b.send(t, "919812340003")
			b.await(t, "sent")
			if n := b.count(t, `select count(*) from river.river_job where kind = 'expire_message'`); n != 1 {
				t.Errorf("%d jobs expire messages, want 1", n)
			}
		})
	}
}

// await waits until a message is in a state.
func (b *bundle) await(t *testing.T, state string) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); b.count(t, `select count(*) from messages where state = $1`, state) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no message was %s within 60 s", state)
		}
	}
}
