package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// bench is a service over a transaction that is rolled back.
func bench(t *testing.T) (*Service, int64) {
	t.Helper()
	tx := dbtest.Tx(t)
	jobs, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Pool: tx, Jobs: jobs})
	var organisation int64
	if err := tx.QueryRow(t.Context(), `insert into organisations (name) values ('Lighthouse') returning id`).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	return s, organisation
}

func addBot(t *testing.T, s *Service, organisation int64, verification, launch string) models.RCSBot {
	t.Helper()
	b := models.RCSBot{ID: newID(), OrganisationID: organisation, Name: newID(), Profile: json.RawMessage("{}")}
	err := db.InTx(t.Context(), s.Bots.pool, func(tx pgx.Tx) error {
		if _, err := writes.RCSBotInsert(t.Context(), tx, b); err != nil {
			return err
		}
		b.Verification, b.Launch, b.Transform = verification, launch, formDefault
		return writes.RCSBotUpdate(t.Context(), tx, b)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A launched bot reaches everybody, a suspended one nobody, and any other the
// devices that accepted.
func TestWhoMayBeReached(t *testing.T) {
	t.Parallel()
	s, organisation := bench(t)
	states := map[string]string{"": "919800000000", pending: "919800000001", accepted: "919800000002", declined: "919800000003"}
	tried := 0
	for _, state := range []string{
		"UNVERIFIED UNLAUNCHED", "PENDING UNLAUNCHED", "REJECTED UNLAUNCHED", "VERIFIED UNLAUNCHED", "VERIFIED PENDING",
		"VERIFIED REJECTED", "VERIFIED LAUNCHED", "VERIFIED SUSPENDED", "VERIFIED PENDING_UNLAUNCH",
	} {
		verification, launch, _ := strings.Cut(state, " ")
		b := addBot(t, s, organisation, verification, launch)
		for device, number := range states {
			if device != "" {
				d := models.RCSDevice{BotID: b.ID, Number: number, State: device}
				if err := writes.RCSDeviceUpsert(t.Context(), s.Bots.pool, d); err != nil {
					t.Fatal(err)
				}
				if err := writes.RCSDeviceUpdate(t.Context(), s.Bots.pool, d); err != nil {
					t.Fatal(err)
				}
			}
			r := &recipient{numberAt: "to", to: "+" + number}
			err := s.Sender.checkMaySend(t.Context(), &batch{bot: b, recipients: []*recipient{r}})
			if err == nil && r.refusal != nil {
				err = (&batch{recipients: []*recipient{r}}).checkAnyAccepted()
			}
			may := launch == lifecycle.Launched || device == accepted && launch != lifecycle.Suspended
			if tried++; (err == nil) != may || err != nil && !fault.Is(err, fault.Forbidden) {
				t.Errorf("a bot that is %s to a device that is %q: %v", state, device, err)
			}
		}
		// One that may not be reached is rejected, and the other is sent to.
		two := []*recipient{{numberAt: "recipients[0]", to: "+" + states[accepted]}, {numberAt: "recipients[1]", to: "+" + states[declined]}}
		err := s.Sender.checkMaySend(t.Context(), &batch{bot: b, recipients: two})
		if launch != lifecycle.Launched && launch != lifecycle.Suspended && (err != nil || !two[0].isOpen() || two[1].isOpen() || two[1].refusal.Code != 403) {
			t.Errorf("two recipients of a bot that is %s: %v %+v", state, err, two[1].refusal)
		}
	}
	if tried != 9*4 {
		t.Errorf("%d combinations were tried", tried)
	}
}

// A template is reviewed after every change of its content, and only approved ones
// are sent. A review of an older content changes nothing.
func TestTemplateMoves(t *testing.T) {
	t.Parallel()
	s, organisation := bench(t)
	by := By{organisation, "user:1"}
	b := addBot(t, s, organisation, lifecycle.Verified, lifecycle.Launched)
	content := func(n int) input.Object {
		return input.Object{"templateType": textTemplate, "text": fmt.Sprint("Lamp ", n)}
	}
	first := content(0)
	first["botId"], first["templateName"] = b.ID, "lamp"
	ref, err := s.Templates.CreateTemplate(t.Context(), by, first)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(16, 2))
	state, revision := pending, 1
	sends := func() error {
		of := &batch{bot: b, recipients: []*recipient{{template: "lamp"}}}
		if err := s.Sender.loadTemplates(t.Context(), of); err != nil {
			return err
		}
		return of.checkAnyAccepted()
	}
	for step := range 400 {
		act, reason := random.IntN(3), []string{"", "Not yours"}[random.IntN(2)]
		var err error
		may := true
		switch act {
		case 0:
			update := content(step)
			update["templateId"] = ref.ID
			_, err = s.Templates.UpdateTemplate(t.Context(), by, update)
			if may = state != pending; may {
				state, revision = pending, revision+1
			}
		case 1:
			err = s.Desk.ReviewTemplate(t.Context(), "admin:1", ref.ID, reason)
			if may = state == pending; may {
				state = map[bool]string{true: approved, false: rejected}[reason == ""]
			}
		case 2:
			of := revision - random.IntN(2)
			err = s.Templates.reviewAutomatically(t.Context(), ref.ID, of)
			if state == pending && of == revision {
				state = approved
			}
		}
		if (err == nil) != may || err != nil && !fault.Is(err, fault.Conflict) {
			t.Fatalf("step %d: act %d of a template that is %s: %v", step, act, state, err)
		}
		stored, err := queries.RCSTemplateGet(t.Context(), s.Bots.pool, ref.ID)
		if err != nil || stored.State != state || stored.Revision != revision || (stored.Reason != "") != (state == rejected) {
			t.Fatalf("step %d: stored as %s, revision %d, %q: %v; want %s, %d", step, stored.State, stored.Revision, stored.Reason, err, state, revision)
		}
		if err := sends(); (err == nil) != (state == approved) {
			t.Fatalf("step %d: sending one that is %s: %v", step, state, err)
		}
	}
}

// reviewAutomatically is the job of an automatic review.
func (s *Templates) reviewAutomatically(ctx context.Context, id string, revision int) error {
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		return ReviewAutomatically(ctx, tx, s.jobs, args.ReviewRCSTemplate{TemplateID: id, Revision: revision})
	})
}
