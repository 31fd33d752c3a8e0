package editorial_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
)

// ruling is what the rules say about a move in a world.
type ruling int

const (
	refused ruling = iota
	allowed
	either // the rules leave it open
)

func when(is bool) ruling {
	if is {
		return allowed
	}
	return refused
}

// rules are the editorial rules, written from their description and apart from the
// program: who may do what, and what must hold.
type rules struct {
	*archive
	editors  map[int64][]int64 // the products of each Editor
	approved map[int64]string  // what each approval was given for, by review
	accepted map[string]bool   // breaking changes with a reason
}

func (r *rules) writes(a editorial.Actor, product int64) bool {
	return a == editorial.System || a.Role == identity.SuperAdmin || a.Role == identity.Editor && slices.Contains(r.editors[a.ID], product)
}

func in(state string, states string) bool { return slices.Contains(strings.Fields(states), state) }

const (
	openStates   = "draft in_review changes_requested approved scheduled blocked"
	unfrozen     = "draft in_review changes_requested approved blocked"
	judgedStates = "in_review changes_requested approved blocked"
)

// fourEyes reports whether somebody else must approve changes to a product.
func (r *rules) fourEyes(w *world, product int64) bool {
	return !strings.Contains(r.revisions[w.Items[product].Live].Content, `"own_approval":true`)
}

// wrote reports whether a person wrote some of a change set.
func (r *rules) wrote(w *world, person int64, s worldSet) bool {
	return s.Author == person || slices.ContainsFunc(w.Changes[s.ID], func(c worldChange) bool {
		return c.Revision != w.Items[c.Item].Live && r.revisions[c.Revision].Author == person
	})
}

func (r *rules) reviews(w *world, a editorial.Actor, s worldSet) bool {
	return isPerson(a) && r.writes(a, s.Product) && !r.wrote(w, a.ID, s)
}

func (r *rules) approves(w *world, a editorial.Actor, s worldSet) bool {
	return isPerson(a) && r.writes(a, s.Product) && (!r.fourEyes(w, s.Product) || !r.wrote(w, a.ID, s))
}

// isApproved reports whether the last judgement of a change set is an approval of
// what it does now, by somebody with an approval that counts.
func (r *rules) isApproved(w *world, s worldSet) bool {
	for _, v := range slices.Backward(w.Reviews[s.ID]) {
		if v.Verdict != "comment" {
			return v.Verdict == "approved" && r.approved[v.ID] == r.changed(w, s.ID) && (!r.fourEyes(w, s.Product) || !r.wrote(w, v.By, s))
		}
	}
	return false
}

// authors reports whether a person may act as the author of a change set.
func (r *rules) authors(a editorial.Actor, s worldSet) bool {
	return r.writes(a, s.Product) && (a.ID == s.Author || a.Role == identity.SuperAdmin)
}

// drafts reports whether a person may write a draft of an item: it is in nobody
// else's change set.
func (r *rules) drafts(w *world, a editorial.Actor, i worldItem) bool {
	s, _, busy := w.open(i.ID)
	return r.writes(a, i.Product) && (!busy || isPerson(a) && s.Author == a.ID)
}

// unfrozen reports whether an item can change its place in its change set.
func (r *rules) unfrozen(w *world, i worldItem) bool {
	s, _, busy := w.open(i.ID)
	return !busy || s.State != "scheduled"
}

// outdated reports whether somebody else published an item since a change began.
func (r *rules) outdated(w *world, c worldChange) bool {
	live := w.Items[c.Item].Live
	return c.Revision != live && (c.Action == "archive" || r.revisions[c.Revision].Base != live)
}

// place is the address that an item has after a change.
func place(w *world, c worldChange) (parent int64, slug string) {
	i := w.Items[c.Item]
	parent, slug = i.Parent, i.Slug
	if c.Action == "move" {
		slug = c.Slug
		if c.Parent != 0 {
			parent = c.Parent
		}
	}
	return parent, slug
}

// publishable reports whether nothing hinders a release of a change set.
func (r *rules) publishable(w *world, set int64) bool {
	changes := w.Changes[set]
	for _, c := range changes {
		i := w.Items[c.Item]
		parent, slug := place(w, c)
		switch {
		case r.outdated(w, c) || i.Trashed:
			return false
		case c.Action == "archive":
			continue
		case c.Revision != i.Live && !complete(i.Kind, r.revisions[c.Revision].Content):
			return false
		case parent != 0 && !becomesPublic(w, changes, w.Items[parent]):
			return false
		}
		if c.Action != "move" {
			continue
		}
		for _, other := range w.Items {
			if other.ID == i.ID || other.Parent != parent || other.Slug != slug || space(other.Kind) != space(i.Kind) {
				continue
			}
			if !slices.ContainsFunc(changes, func(o worldChange) bool {
				p, s := place(w, o)
				return o.Item == other.ID && o.Action == "move" && (p != parent || s != slug)
			}) {
				return false
			}
		}
	}
	return len(changes) > 0
}

func becomesPublic(w *world, changes []worldChange, parent worldItem) bool {
	for _, c := range changes {
		if c.Item == parent.ID {
			return c.Action != "archive" && !parent.Trashed
		}
	}
	return parent.public()
}

func space(kind string) string {
	if kind == content.KindCategory || kind == content.KindSchema {
		return kind
	}
	return ""
}

// complete reports whether a content has what readers need.
func complete(kind, text string) bool {
	var c struct{ Name, Title string }
	_ = json.Unmarshal([]byte(text), &c) // what cannot be read has neither
	return kind == content.KindGuide && c.Title != "" || kind == content.KindVersion || kind != content.KindGuide && c.Name != ""
}

// required lists the parameters that an operation requires.
func required(text string) (names []string) {
	var e struct {
		Raw struct {
			Parameters []struct {
				Name     string
				Required bool
			}
		}
	}
	_ = json.Unmarshal([]byte(text), &e)
	for _, p := range e.Raw.Parameters {
		if p.Required {
			names = append(names, p.Name)
		}
	}
	return names
}

// breaking lists the changes of a change set after which programs can fail: an
// operation that goes, or a parameter that is required now.
func (r *rules) breaking(w *world, set int64) (list []string) {
	for _, c := range w.Changes[set] {
		i := w.Items[c.Item]
		if i.Kind != content.KindEndpoint || !i.public() {
			continue
		}
		version := w.Items[i.Parent]
		if !version.public() {
			continue
		}
		name := fmt.Sprint(version.ID, " ", r.operation(i.Live))
		if parent, _ := place(w, c); c.Action == "archive" || parent != i.Parent {
			list = append(list, name)
			continue
		}
		for _, p := range required(r.revisions[c.Revision].Content) {
			if !slices.Contains(required(r.revisions[i.Live].Content), p) {
				list = append(list, name+" "+p)
			}
		}
	}
	return list
}

func (r *rules) operation(revision int64) string {
	var e content.Endpoint
	_ = json.Unmarshal([]byte(r.revisions[revision].Content), &e)
	return e.Method + " " + e.Path
}

// explained reports whether every breaking change to a Current version has a reason.
func (r *rules) explained(w *world, set int64) bool {
	return !slices.ContainsFunc(r.breaking(w, set), func(name string) bool {
		var version int64
		_, _ = fmt.Sscan(name, &version) // which it begins with
		return strings.Contains(r.revisions[w.Items[version].Live].Content, `"label":"Current"`) && !r.accepted[name]
	})
}

// readable reports whether no two operations of a version have one method and path
// after a release.
func (r *rules) readable(w *world, set int64) bool {
	changed := map[int64]worldChange{}
	for _, c := range w.Changes[set] {
		changed[c.Item] = c
	}
	known := map[string]bool{}
	for _, i := range w.Items {
		parent, revision, public := i.Parent, i.Live, i.public()
		if c, is := changed[i.ID]; is {
			parent, _ = place(w, c)
			revision, public = c.Revision, c.Action != "archive"
		}
		if i.Kind != content.KindEndpoint || !public {
			continue
		}
		place := fmt.Sprint(parent, " ", r.operation(revision))
		if known[place] {
			return false
		}
		known[place] = true
	}
	return true
}

// releasable reports whether a change set can be released, once it is approved. What
// the program itself wrote needs no reasons.
func (r *rules) releasable(w *world, s worldSet) bool {
	return r.publishable(w, s.ID) && (s.Author == 0 || r.explained(w, s.ID))
}

// mergeable reports whether a change set can be rebased without a choice.
func (r *rules) mergeable(w *world, set int64) bool {
	for _, c := range w.Changes[set] {
		i := w.Items[c.Item]
		if !r.outdated(w, c) || c.Action == "archive" || i.Draft == 0 {
			continue
		}
		if conflicting(r.revisions[r.revisions[c.Revision].Base].Content, r.revisions[i.Live].Content, r.revisions[i.Draft].Content) {
			return false
		}
	}
	return true
}

// answered reports whether no comment waits for the author of a change set, or for
// another person who submits it.
func (r *rules) answered(w *world, a editorial.Actor, s worldSet) bool {
	for _, t := range w.Threads {
		if t.Set == s.ID && !t.Resolved && t.Last != s.Author && t.Last != a.ID &&
			slices.ContainsFunc(w.Changes[s.ID], func(c worldChange) bool { return c.Item == t.Item }) {
			return false
		}
	}
	return true
}

// reverts reports whether a release can be reverted.
func (r *rules) reverts(w *world, release worldRelease) ruling {
	previous := worldRelease{}
	for _, other := range w.Releases {
		if other.Scope == release.Scope && other.Number < release.Number && other.Number > previous.Number {
			previous = other
		}
	}
	if previous.ID == 0 {
		return refused
	}
	now, before := r.released[release.ID], r.released[previous.ID]
	differs := false
	all := map[int64]bool{}
	for id := range now {
		all[id] = true
	}
	for id := range before {
		all[id] = true
	}
	for id := range all {
		if now[id] == before[id] {
			continue
		}
		differs = true
		i := w.Items[id]
		if now[id] != 0 && (i.Live != now[id] || i.Archived) || now[id] == 0 && !i.Archived || i.Trashed {
			return refused
		}
		if before[id] != 0 && i.Parent != 0 && !w.Items[i.Parent].public() && (now[i.Parent] == before[i.Parent]) {
			return refused
		}
	}
	return when(differs)
}
