package editorial_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
)

// talk comments on a change set.
func (m *machine) talk() act {
	s := m.aSet(openStates)
	actor := m.anyone(m.ada, m.ben, m.boss)
	if t, ok := m.aThread(); ok && m.chance(60) {
		what := m.pick("reply", "resolve", "reopen")
		run := map[string]func(b db.Beginner) error{
			"reply":   func(b db.Beginner) error { return editorial.Reply(m.Context(), b, actor, t.ID, "Yes.") },
			"resolve": func(b db.Beginner) error { return editorial.ResolveThread(m.Context(), b, actor, t.ID) },
			"reopen":  func(b db.Beginner) error { return editorial.ReopenThread(m.Context(), b, actor, t.ID) },
		}[what]
		return act{text: fmt.Sprintf("%s thread %d of %d", what, t.ID, t.Set), actor: actor, audit: "change_set." + what, run: run,
			legal: func(w *world) ruling {
				t, s := w.Threads[t.ID], w.Sets[w.Threads[t.ID].Set]
				return when(m.writes(actor, s.Product) && in(s.State, openStates) && (what == "reply" || t.Resolved == (what == "reopen")))
			}}
	}
	if changes := m.w.Changes[s.ID]; len(changes) > 0 && m.chance(70) {
		item := changes[m.rnd.IntN(len(changes))].Item
		return act{text: fmt.Sprintf("begins a thread on item %d of %d", item, s.ID), actor: actor, audit: "change_set.thread",
			run: func(b db.Beginner) error {
				_, err := editorial.OpenThread(m.Context(), b, actor, s.ID, editorial.Subject{ItemID: item}, "Why?")
				return err
			},
			legal: func(w *world) ruling {
				_, c, busy := w.open(item)
				return when(m.writes(actor, s.Product) && in(w.Sets[s.ID].State, openStates) && busy && c.Set == s.ID)
			}}
	}
	return act{text: fmt.Sprintf("comments on %d", s.ID), actor: actor, audit: "change_set.comment",
		run: func(b db.Beginner) error { return editorial.Comment(m.Context(), b, actor, s.ID, "Hm.") },
		legal: func(w *world) ruling {
			s := w.Sets[s.ID]
			return when(m.writes(actor, s.Product) && in(s.State, openStates))
		}}
}

// accept gives every breaking change of a change set a reason.
func (m *machine) accept() act {
	s := m.aSet(openStates)
	actor := m.anyone(m.ada, m.ben, m.boss)
	return act{text: fmt.Sprintf("gives the breaking changes of %d a reason", s.ID), actor: actor, audit: "change_set.accept", alone: true,
		run: func(b db.Beginner) error {
			changes, err := queries.ChangeSetItemList(m.Context(), b, s.ID)
			if err != nil {
				return err
			}
			impacts, err := editorial.Impacts(m.Context(), b, changes)
			if err != nil {
				return err
			}
			var given int
			err = db.InTx(m.Context(), b, func(tx pgx.Tx) error {
				for _, i := range impacts {
					for _, c := range i.Changes(compare.Breaking) {
						given++
						m.note = fmt.Sprintf("%+v", c)
						if err := editorial.AcceptChange(m.Context(), tx, actor, s.ID, editorial.Acceptance{VersionID: i.VersionID, Fingerprint: c.Fingerprint, Reason: "Nobody used it."}); err != nil {
							return err
						}
					}
				}
				if given == 0 {
					return errNothing
				}
				return nil
			})
			return err
		},
		legal: func(w *world) ruling {
			s := w.Sets[s.ID]
			if !m.writes(actor, s.Product) || !in(s.State, openStates) {
				return refused
			}
			if len(m.breaking(w, s.ID)) == 0 {
				return either // the comparison may know of others
			}
			return allowed
		},
		goes: func(w *world) {
			for _, name := range m.breaking(w, s.ID) {
				m.accepted[name] = true
			}
		}}
}

var errNothing = fault.New(fault.Conflict, "There is nothing to accept.")

// rebase bases a change set on what is live. Some people do not choose.
func (m *machine) rebase() act {
	s := m.aSet(unfrozen)
	actor, chooses := m.authorOf(s), m.chance(60)
	return act{text: fmt.Sprintf("rebases %d (chooses %t)", s.ID, chooses), actor: actor, set: s.ID, audit: "change_set.rebase", to: unfrozen, alone: chooses,
		run: func(b db.Beginner) error {
			_, err := editorial.Rebase(m.Context(), b, actor, s.ID, editorial.Choices{})
			if f := fault.As(err); !chooses || f == nil || f.Code != "overlap" {
				return err
			}
			changes, err := queries.ChangeSetItemList(m.Context(), b, s.ID)
			m.ok(err)
			d, err := editorial.Diverge(m.Context(), b, changes)
			m.ok(err)
			choices := editorial.Choices{Seen: d.Seen, Values: map[int64]map[string]json.RawMessage{}}
			for _, item := range d.Items {
				values := map[string]json.RawMessage{}
				for _, o := range item.Merge.Overlaps {
					values[o.Field] = o.WithMine
				}
				choices.Values[item.Change.Item.ID] = values
			}
			_, err = editorial.Rebase(m.Context(), b, actor, s.ID, choices)
			return err
		},
		legal: func(w *world) ruling {
			s := w.Sets[s.ID]
			return when(m.authors(actor, s) && in(s.State, unfrozen) && (chooses || m.mergeable(w, s.ID)))
		}}
}

// due runs the job of a scheduled release.
func (m *machine) due() act {
	s := m.aSet("scheduled")
	at := s.At
	if m.chance(10) {
		at = at.Add(time.Minute)
	}
	return act{text: fmt.Sprintf("publishes %d when it is due", s.ID), actor: editorial.System, set: s.ID, to: openStates + " published rejected withdrawn",
		run:   func(b db.Beginner) error { return editorial.PublishDue(m.Context(), b, s.ID, at) },
		legal: func(*world) ruling { return allowed },
		then: func(pre, post *world) string {
			s, want := pre.Sets[s.ID], pre.Sets[s.ID].State
			if s.State == "scheduled" && s.At.Equal(at) {
				want = "blocked"
				if m.isApproved(pre, s) && m.releasable(pre, s) && m.readable(pre, s.ID) {
					want = "published"
				}
			}
			if got := post.Sets[s.ID].State; got != want {
				var why string
				m.ok(m.pool.QueryRow(m.Context(), `select blocked_reason from change_sets where id = $1`, s.ID).Scan(&why))
				return fmt.Sprintf("change set %d is %s, want %s: %s", s.ID, got, want, why)
			}
			return ""
		}}
}

// seedAgain runs the seed, as every new release of the program does.
func (m *machine) seedAgain() act {
	files := m.files()
	return act{text: "the seed runs", actor: editorial.System, system: true, alone: true,
		run:   func(b db.Beginner) error { return editorial.Seed(m.Context(), b, files) },
		legal: func(*world) ruling { return allowed },
		then: func(pre, post *world) string {
			for id, i := range pre.Items {
				s, _, busy := pre.open(id)
				byPeople := i.Live != 0 && m.revisions[i.Live].Origin != "seed"
				if busy && s.Author != 0 && i != post.Items[id] || byPeople && i.seen() != post.Items[id].seen() {
					return fmt.Sprintf("it changed what people have: %+v is %+v (revision by the %s), in change set %+v", i, post.Items[id], m.revisions[i.Live].Origin, s)
				}
			}
			return ""
		}}
}
