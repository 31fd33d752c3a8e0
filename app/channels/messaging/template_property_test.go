package messaging_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/fault"
	"heliograph/app/input"
)

// sends waits until a template can, or cannot, be sent: other processes hear of
// a change after a moment.
func (b *templateBench) sends(t *testing.T, name string, want bool) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"messaging_product": "msgapp", "to": "919812345678", "type": "template",
		"template": map[string]any{"name": name, "language": map[string]string{"code": "en_US"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		_, err := b.service.Sender.Send(t.Context(), b.number, body, "")
		if err != nil && fault.As(err) == nil {
			t.Fatal(err)
		}
		if (err == nil) == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("sending %s: %v, want it sent: %v", name, err, want)
		}
	}
}

// documentedMoves are the moves that the contract describes; some take two
// steps at once, such as an approval with the pause that follows it.
var documentedMoves = map[string][]string{
	"":                 {"PENDING", "APPROVED"},
	"PENDING":          {"APPROVED", "REJECTED", "PAUSED", "DISABLED", "DELETED", "PENDING_DELETION"},
	"REJECTED":         {"PENDING", "DELETED", "PENDING_DELETION"},
	"APPROVED":         {"PENDING", "PAUSED", "DISABLED", "DELETED", "PENDING_DELETION"},
	"PAUSED":           {"APPROVED", "PENDING", "DELETED", "PENDING_DELETION", "DISABLED"},
	"DISABLED":         {"DELETED", "PENDING_DELETION"},
	"PENDING_DELETION": {"DELETED"},
}

// templateWalk does one thing after another to templates and watches them.
type templateWalk struct {
	*templateBench
	random *rand.Rand
	ids    []string
	state  map[string]string // by id
	moves  map[string]bool   // that were seen
}

// Whatever is done in whatever order, a template moves along the documented
// table only, and a refused step leaves it as it was.
func TestTemplatesNeverLeaveTheirTable(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	w := &templateWalk{setupTemplates(t), rand.New(rand.NewPCG(seed, 1)), nil, map[string]string{}, map[string]bool{}}
	endings := []string{"plain", "x_rejected", "x_category", "x_paused", "x_disabled", "x_flagged", "x_pending"}
	// Some walks take longer than others to come by most of the moves.
	for i := 0; i < 600 || len(w.moves) < 10 && i < 6000; i++ {
		what, refused := "create", false
		if len(w.ids) < 3 || w.random.IntN(6) == 0 {
			w.made(t, plain(fmt.Sprintf("n%d_%s", i, endings[w.random.IntN(len(endings))]), "UTILITY"))
		} else {
			what = []string{"review", "edit", "delete", "settle", "send", "wait"}[w.random.IntN(6)]
			err := w.do(t, what, w.ids[w.random.IntN(len(w.ids))])
			if refused = err != nil; refused && fault.As(err) == nil {
				t.Fatalf("seed %d: %s: %v", seed, what, err)
			}
		}
		if err := w.look(t, refused); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, what, err)
		}
	}
	if len(w.moves) < 10 {
		t.Errorf("seed %d: only %d different moves were made: %v", seed, len(w.moves), w.moves)
	}
}

// do does something to a template, whether it may be done or not.
func (w *templateWalk) do(t *testing.T, what, id string) error {
	t.Helper()
	found, gone := w.service.Templates.Template(t.Context(), w.account.OrganisationID, id)
	switch what {
	case "review":
		if gone == nil {
			w.reviewRevision(t, found.ID, found.Revision-w.random.IntN(2))
		}
	case "edit":
		return w.edit(t, id, `{"components":[{"type":"BODY","text":"Again"}]}`)
	case "delete":
		return w.service.Templates.DeleteTemplates(t.Context(), w.account, templates.Choice{IDs: input.Text(id)})
	case "settle":
		w.exec(t, `update messages set state = 'read'`)
		w.exec(t, `update message_templates set paused_until = now() where paused_until is not null`)
		w.settle(t)
	case "send":
		w.sends(t, found.Name, found.Status == "APPROVED")
	case "wait":
		w.exec(t, `update message_templates set edits = '{}'`)
	}
	return nil
}

// look compares every template with what it was before a step.
func (w *templateWalk) look(t *testing.T, refused bool) error {
	t.Helper()
	rows, err := w.pool.Query(t.Context(), `select id::text, status from message_templates where name like 'n%\_%' order by seq`)
	if err != nil {
		return err
	}
	var id, now string
	_, err = pgx.ForEachRow(rows, []any{&id, &now}, func() error {
		was, known := w.state[id]
		switch {
		case now == was:
			return nil
		case refused:
			return fmt.Errorf("a refused step moved %s from %s to %s", id, was, now)
		case !slices.Contains(documentedMoves[was], now):
			return fmt.Errorf("template %s moved from %q to %s", id, was, now)
		case !known:
			w.ids = append(w.ids, id)
		}
		w.state[id] = now
		w.moves[was+" to "+now] = true
		return nil
	})
	return err
}
