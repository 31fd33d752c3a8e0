package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/jobs"
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
			if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), pipeline.Group{Messages: []models.Message{m}}); err != nil {
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

// An SMS that its operator has taken and never reported on ends as EXPIRED: with an
// expiry of its own by a job, and otherwise when all messages of its age are looked at.
func TestSubmittedSMSExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	add := func(ttl int, created time.Time) models.Message {
		m := models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: b.number.OrganisationID, Channel: sms.Channel, Sender: "PARCEL", Recipient: "919812340003", Kind: "AD",
			Payload: []byte(`{"encoding":"GSM7","text":"Hello","header":"PARCEL"}`), TTL: ttl, Parts: 1, CreatedAt: created,
		}
		if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), pipeline.Group{Messages: []models.Message{m}}); err != nil {
			t.Fatal(err)
		}
		return m
	}
	short, usual := add(60, time.Now()), add(86_410, time.Now())
	sent := func() bool { return b.count(t, `select count(*) from messages where state = 'sent'`) == 2 }
	for deadline := time.Now().Add(60 * time.Second); !sent(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the messages were not sent within 60 s")
		}
	}
	if n := b.count(t, `select count(*) from river.river_job where kind = 'expire_message'`); n != 1 {
		t.Errorf("%d jobs expire messages, want one for the message with an expiry of its own", n)
	}
	b.rush(t, "expire_message", func() bool {
		return b.count(t, `select count(*) from messages where id = $1 and state = 'expired' and failure->>'code' = '640'`, short.ID) == 1
	})
	settle := func(after time.Duration) []models.Moved {
		settled, err := channels.Declared().Settle(t.Context(), b.pool, b.client, time.Now().Add(after))
		if err != nil {
			t.Fatal(err)
		}
		return settled.Ended
	}
	if ended := settle(24 * time.Hour); len(ended) != 0 {
		t.Errorf("%d messages ended before their life was over", len(ended))
	}
	ended := settle(25 * time.Hour)
	if len(ended) != 1 || ended[0].ID != usual.ID || ended[0].State != "expired" {
		t.Errorf("after its life: %+v", ended)
	}
	if ended := settle(25 * time.Hour); len(ended) != 0 {
		t.Errorf("%d messages ended again", len(ended))
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

// revoking is a carrier that takes messages back, but not at the first two tries.
type revoking struct {
	*outbound.Virtual
	mu    sync.Mutex
	tries []string
}

func (r *revoking) Revoke(_ context.Context, m outbound.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tries = append(r.tries, m.ID); len(r.tries) < 3 {
		return errors.New("the carrier is away")
	}
	return nil
}

func (r *revoking) asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tries)
}

// A carrier that can take a message back does so before the message expires, so
// that its fallback does not follow one that arrives. One that was delivered in
// time is left alone.
func TestExpiredMessageIsRevokedFirst(t *testing.T) {
	t.Parallel()
	carrier := &revoking{Virtual: outbound.NewVirtual(nil)}
	b := setup(t, func(d *jobs.Deps) { d.Carrier = carrier })
	add := func(recipient string) models.Message {
		m := models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: b.number.OrganisationID, Channel: rcs.Channel, Sender: "bot-1234567890123456", Recipient: recipient, Kind: "text",
			Payload: []byte(`{"contentMessage":{"text":"Hello"},"after":"TTL"}`), TTL: 600, CreatedAt: time.Now(),
			Legs: []models.Leg{{Channel: "sms", Sender: "HELIOG", Kind: "text", Payload: []byte(`{"encoding":"GSM7","text":"Hello"}`)}},
		}
		if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), pipeline.Group{Messages: []models.Message{m}}); err != nil {
			t.Fatal(err)
		}
		return m
	}
	arrived, lost := add("919812340014"), add("919812340013")
	done := func() bool {
		return b.count(t, `select count(*) from river.river_job where kind = 'expire_message' and state = 'completed'`) == 2
	}
	b.await(t, "delivered")
	b.rush(t, "expire_message", func() bool {
		fallen := b.count(t, `select count(*) from messages where id = $1 and leg > 1`, lost.ID) == 1 // looked at first: tries only grow
		if fallen && len(carrier.asked()) < 3 {
			t.Fatal("the fallback began before the message was revoked")
		}
		return done()
	})
	if got := carrier.asked(); len(got) != 3 || got[0] != lost.ID.String() || got[2] != lost.ID.String() {
		t.Errorf("taken back: %v, want %s three times", got, lost.ID)
	}
	if n := b.count(t, `select count(*) from messages where id = $1 and leg = 1 and state = 'delivered'`, arrived.ID); n != 1 {
		t.Error("a message that was delivered did not stay so")
	}
	b.rush(t, "report_message", func() bool {
		return b.count(t, `select count(*) from messages where id = $1 and leg = 2 and state = 'delivered'`, lost.ID) == 1
	})
}
