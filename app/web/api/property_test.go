package api_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

var (
	walkSteps = flag.Int("steps", 400, "steps of the random walk over the operations")
	walkSeed  = flag.Uint64("seed", 0, "seed of the random walk, to take the same one again; 0 draws one")
)

// origin is where an id in a request is from.
type origin string

const (
	own       origin = "own"
	gone      origin = "deleted"
	foreign   origin = "the other partner's"
	misused   origin = "own, of another kind"
	unknown   origin = "unknown"
	malformed origin = "malformed"
)

// ref is an id in a request.
type ref struct {
	id, kind string
	origin   origin
	inBody   bool // not there any more once the body is spoilt
}

// player is a partner and what it may expect to find.
type player struct {
	*partner
	marker string              // stands in every text that it writes, and in nobody else's
	made   map[string][]string // ids that it can use, by kind
	gone   map[string][]string // ids that it could use once
	known  map[string]string   // what it last wrote, by place
	keyed  []keyed             // requests that were answered under an Idempotency-Key
}

type keyed struct {
	key string
	request
	answer string
}

// walk has two partners do one thing after another.
type walk struct {
	t       *testing.T
	random  *rand.Rand
	players [2]*player
	status  map[string]string // of every template, by id
	trace   []string          // of the last steps
	step    int
	done    map[string]int // successes by operation
}

// templateArrows are the moves that the contract describes. Some are several at
// once, such as an approval with the pause that follows from it, and the moves of a
// template that is reviewed as it is created.
var templateArrows = map[string]string{
	"": "PENDING APPROVED REJECTED PAUSED DISABLED", "PENDING": "APPROVED REJECTED PAUSED DISABLED DELETED PENDING_DELETION",
	"REJECTED": "PENDING DELETED PENDING_DELETION", "APPROVED": "PENDING PAUSED DISABLED DELETED PENDING_DELETION",
	"PAUSED": "APPROVED PENDING DISABLED DELETED PENDING_DELETION", "DISABLED": "DELETED PENDING_DELETION", "PENDING_DELETION": "DELETED",
}

// Whatever two partners do, in whatever order and with whichever ids: no answer
// is a failure of the server or outside the contract, nobody reads or changes
// what is the other's, and no template moves but along its arrows.
func TestPartnersNeverMeet(t *testing.T) {
	t.Parallel()
	seed := *walkSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	w := newWalk(t, seed)
	defer func() {
		if t.Failed() {
			t.Logf("take the same walk again with -seed %d; its last steps:\n%s", seed, strings.Join(w.trace, "\n"))
		}
	}()
	for w.step = 1; w.step <= *walkSteps && !t.Failed(); w.step++ {
		a, p := actions[w.n(len(actions))], w.players[w.n(2)]
		a.run(w, p)
		w.watch(a.id, p)
	}
	t.Logf("%d steps under seed %d; successes: %v", w.step-1, seed, w.done)
	if *walkSteps < 5000 {
		return
	}
	for _, a := range actions {
		if w.done[a.id] == 0 {
			t.Errorf("%s never succeeded", a.id)
		}
	}
}

// The walk takes every operation that is served.
func TestTheWalkTakesEveryOperation(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for _, id := range first.surface.Operations() {
		if !slices.ContainsFunc(actions, func(a action) bool { return a.id == id }) {
			t.Errorf("the walk lacks %s", id)
		}
	}
}

func newWalk(t *testing.T, seed uint64) *walk {
	t.Helper()
	first, second := setup(t)
	w := &walk{t: t, random: rand.New(rand.NewPCG(seed, 1)), status: map[string]string{}, done: map[string]int{}}
	for i, p := range []*partner{first, second} {
		p.careless = true
		w.players[i] = &player{partner: p, marker: []string{"amber7kestrel", "cobalt4heron"}[i], gone: map[string][]string{}, known: map[string]string{}, made: map[string][]string{
			"phone_number": {fmt.Sprint(p.sandbox.PhoneNumberID)}, "business": {fmt.Sprint(p.sandbox.BusinessID)},
			"business_account": {fmt.Sprint(p.sandbox.BusinessAccountID)}, "catalogue": {fmt.Sprint(p.sandbox.CatalogueID)},
		}}
	}
	w.watch("nothing", nil)
	return w
}

func (w *walk) n(n int) int { return w.random.IntN(n) }

// sometimes is true once in n times.
func (w *walk) sometimes(n int) bool { return w.n(n) == 0 }

func pickOne[T any](w *walk, from ...T) T { return from[w.n(len(from))] }

func (w *walk) other(p *player) *player {
	if p == w.players[0] {
		return w.players[1]
	}
	return w.players[0]
}

// words is a text of the player.
func (w *walk) words(p *player) string {
	return fmt.Sprintf("%s %s %d", p.marker, pickOne(w, "lamps", "<b>wicks</b>", "öl & ghee", "दीपक", "🪔", `"quoted" \ {{`), w.step)
}

// guarded lists the kinds of ids that answer 403 to other partners. All others
// answer 404.
var guarded = []string{"phone_number", "business_account", "business", "catalogue"}

// draw draws an id of a kind, mostly one that the player can use.
func (w *walk) draw(p *player, kind string) ref {
	take := func(ids []string, o origin) ref {
		if len(ids) == 0 {
			return ref{id: w.unknown(kind), kind: kind, origin: unknown}
		}
		return ref{id: url.PathEscape(ids[w.n(len(ids))]), kind: kind, origin: o}
	}
	switch n := w.n(20); {
	case n < 12:
		return take(p.made[kind], own)
	case n < 14:
		return take(p.gone[kind], gone)
	case n < 17:
		return take(w.other(p).made[kind], foreign)
	case n < 18:
		another := kind
		for another == kind {
			another = pickOne(w, "phone_number", "business_account", "business", "catalogue", "media", "template")
		}
		return take(p.made[another], misused)
	case n < 19:
		return ref{id: w.unknown(kind), kind: kind, origin: unknown}
	}
	return ref{kind: kind, origin: malformed, id: pickOne(w,
		"x", "0", "-1", "123", "%00", "%ff", "99999999999999999999", "+12345678901234", "1e15", "%27%3B--", "%F0%9F%AA%94", strings.Repeat("9", 3000))}
}

func (w *walk) unknown(kind string) string {
	switch kind {
	case "code":
		return "ZZZZZZZZZZZZZ1"
	case "session":
		return "upload:AAAAAAAAAAAAAAAAAAAAAA"
	}
	return fmt.Sprintf("9%015d", w.random.Int64N(1e15))
}

// mostly draws an id that the player can use, where an operation takes two.
func (w *walk) mostly(p *player, kind string) ref {
	for range 3 {
		if r := w.draw(p, kind); r.origin == own {
			return r
		}
	}
	return w.draw(p, kind)
}

// adds notes an id that the player can use now.
func (p *player) adds(kind, id string) {
	if p.made[kind] = append(p.made[kind], id); len(p.made[kind]) > 40 {
		p.made[kind] = p.made[kind][1:]
	}
}

// loses notes that ids can be used no longer.
func (p *player) loses(kind string, lost func(id string) bool) {
	for _, id := range p.made[kind] {
		if lost(id) {
			p.gone[kind] = append(p.gone[kind], id)
		}
	}
	p.made[kind] = slices.DeleteFunc(p.made[kind], lost)
}

// watch compares every template with what it was before a step of a player.
func (w *walk) watch(id string, p *player) {
	w.t.Helper()
	rows, err := w.players[0].pool.Query(w.t.Context(), `select id::text, business_account_id, status from message_templates`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	now := map[string]string{}
	for rows.Next() {
		var template, status string
		var account int64
		if err := rows.Scan(&template, &account, &status); err != nil {
			w.t.Fatal(err)
		}
		now[template] = status
		was, isKnown := w.status[template]
		if was == status || p == nil {
			continue
		}
		if !slices.Contains(strings.Fields(templateArrows[was]), status) {
			w.t.Errorf("%s moved template %s from %q to %s", id, template, was, status)
		}
		byTime := slices.Contains([]string{"review", "settle"}, id)
		byCaller := slices.Contains([]string{"createTemplate", "editTemplate", "deleteTemplate"}, id) && account == p.sandbox.BusinessAccountID
		if !byTime && !byCaller || !isKnown && id != "createTemplate" {
			w.t.Errorf("%s of %s moved template %s from %q to %s", id, p.marker, template, was, status)
		}
		if status == "DELETED" || status == "PENDING_DELETION" {
			for _, each := range w.players {
				each.loses("template", func(id string) bool { return id == template })
			}
		}
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	for template := range maps.Keys(w.status) {
		if now[template] == "" {
			w.t.Errorf("%s made template %s vanish", id, template)
		}
	}
	w.status = now
}

// request is what a player asks for.
type request struct {
	method, path, body, contentType string
	refs                            []ref  // the ids in its path and query
	place                           string // in known, of what it changes
	sure                            bool   // it succeeds if all ids are the player's own
	may                             []int  // further statuses that own ids can lead to
	creates                         bool   // it takes an Idempotency-Key
	spoilt                          bool   // something else than its ids is wrong, and may be found out first
	file                            bool   // its answer is one
}

// wants says whether a status fits the ids of a request. Of several ids, one that
// is malformed may be refused before another is looked up.
func (r request) wants(status int) bool {
	malformedID := slices.ContainsFunc(r.refs, func(id ref) bool { return id.origin == malformed })
	if (r.spoilt || malformedID) && status == http.StatusBadRequest {
		return true
	}
	for _, id := range r.refs {
		if r.spoilt && id.inBody {
			if status == http.StatusNotFound {
				return true // it is there yet
			}
			continue
		}
		switch id.origin {
		case own:
			continue
		case foreign:
			if slices.Contains(guarded, id.kind) {
				return status == http.StatusForbidden
			}
		case malformed, misused:
			return status == http.StatusNotFound || status == http.StatusBadRequest
		}
		return status == http.StatusNotFound
	}
	return status == http.StatusOK || !r.sure && status == http.StatusBadRequest || slices.Contains(r.may, status)
}
