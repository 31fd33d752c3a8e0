//go:build drill

package editorial_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/people/identity"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

// The drill of the checks drafts every endpoint of a product with 1,000 of them, checks
// them all, then changes one word and checks again. It prints how long both took, and
// how long the change set took to be submitted and published:
//
//	go test -tags drill -run DrillChecks -v ./app/documentation/editorial
func TestDrillChecks(t *testing.T) {
	const allBudget, oneBudget, publishBudget = 60 * time.Second, 3 * time.Second, 10 * time.Second
	pool := dbtest.Pool(t)
	document, err := openapi.Read(corpus.Generate(t, 0, drillEndpoints))
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{T: t, db: pool}
	set, err := editorial.Draft(t.Context(), pool, editorial.System, editorial.Import{ProductSlug: "channel", Product: content.Product{Name: "Channel"}, VersionSlug: "1.0",
		Version: content.Version{Label: "Beta"}, Document: document})
	d.ok(err)
	d.ok(editorial.Publish(t.Context(), pool, editorial.System, set, true))
	d.boss.Role, d.boss.Name = identity.SuperAdmin, "admin:1"
	d.scan(&d.boss.ID, `insert into admin_users (name, email, password_hash, role) values ('Boss', 'boss@example.com', 'x', 'super_admin') returning id`)
	items, err := queries.ItemList(t.Context(), pool, d.find("version", "1.0"))
	d.ok(err)
	change := func(id int64, word string) int64 {
		var e content.Endpoint
		d.ok(json.Unmarshal(d.live(id), &e))
		e.Purpose += "\n\n" + word
		raw, err := json.Marshal(e)
		d.ok(err)
		return d.save(d.boss, id, raw).ChangeSetID
	}
	var own, last int64
	for _, i := range items {
		if i.Kind == content.KindEndpoint {
			own, last = change(i.ID, "See [the others](/docs/channel/1.0)."), i.ID
		}
	}
	timed := func(what string, most time.Duration, do func() error) {
		t.Helper()
		from := time.Now()
		d.ok(do())
		took := time.Since(from)
		t.Logf("%s: %v", what, took.Round(time.Millisecond))
		if took > most {
			t.Errorf("%s takes %v, over %v", what, took, most)
		}
	}
	run := func() error { return editorial.RunChecks(t.Context(), pool, own) }
	timed("checking every endpoint", allBudget, run)
	change(last, "Once more.")
	timed("checking one word among them", oneBudget, run)
	if q := d.quality(own); q.Pending > 0 {
		t.Errorf("%d items are not checked", q.Pending)
	} else if blocking := q.Blocking(); len(blocking) > 0 && !strings.Contains(blocking[0].Message, "path") {
		t.Logf("%d findings block, the first: %s", len(blocking), blocking[0].Message)
	}
	timed("publishing all of them", publishBudget, func() error { return editorial.Publish(t.Context(), pool, d.boss, own, true) })

	alone := change(last, "Alone.")
	timed("checking a word of one endpoint", oneBudget, func() error { return editorial.RunChecks(t.Context(), pool, alone) })
	timed("publishing it", publishBudget, func() error { return editorial.Publish(t.Context(), pool, d.boss, alone, true) })
}
