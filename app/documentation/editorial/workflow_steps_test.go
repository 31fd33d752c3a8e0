package editorial_test

import (
	"fmt"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
)

// advance makes a move with a change set that has one.
func (m *machine) advance() act {
	switch m.rnd.IntN(14) {
	case 0, 1, 2:
		return m.submit()
	case 3, 4, 5:
		return m.approve()
	case 6, 7, 8:
		return m.publish()
	case 9:
		return m.schedule()
	case 10:
		return m.judge()
	case 11:
		return m.retreat()
	case 12:
		return m.split()
	}
	return m.takeOut()
}

// step is an act on a change set that only its state and its actor decide.
func (m *machine) step(s worldSet, actor editorial.Actor, name, to string, run func(b db.Beginner) error, legal func(w *world, s worldSet) ruling) act {
	return act{text: fmt.Sprintf("%s %d", name, s.ID), actor: actor, set: s.ID, audit: "change_set." + name, to: to, run: run,
		legal: func(w *world) ruling { return legal(w, w.Sets[s.ID]) }}
}

func (m *machine) submit() act {
	s := m.aSet("draft changes_requested")
	actor := m.authorOf(s)
	return m.step(s, actor, "submit", "in_review",
		func(b db.Beginner) error { return editorial.Submit(m.Context(), b, actor, s.ID, "Better words") },
		func(w *world, s worldSet) ruling {
			return when(m.authors(actor, s) && in(s.State, "draft changes_requested") && len(w.Changes[s.ID]) > 0 && (s.State == "draft" || m.answered(w, actor, s)))
		})
}

// approve approves what a change set does now, or what it did when the reviewer
// looked.
func (m *machine) approve() act {
	s := m.aSet("in_review")
	actor := m.anyone(m.ada, m.ben, m.boss, m.max)
	changes, err := queries.ChangeSetItemList(m.Context(), m.pool, s.ID)
	if err != nil {
		m.Fatal(err)
	}
	seen, text := editorial.Hash(changes), m.changed(m.w, s.ID)
	if old, ok := m.looks[s.ID]; ok && m.chance(40) {
		seen, text = old.hash, old.text
	}
	if m.chance(60) {
		m.looks[s.ID] = look{seen, text}
	}
	a := m.step(s, actor, "approve", "approved",
		func(b db.Beginner) error { return editorial.Approve(m.Context(), b, actor, s.ID, seen) },
		func(w *world, s worldSet) ruling {
			return when(m.approves(w, actor, s) && s.State == "in_review" && m.changed(w, s.ID) == text)
		})
	a.goes = func(w *world) {
		reviews := w.Reviews[s.ID]
		m.approved[reviews[len(reviews)-1].ID] = text
	}
	return a
}

// look is what a reviewer saw of a change set.
type look struct {
	hash []byte
	text string
}

func (m *machine) publish() act {
	if m.chance(25) {
		s, actor := m.aSet(unfrozen), m.anyone(m.boss, m.max)
		a := m.step(s, actor, "override", "published",
			func(b db.Beginner) error { return editorial.Publish(m.Context(), b, actor, s.ID, true) },
			func(w *world, s worldSet) ruling {
				return when((actor == m.boss || actor == m.max) && in(s.State, unfrozen) && m.releasable(w, s) && m.readable(w, s.ID))
			})
		a.audit = "release.publish"
		return a
	}
	s, actor := m.aSet("approved"), m.anyone(m.ada, m.ben, m.boss)
	a := m.step(s, actor, "publish", "published",
		func(b db.Beginner) error { return editorial.Publish(m.Context(), b, actor, s.ID, false) },
		func(w *world, s worldSet) ruling {
			return when(m.writes(actor, s.Product) && s.State == "approved" && m.isApproved(w, s) && m.releasable(w, s) && m.readable(w, s.ID))
		})
	a.audit = "release.publish"
	return a
}

func (m *machine) schedule() act {
	s, actor := m.aSet("approved scheduled"), m.anyone(m.ada, m.ben, m.boss)
	if s.State == "scheduled" && m.chance(60) {
		return m.cancel(s, actor)
	}
	at := noon.Add(time.Duration(m.rnd.IntN(100)-5) * time.Hour)
	scheduler := &editorial.Scheduler{Jobs: &queue{}, Now: func() time.Time { return noon }}
	return m.step(s, actor, "schedule", "scheduled",
		func(b db.Beginner) error {
			scheduler := *scheduler
			scheduler.DB = b
			return scheduler.Schedule(m.Context(), actor, s.ID, at)
		},
		func(w *world, s worldSet) ruling {
			if !m.writes(actor, s.Product) || !at.After(noon) {
				return refused
			}
			return when(s.State == "scheduled" || s.State == "approved" && m.isApproved(w, s) && m.releasable(w, s))
		})
}

func (m *machine) cancel(s worldSet, actor editorial.Actor) act {
	a := m.step(s, actor, "cancel", "approved",
		func(b db.Beginner) error { return editorial.Cancel(m.Context(), b, actor, s.ID) },
		func(_ *world, s worldSet) ruling {
			return when(isPerson(actor) && m.writes(actor, s.Product) && in(s.State, "scheduled blocked"))
		})
	a.goes = func(*world) { m.unsettled[s.ID] = true }
	return a
}

// judge sends a change set back, closes it, or ends its block.
func (m *machine) judge() act {
	s, actor := m.aSet(judgedStates), m.anyone(m.ada, m.ben, m.boss)
	switch {
	case s.State == "blocked" && m.chance(70):
		return m.cancel(s, actor)
	case m.chance(30):
		return m.step(s, actor, "reject", "rejected",
			func(b db.Beginner) error { return editorial.Reject(m.Context(), b, actor, s.ID, "Not now.") },
			func(w *world, s worldSet) ruling {
				return when((m.reviews(w, actor, s) || actor == m.boss || actor == m.max) && in(s.State, judgedStates))
			})
	}
	return m.step(s, actor, "request_changes", "changes_requested",
		func(b db.Beginner) error { return editorial.RequestChanges(m.Context(), b, actor, s.ID, "Say why.") },
		func(w *world, s worldSet) ruling {
			return when(m.reviews(w, actor, s) && in(s.State, "in_review approved"))
		})
}

// retreat takes a change set back to draft, or gives it up.
func (m *machine) retreat() act {
	if m.chance(60) {
		s := m.aSet(judgedStates)
		actor := m.authorOf(s)
		return m.step(s, actor, "withdraw", "draft",
			func(b db.Beginner) error { return editorial.Withdraw(m.Context(), b, actor, s.ID) },
			func(_ *world, s worldSet) ruling {
				return when(m.writes(actor, s.Product) && in(s.State, judgedStates))
			})
	}
	s := m.aSet("draft changes_requested")
	actor := m.authorOf(s)
	return m.step(s, actor, "discard", "withdrawn",
		func(b db.Beginner) error { return editorial.Discard(m.Context(), b, actor, s.ID) },
		func(_ *world, s worldSet) ruling {
			return when(m.authors(actor, s) && in(s.State, "draft changes_requested"))
		})
}

func (m *machine) split() act {
	s := m.aSet(unfrozen)
	actor := m.authorOf(s)
	var items []int64
	for _, c := range m.w.Changes[s.ID] {
		if m.chance(50) {
			items = append(items, c.Item)
		}
	}
	return m.step(s, actor, "split", unfrozen,
		func(b db.Beginner) error {
			_, err := editorial.Split(m.Context(), b, actor, s.ID, items)
			return err
		},
		func(w *world, s worldSet) ruling {
			held := 0
			for _, c := range w.Changes[s.ID] {
				for _, id := range items {
					if c.Item == id {
						held++
					}
				}
			}
			return when(m.authors(actor, s) && in(s.State, unfrozen) && held == len(items) && held > 0 && held < len(w.Changes[s.ID]))
		})
}

// takeOut takes an item out of a change set.
func (m *machine) takeOut() act {
	s := m.aSet(openStates)
	actor, item := m.authorOf(s), m.anItem(func(i worldItem) bool { return i.Draft != 0 }).ID
	if changes := m.w.Changes[s.ID]; len(changes) > 0 && m.chance(80) {
		item = changes[m.rnd.IntN(len(changes))].Item
	}
	a := m.step(s, actor, "remove", openStates,
		func(b db.Beginner) error { return editorial.Remove(m.Context(), b, actor, s.ID, item) },
		func(w *world, s worldSet) ruling {
			_, c, busy := w.open(item)
			return when(isPerson(actor) && m.writes(actor, s.Product) && s.Author == actor.ID && in(s.State, unfrozen) && busy && c.Set == s.ID)
		})
	a.text = fmt.Sprintf("takes item %d out of %d", item, s.ID)
	return a
}
