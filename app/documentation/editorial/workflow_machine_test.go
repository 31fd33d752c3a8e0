package editorial_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/people/identity"
	"heliograph/db/dbtest"
)

// machine tries random acts of random people and holds each against the rules.
type machine struct {
	*testing.T
	*rules
	pool                            *pgxpool.Pool
	rnd                             *rand.Rand
	seed                            uint64
	ada, ben, cleo, vera, boss, max editorial.Actor // ada and ben edit Letters, ben and cleo Lamps
	w                               *world          // now
	looks                           map[int64]look
	words                           int
	saves                           map[string]int64 // each word that was saved, by its author
	unsettled                       map[int64]bool   // approved by a schedule that ended, whatever changed meanwhile
	log                             []string
	note                            string // of the last act, for a failure
	tried, done, together           int
}

func newMachine(t *testing.T, seed uint64) *machine {
	t.Helper()
	m := &machine{T: t, pool: dbtest.Pool(t), rnd: rand.New(rand.NewPCG(seed, 1)), seed: seed, looks: map[int64]look{}, saves: map[string]int64{}, unsettled: map[int64]bool{},
		rules: &rules{archive: newArchive(), editors: map[int64][]int64{}, approved: map[int64]string{}, accepted: map[string]bool{}}}
	m.ok(editorial.Seed(t.Context(), m.pool, m.files()))
	for _, check := range checks.All {
		_, err := m.pool.Exec(t.Context(), `insert into check_policies (product_id, check_name, level) select id, $1, 'warn' from items where kind = 'product'`, check.Name)
		m.ok(err) // what the checks find has tests of its own
	}
	m.look()
	products := map[string]int64{}
	for _, i := range m.w.Items {
		if i.Kind == content.KindProduct {
			products[i.Slug] = i.ID
		}
	}
	for _, p := range []struct {
		name, role string
		is         *editorial.Actor
		products   []string
	}{
		{"Ada", identity.Editor, &m.ada, []string{"letters"}}, {"Ben", identity.Editor, &m.ben, []string{"letters", "lamps"}}, {"Cleo", identity.Editor, &m.cleo, []string{"lamps"}},
		{"Vera", identity.Viewer, &m.vera, []string{"letters", "lamps"}}, {"Boss", identity.SuperAdmin, &m.boss, nil}, {"Max", identity.SuperAdmin, &m.max, nil},
	} {
		p.is.Role = p.role
		m.ok(m.pool.QueryRow(t.Context(), `insert into admin_users (name, email, password_hash, role) values ($1, lower($1) || '@example.com', 'x', $2) returning id`, p.name, p.role).Scan(&p.is.ID))
		p.is.Name = fmt.Sprintf("admin:%d", p.is.ID)
		for _, product := range p.products {
			_, err := m.pool.Exec(t.Context(), `insert into product_editors (admin_user_id, product_id) values ($1, $2)`, p.is.ID, products[product])
			m.ok(err)
			m.editors[p.is.ID] = append(m.editors[p.is.ID], products[product])
		}
	}
	m.look()
	return m
}

func (m *machine) ok(err error) {
	m.Helper()
	if err != nil {
		m.fail("%v", err)
	}
}

// fail ends the test with everything that was done, so that it can be done again.
func (m *machine) fail(format string, args ...any) {
	m.Helper()
	m.Fatalf("%s\nseed %d, after %d acts:\n%s\n%s\nchange sets: %+v", fmt.Sprintf(format, args...), m.seed, len(m.log), strings.Join(m.log, "\n"), m.note, m.w.Changes)
}

func (m *machine) look() {
	m.Helper()
	w, err := m.read(m.Context(), m.pool)
	m.ok(err)
	m.w = w
}

// files are a seed with new words in some of its texts.
func (m *machine) files() fstest.MapFS {
	operations := func(names ...string) []byte {
		var paths []string
		for _, name := range names {
			paths = append(paths, fmt.Sprintf(`"/%s":{"get":{"operationId":"get%s","summary":"Get %s","tags":["All"],"description":"Reads %s.","responses":{"200":{"description":"ok"}}}}`, name, strings.ToUpper(name), name, m.seedWord()))
		}
		return []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"tags":[{"name":"All"}],"paths":{` + strings.Join(paths, ",") + `}}`)
	}
	return fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"letters","product":{"name":"Letters","homepage":true},"version":"1.0","label":"Current","document":"new.json",
			"earlier":[{"version":"0.9","label":"Beta","document":"old.json"}],"guides":[{"slug":"begin","title":"Begin here"},{"slug":"go-on","title":"Go on"}]},
			{"slug":"lamps","product":{"name":"Lamps"},"version":"1.0","label":"Current","document":"lamps.json","guides":[{"slug":"light","title":"Light"}]}]`)},
		"new.json": {Data: operations("a", "b")}, "old.json": {Data: operations("c", "d")}, "lamps.json": {Data: operations("l")},
		"guides/letters/begin.md": {Data: []byte("Begin with " + m.seedWord())}, "guides/letters/go-on.md": {Data: []byte("Go on.")}, "guides/lamps/light.md": {Data: []byte("Light " + m.seedWord())},
	}
}

func (m *machine) chance(percent int) bool { return m.rnd.IntN(100) < percent }

func (m *machine) pick(list ...string) string { return list[m.rnd.IntN(len(list))] }

// seedWord is a word of the seed, which seldom changes.
func (m *machine) seedWord() string { return fmt.Sprintf("zs%dz", m.rnd.IntN(3)) }

// word is a word that was never written before.
func (m *machine) word() string {
	m.words++
	return fmt.Sprintf("zw%dz", m.words)
}

// written is a content with a word in each of its texts.
func (m *machine) written(i worldItem, word string) json.RawMessage {
	var c any
	switch i.Kind {
	case content.KindProduct:
		c = content.Product{Name: "Product " + word, Summary: word, OwnApproval: m.chance(50)}
	case content.KindVersion:
		v := content.Version{Label: map[bool]string{true: content.Current, false: content.Beta}[i.Slug == "1.0"]}
		var old content.Version
		_ = json.Unmarshal([]byte(m.revisions[i.head()].Content), &old)
		v.Frame, v.Description, v.Notes = old.Frame, word, word
		c = v
	case content.KindCategory:
		c = content.Category{Name: "All", Description: word, Raw: json.RawMessage(`{"name":"All"}`)}
	case content.KindEndpoint:
		e := content.Endpoint{Method: "get", Path: "/" + word, Category: "All"}
		var old content.Endpoint
		if json.Unmarshal([]byte(m.revisions[i.head()].Content), &old) == nil && old.Path != "" {
			e.Method, e.Path, e.OperationID = old.Method, old.Path, old.OperationID
		}
		e.Name, e.Purpose = "Get "+word, word
		var parameters []string
		for _, p := range []string{"one", "two"} {
			if m.chance(25) {
				parameters = append(parameters, fmt.Sprintf(`{"name":%q,"in":"query","required":true,"schema":{"type":"string"}}`, p))
			}
		}
		e.Raw = json.RawMessage(fmt.Sprintf(`{"tags":["All"],"summary":%q,"description":%q,"parameters":[%s],"responses":{"200":{"description":"ok"}}}`, e.Name, word, strings.Join(parameters, ",")))
		c = e
	default:
		g := content.Guide{Title: "Guide " + word, Summary: word, Text: word}
		if m.chance(5) {
			g.Title = ""
		}
		c = g
	}
	raw, err := json.Marshal(c)
	m.ok(err)
	return raw
}

func (m *machine) anyone(likely ...editorial.Actor) editorial.Actor {
	if m.chance(75) {
		return likely[m.rnd.IntN(len(likely))]
	}
	everybody := []editorial.Actor{m.ada, m.ben, m.cleo, m.vera, m.boss, m.max, {Role: identity.Editor, Name: "nobody"}}
	return everybody[m.rnd.IntN(len(everybody))]
}

func (m *machine) person(id int64) editorial.Actor {
	for _, a := range []editorial.Actor{m.ada, m.ben, m.cleo, m.vera, m.boss, m.max} {
		if a.ID == id {
			return a
		}
	}
	return m.boss
}

func (m *machine) authorOf(s worldSet) editorial.Actor {
	if m.chance(70) {
		return m.person(s.Author)
	}
	return m.anyone(m.boss)
}

// writer is somebody who writes an item, most often who has it in a change set.
func (m *machine) writer(i worldItem) editorial.Actor {
	if s, _, busy := m.w.open(i.ID); busy && m.chance(75) {
		return m.person(s.Author)
	}
	return m.anyone(m.ada, m.ada, m.ben, m.ben, m.cleo, m.boss)
}

func sorted[T any](all map[int64]T) (list []T) {
	ids := make([]int64, 0, len(all))
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		list = append(list, all[id])
	}
	return list
}

func choose[T any](m *machine, list []T, likely func(T) bool) (chosen T) {
	var some []T
	for _, one := range list {
		if likely(one) {
			some = append(some, one)
		}
	}
	if len(some) > 0 && !m.chance(5) {
		list = some
	}
	if len(list) > 0 {
		chosen = list[m.rnd.IntN(len(list))]
	}
	return chosen
}

func (m *machine) anItem(likely func(worldItem) bool) worldItem {
	return choose(m, sorted(m.w.Items), likely)
}

// ofKind is an item of a kind.
func (m *machine) ofKind(kind string) worldItem {
	return choose(m, slices.DeleteFunc(sorted(m.w.Items), func(i worldItem) bool { return i.Kind != kind }), func(worldItem) bool { return true })
}

func (m *machine) aSet(states string) worldSet {
	return choose(m, sorted(m.w.Sets), func(s worldSet) bool { return in(s.State, states) })
}

func (m *machine) aRelease() worldRelease {
	list := sorted(m.w.Releases)
	return list[max(0, len(list)-1-m.rnd.IntN(6))]
}

func (m *machine) aThread() (worldThread, bool) {
	list := sorted(m.w.Threads)
	if len(list) == 0 {
		return worldThread{}, false
	}
	return list[max(0, len(list)-1-m.rnd.IntN(8))], true
}

func (m *machine) someRevision(item int64) (id int64) {
	var all []int64
	for _, r := range m.revisions {
		if r.Item == item {
			all = append(all, r.ID)
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[max(0, len(all)-1-m.rnd.IntN(6))]
}

func (m *machine) named(i worldItem) string { return fmt.Sprintf("%s %s (%d)", i.Kind, i.Slug, i.ID) }
