package editorial_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/db"
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
			return when(m.drafts(w, actor, i) && m.unfrozen(w, i) && i.head() != 0 && !i.Archived && !i.Trashed && (to.Slug != "errors" || space(i.Kind) != "") && !elsewhere)
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
