package editorial_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
)

// Random people try random moves, some of them two at once. No illegal move succeeds
// and no legal one is refused; refused moves change nothing; every save is a revision;
// readers see only what was released; approvals hold for what they were given for; an
// item is in one open change set; and every move is in the audit.
func TestRandomWorkflow(t *testing.T) {
	t.Parallel()
	m := newMachine(t, 1)
	m.play(400)
}

// play tries a number of acts.
func (m *machine) play(acts int) {
	for len(m.log) < acts {
		if a := m.next(); m.chance(20) && !a.alone {
			b := m.next()
			for b.alone {
				b = m.next()
			}
			m.both(a, b)
		} else {
			m.one(a)
		}
	}
	m.readers()
	m.kept()
	if _, err := audit.Verify(m.Context(), m.pool); err != nil {
		m.fail("the audit chain: %v", err)
	}
	if m.done*4 < m.tried {
		m.fail("only %d of %d acts were legal: the test tries too little", m.done, m.tried)
	}
}

func (m *machine) next() act {
	switch n := m.rnd.IntN(100); {
	case n < 24:
		return m.write()
	case n < 29:
		return m.create()
	case n < 35:
		return m.remake()
	case n < 40:
		return m.bin()
	case n < 44:
		return m.restore()
	case n < 50:
		return m.talk()
	case n < 54:
		return m.accept()
	case n < 58:
		return m.rebase()
	case n < 62:
		return m.due()
	case n < 63:
		return m.seedAgain()
	}
	return m.advance()
}

// one tries an act.
func (m *machine) one(a act) {
	pre := m.w
	m.log = append(m.log, a.actor.Name+" "+a.text)
	err := a.run(m.pool)
	m.look()
	m.judged(a, err)
	legal := a.legal(pre)
	if err != nil {
		if legal == allowed {
			m.fail("a legal move was refused: %v", err)
		}
		if diff := cmp.Diff(pre, m.w); diff != "" {
			m.fail("a refused move changed something (%v):\n%s", err, diff)
		}
		return
	}
	if legal == refused {
		m.fail("an illegal move succeeded")
	}
	m.passed(a, pre, m.w)
}

// judged notes the outcome of an act. Only refusals that say why are expected.
func (m *machine) judged(a act, err error) {
	m.tried++
	if err == nil {
		m.done++
		return
	}
	f := fault.As(err)
	if f == nil || f.Message == "" {
		m.fail("%s: %v", a.text, err)
	}
	m.log[len(m.log)-1] += " — refused: " + f.Message
}

// both tries two acts at once, and finds an order of them that the rules allow.
func (m *machine) both(a, b act) {
	pre := m.w
	acts, errs := []act{a, b}, make([]error, 2)
	var order []int
	var worlds []*world
	var lock sync.Mutex
	var wait sync.WaitGroup
	for i := range acts {
		wait.Go(func() {
			errs[i] = acts[i].run(recorder{m.pool, &lock, func(q db.Querier) error {
				w, err := m.read(m.Context(), q)
				order, worlds = append(order, i), append(worlds, w)
				return err
			}})
		})
	}
	wait.Wait()
	m.together++
	m.log = append(m.log, fmt.Sprintf("at once, %s %s, and %s %s (order %v)", a.actor.Name, a.text, b.actor.Name, b.text, order))
	m.look()
	for i := range acts {
		m.judged(acts[i], errs[i])
	}
	now := pre
	for n, i := range order {
		if errs[i] != nil {
			m.fail("act %d was committed and refused: %v", i, errs[i])
		}
		if acts[i].legal(now) == refused {
			m.fail("an illegal move succeeded: %s", acts[i].text)
		}
		m.passed(acts[i], now, worlds[n])
		now = worlds[n]
	}
	for i, err := range errs {
		if err != nil && acts[i].legal(pre) == allowed && acts[i].legal(m.w) == allowed {
			m.fail("a legal move was refused: %s: %v", acts[i].text, err)
		}
	}
	if diff := cmp.Diff(now, m.w); diff != "" {
		m.fail("something changed beside two acts:\n%s", diff)
	}
}

// passed holds what an act has done against what it may do.
func (m *machine) passed(a act, pre, post *world) {
	if a.goes != nil {
		a.goes(post)
	}
	for _, problem := range []string{m.states(a, pre, post), m.seen(a, pre, post), m.drafted(a, pre, post), m.recorded(a, pre, post)} {
		if problem != "" {
			m.fail("%s", problem)
		}
	}
	if a.then != nil {
		if problem := a.then(pre, post); problem != "" {
			m.fail("%s", problem)
		}
	}
	if a.word != "" {
		m.saves[a.word] = a.actor.ID
	}
}

// states holds the states of change sets.
func (m *machine) states(a act, pre, post *world) string {
	holds := map[int64]int64{}
	for id, s := range post.Sets {
		was, known := pre.Sets[id]
		settled := in(was.State, "in_review approved blocked") && in(s.State, "in_review approved") && (a.item != 0 || a.set != 0)
		switch {
		case id == a.set && !in(s.State, a.to), !known && s.State != "draft" && !a.system,
			known && was.State != s.State && id != a.set && !settled && !a.system:
			return fmt.Sprintf("change set %d went from %q to %q", id, was.State, s.State)
		}
		if was.State == "scheduled" && s.State == "scheduled" && m.changed(pre, id) != m.changed(post, id) {
			return fmt.Sprintf("the scheduled change set %d has other changes now", id)
		}
		isOpen := in(s.State, openStates)
		for _, c := range post.Changes[id] {
			if c.Open != isOpen {
				return fmt.Sprintf("change set %d is %s, and holds item %d: %t", id, s.State, c.Item, c.Open)
			}
			if c.Open && holds[c.Item] != 0 {
				return fmt.Sprintf("item %d is in two open change sets, %d and %d", c.Item, holds[c.Item], id)
			} else if c.Open {
				holds[c.Item] = id
			}
		}
		if s.State != "approved" {
			delete(m.unsettled, id)
		} else if m.fourEyes(pre, s.Product) != m.fourEyes(post, s.Product) {
			m.unsettled[id] = true
		}
		if s.State == "approved" && !m.unsettled[id] && !m.isApproved(post, s) && !slices.ContainsFunc(post.Changes[id], func(c worldChange) bool { return m.outdated(post, c) }) {
			return fmt.Sprintf("change set %d is approved, and nobody approved what it does", id)
		}
	}
	return ""
}

// seen holds what readers get: only releases change it, to what was in their change
// set.
func (m *machine) seen(a act, pre, post *world) string {
	released := map[int64]worldChange{}
	for id, s := range post.Sets {
		if s.State != "published" || pre.Sets[id].State == "published" {
			continue
		}
		for _, c := range post.Changes[id] {
			released[c.Item] = c
		}
		if was, known := pre.Sets[id]; known && !a.system && m.changed(pre, was.ID) != m.changed(post, id) {
			return fmt.Sprintf("change set %d was published with other changes than it had", id)
		}
	}
	for id, i := range post.Items {
		was, known := pre.Items[id]
		c, is := released[id]
		switch {
		case is:
			want := i
			want.Live, want.Archived = c.Revision, c.Action == "archive"
			if known {
				want.Parent, want.Slug = place(pre, c)
			}
			if c.Action == "archive" {
				want.Live = was.Live
			}
			if want != i && !a.system {
				return fmt.Sprintf("after the release, readers get %+v, want %+v", i, want)
			}
		case strings.Contains(a.text, "trash"):
			i.Trashed = was.Trashed
			fallthrough
		default:
			if known && was.seen() != i.seen() || !known && i.Live != 0 {
				return fmt.Sprintf("readers get %+v, before %+v, without a release", i, was)
			}
		}
	}
	return ""
}

// drafted holds the drafts that nobody touched, and those that continue after a
// release.
func (m *machine) drafted(a act, pre, post *world) string {
	for id, was := range pre.Items {
		i := post.Items[id]
		if was.Draft == 0 || was.Draft == i.Draft || id == a.item || a.system && m.revisions[was.Draft].Author == 0 {
			continue
		}
		s, c, busy := pre.open(id)
		after := m.revisions[i.Draft].Content
		switch {
		case busy && post.Sets[s.ID].State == "published" && was.Draft == c.Revision && i.Draft == 0: // it is live now
		case busy && post.Sets[s.ID].State == "published" && was.Draft != c.Revision && after == m.revisions[was.Draft].Content: // it goes on
		case busy && s.ID == a.set && in(post.Sets[s.ID].State, "rejected withdrawn"), busy && s.ID == a.set && strings.HasPrefix(a.text, "rebase"), strings.HasPrefix(a.text, "takes item"):
		case busy && post.Sets[s.ID].State == "published" && c.Action == "archive":
		default:
			return fmt.Sprintf("the draft %d of item %d is %d now", was.Draft, id, i.Draft)
		}
	}
	if a.word == "" {
		return ""
	}
	for _, i := range post.Items {
		if r := m.revisions[i.head()]; strings.Contains(r.Content, a.word) && r.Author == a.actor.ID {
			return ""
		}
	}
	return "what was saved is not the head of its item"
}

// recorded holds the audit of an act.
func (m *machine) recorded(a act, pre, post *world) string {
	var entries []string
	rows, err := m.pool.Query(m.Context(), `select actor || ' ' || action from audit_entries where seq > $1 and seq <= $2 order by seq`, pre.Audit, post.Audit)
	for err == nil && rows.Next() {
		var entry string
		err = rows.Scan(&entry)
		entries = append(entries, entry)
	}
	if err = errors.Join(err, rows.Err()); err != nil {
		return err.Error()
	}
	if a.audit != "" && !slices.Contains(entries, a.actor.Name+" "+a.audit) {
		return fmt.Sprintf("the audit has %q, want %s of %s", entries, a.audit, a.actor.Name)
	}
	return ""
}

var words = regexp.MustCompile(`z[sw]\d+z`)
