package jobs_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// What a carrier took and gave up waits as long as after that many failures. A report
// of an earlier hand-over, and one of a message that has ended, put nothing off.
func TestGivenUpPartIsPutOff(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		message  string // state
		part     string // state
		handOver int    // that the report is about
		want     string // state of the message
		jobs     int
	}{
		"last hand-over":        {"sent", "sent", 4, "accepted", 1},
		"with its message only": {"sent", "dialling", 4, "accepted", 1},
		"earlier hand-over":     {"sent", "dialling", 3, "sent", 0},
		"ended":                 {"delivered", "sent", 4, "delivered", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := prepare(t)
			id := b.acceptSMS(t, b.number.OrganisationID, "919812345678", "Lamp")
			b.exec(t, `delete from river.river_job`)
			b.exec(t, `update messages set state = $2 where id = $1`, id, tt.message)
			b.exec(t, `insert into carriages (message_id, leg, part, channel, carrier, state, attempts) values ($1, 1, 1, 'sms', 'kannel', $2, 4)`, id, tt.part)
			if _, err := b.client.Insert(t.Context(), args.CarryAgain{MessageID: id, Leg: 1, Part: 1, HandOver: tt.handOver}, nil); err != nil {
				t.Fatal(err)
			}
			asked := time.Now()
			stop := b.workUntil(t, slog.New(slog.DiscardHandler))
			b.rush(t, "carry_again", func() bool {
				return b.count(t, `select count(*) from river.river_job where kind = 'carry_again' and state = 'completed'`) == 1
			})
			stop()
			if state := b.stateOf(t, id); state != tt.want {
				t.Errorf("the message is %s, want %s", state, tt.want)
			}
			// The fourth pause is two minutes, up to a quarter less by chance.
			due := b.count(t, `
				select count(*) from river.river_job where kind = 'carry_message' and (metadata->>'snoozes')::int = 4
				and scheduled_at between $1 and $2`, asked.Add(90*time.Second), time.Now().Add(2*time.Minute))
			if all := b.count(t, `select count(*) from river.river_job where kind = 'carry_message'`); due != tt.jobs || all != tt.jobs {
				t.Errorf("%d jobs hand the message over, %d of them after the pause, want %d", all, due, tt.jobs)
			}
		})
	}
}

// acceptSMS accepts an SMS of a live organisation.
func (b *bundle) acceptSMS(t *testing.T, organisation int64, to, text string) uuid.UUID {
	t.Helper()
	payload := sms.Payload{Header: "PARCEL", Type: "PM", Encoding: "GSM7", Text: text}
	body, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	m := models.Message{
		ID: uuid.Must(uuid.NewV7()), OrganisationID: organisation, Channel: sms.Channel, Sender: "PARCEL", Recipient: to, Kind: "PM", Payload: body,
		TTL: 3600, State: pipeline.Accepted, Parts: 1 + len(text)/161, Subject: "-", CreatedAt: time.Now(),
	}
	if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(context.Background(), pipeline.Group{Messages: []models.Message{m}, Reply: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	return m.ID
}

func (b *bundle) stateOf(t *testing.T, id uuid.UUID) (state string) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `select state from messages where id = $1`, id).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}
