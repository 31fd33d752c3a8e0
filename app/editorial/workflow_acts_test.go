package editorial_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/compare"
	"heliograph/app/content"
	"heliograph/app/editorial"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/queries"
)

// act is something that somebody tries.
type act struct {
	text   string // for the list of what was done
	actor  editorial.Actor
	set    int64  // that it moves; zero for none
	item   int64  // that it writes; zero for none
	word   string // that it writes
	audit  string // the actions that it may be recorded as; empty where it may leave no record
	to     string // the states that the change set may have then
	run    func(b db.Beginner) error
	legal  func(w *world) ruling
	goes   func(post *world)             // when it has succeeded
	then   func(pre, post *world) string // what is wrong after it, empty for nothing
	system bool                          // may touch change sets and items beside those
	alone  bool                          // takes more than one transaction
}

// write saves new content over the head of an item, or over an older revision.
func (m *machine) write() act {
	i := m.anItem(func(i worldItem) bool { return i.head() != 0 })
	actor := m.writer(i)
	edit := editorial.Edit{ItemID: i.ID, Base: i.head()}
	if m.chance(15) {
		edit.Base = m.someRevision(i.ID)
	}
	word := m.word()
	edit.Content = m.written(i, word)
	switch {
	case m.chance(6):
		edit.Content, word = json.RawMessage(m.revisions[i.head()].Content), ""
	case m.chance(20):
		edit.Auto, edit.Form = true, fmt.Sprintf("form-%d-%d", actor.ID, m.rnd.IntN(3))
	case m.chance(10):
		edit.Form = fmt.Sprintf("form-%d-%d", actor.ID, m.rnd.IntN(3))
	}
	a := act{text: fmt.Sprintf("saves %s over %d (auto %t, form %q): %s", m.named(i), edit.Base, edit.Auto, edit.Form, word), actor: actor, item: i.ID, word: word}
	if !edit.Auto && word != "" {
		a.audit = "item.save"
	}
	a.run = func(b db.Beginner) error {
		_, err := editorial.Save(m.Context(), b, actor, edit)
		return err
	}
	a.legal = func(w *world) ruling {
		i := w.Items[i.ID]
		head := m.revisions[i.head()]
		continues := edit.Form != "" && i.Draft != 0 && head.Form == edit.Form && head.Author == actor.ID
		same := head.Content == string(edit.Content)
		s, _, busy := w.open(i.ID)
		if edit.Auto && busy && !in(s.State, "draft changes_requested") {
			return refused
		}
		return when(m.drafts(w, actor, i) && !i.Trashed && (edit.Base == i.head() || continues || same))
	}
	return a
}

// create adds a guide or an endpoint.
func (m *machine) create() act {
	p := m.ofKind(content.KindProduct)
	address := editorial.Address{Kind: content.KindGuide, ParentID: p.ID, Slug: fmt.Sprintf("new-%d", m.rnd.IntN(4))}
	parent := p
	if m.chance(40) {
		parent = m.ofKind(content.KindVersion)
		address.Kind, address.ParentID = content.KindEndpoint, parent.ID
	}
	if m.chance(10) {
		address.Slug = m.pick("compare", "errors", "schemas", "Big Letters", "", "latest", "changelog")
	}
	word, actor := m.word(), m.writer(parent)
	raw := m.written(worldItem{Kind: address.Kind, Product: parent.Product}, word)
	return act{text: fmt.Sprintf("adds %s %s below %s: %s", address.Kind, address.Slug, m.named(parent), word), actor: actor, word: word, audit: "item.save",
		run: func(b db.Beginner) error {
			_, err := editorial.Save(m.Context(), b, actor, editorial.Edit{Address: address, Content: raw})
			return err
		},
		legal: func(w *world) ruling {
			if !strings.HasPrefix(address.Slug, "new-") || !m.writes(actor, w.Items[address.ParentID].Product) {
				return refused
			}
			for _, i := range w.Items {
				if i.Parent == address.ParentID && i.Slug == address.Slug && space(i.Kind) == space(address.Kind) {
					return when(i.head() == 0 && !i.Trashed && i.Kind == address.Kind)
				}
			}
			return allowed
		}}
}

// remake archives an item or gives it another address.
func (m *machine) remake() act {
	i := m.anItem(func(i worldItem) bool {
		return (i.Kind == content.KindGuide || i.Kind == content.KindEndpoint || i.Slug == "0.9") && (i.public() || m.chance(20))
	})
	actor := m.writer(i)
	if m.chance(40) {
		return act{text: "archives " + m.named(i), actor: actor, item: i.ID, audit: "change_set.archive",
			run: func(b db.Beginner) error { return editorial.Archive(m.Context(), b, actor, 0, i.ID) },
			legal: func(w *world) ruling {
				i := w.Items[i.ID]
				return when(m.drafts(w, actor, i) && m.unfrozen(w, i) && i.public())
			}}
	}
	to := editorial.Address{Slug: m.pick("moved-a", "moved-b", "begin", "new-1", "get-a", "errors")}
	if i.Kind == content.KindEndpoint && m.chance(50) {
		to.ParentID = m.ofKind(content.KindVersion).ID
	}
	return act{text: fmt.Sprintf("moves %s to %d/%s", m.named(i), to.ParentID, to.Slug), actor: actor, item: i.ID, audit: "change_set.move",
		run: func(b db.Beginner) error { return editorial.MoveItem(m.Context(), b, actor, 0, i.ID, to) },
		legal: func(w *world) ruling {
			i := w.Items[i.ID]
			elsewhere := to.ParentID != 0 && w.Items[to.ParentID].Product != i.Product
			return when(m.drafts(w, actor, i) && m.unfrozen(w, i) && i.head() != 0 && !i.Archived && !i.Trashed && to.Slug != "errors" && !elsewhere)
		}}
}

// bin moves an item to the trash and back, and undoes saves.
func (m *machine) bin() act {
	i := m.anItem(func(i worldItem) bool { return i.Kind != content.KindProduct && (!i.public() || m.chance(30)) })
	actor := m.writer(i)
	switch m.rnd.IntN(3) {
	case 0:
		return act{text: "trashes " + m.named(i), actor: actor,
			run: func(b db.Beginner) error { return editorial.Trash(m.Context(), b, actor, i.ID) },
			legal: func(w *world) ruling {
				i := w.Items[i.ID]
				_, _, busy := w.open(i.ID)
				return when(m.writes(actor, i.Product) && (i.Trashed || !i.public() && !busy))
			}}
	case 1:
		return act{text: "takes out of the trash " + m.named(i), actor: actor,
			run:   func(b db.Beginner) error { return editorial.Untrash(m.Context(), b, actor, i.ID) },
			legal: func(w *world) ruling { return when(m.writes(actor, w.Items[i.ID].Product)) }}
	}
	return act{text: "undoes the last save of " + m.named(i), actor: actor, item: i.ID, audit: "item.undo",
		run: func(b db.Beginner) error { return editorial.Undo(m.Context(), b, actor, i.ID) },
		legal: func(w *world) ruling {
			if i := w.Items[i.ID]; !m.drafts(w, actor, i) || i.Draft == 0 || i.Trashed {
				return refused
			}
			return either
		}}
}

// restore brings an earlier revision back, and revert an earlier release.
func (m *machine) restore() act {
	actor := m.anyone(m.boss, m.max)
	if m.chance(30) {
		release := m.aRelease()
		return act{text: fmt.Sprintf("reverts release %d", release.ID), actor: actor, audit: "release.revert", system: true,
			run: func(b db.Beginner) error {
				_, err := editorial.Revert(m.Context(), b, actor, release.ID)
				return err
			},
			legal: func(w *world) ruling {
				if actor != m.boss && actor != m.max {
					return refused
				}
				return m.reverts(w, release)
			}}
	}
	i := m.anItem(func(i worldItem) bool { return i.head() != 0 })
	revision, base := m.someRevision(i.ID), i.head()
	if m.chance(10) {
		base = m.someRevision(i.ID)
	}
	return act{text: fmt.Sprintf("restores revision %d of %s over %d", revision, m.named(i), base), actor: actor, item: i.ID, audit: "revision.restore",
		run: func(b db.Beginner) error {
			_, err := editorial.Restore(m.Context(), b, actor, revision, base)
			return err
		},
		legal: func(w *world) ruling {
			i := w.Items[i.ID]
			same := m.revisions[i.head()].Content == m.revisions[revision].Content
			return when((actor == m.boss || actor == m.max) && m.drafts(w, actor, i) && !i.Trashed && (base == i.head() || same))
		}}
}

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
			return when(len(m.breaking(w, s.ID)) > 0)
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
			err := editorial.Rebase(m.Context(), b, actor, s.ID, nil)
			var open *editorial.Overlaps
			if !chooses || !errors.As(err, &open) {
				return err
			}
			choices := editorial.Choices{}
			for item, overlaps := range open.Items {
				choices[item] = map[string]json.RawMessage{}
				for _, o := range overlaps {
					choices[item][o.Field] = o.Mine
				}
			}
			return editorial.Rebase(m.Context(), b, actor, s.ID, choices)
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
				if m.isApproved(pre, s) && m.releasable(pre, s) {
					want = "published"
				}
			}
			if got := post.Sets[s.ID].State; got != want {
				return fmt.Sprintf("the change set is %s, want %s", got, want)
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
