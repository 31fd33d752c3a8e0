package jobs_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	queries "heliograph/db/queries/documentation"
)

// A worker checks what was saved, and checks it again when it changes. The job is
// inserted by the save itself.
func TestSavedDraftsAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(editorial.Seed(ctx, b.pool, fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"letters","product":{"name":"Letters"},"version":"1.0","label":"Current","document":"t.json",
"guides":[{"slug":"begin","title":"Begin here","group":"Start"},{"slug":"go-on","title":"Go on"}]}]`)},
		"t.json":                  {Data: []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{}}`)},
		"guides/letters/begin.md": {Data: []byte("Begin.")},
		"guides/letters/go-on.md": {Data: []byte("## Stamps\n\nMore.")},
	}))
	var product, guide, base int64
	check(b.pool.QueryRow(ctx, `select id from items where kind = 'product'`).Scan(&product))
	check(b.pool.QueryRow(ctx, `select id, live_revision_id from items where slug = 'begin'`).Scan(&guide, &base))
	ada, _ := editors(t, b.pool, product)
	save := func(text string) editorial.Quality {
		t.Helper()
		raw, err := json.Marshal(content.Guide{Title: "Begin here", Summary: "First.", Group: "Start", Text: text})
		check(err)
		saved, err := editorial.Save(ctx, b.pool, ada, editorial.Edit{ItemID: guide, Content: raw, Base: base})
		check(err)
		base = saved.Item.DraftRevisionID
		set, err := queries.ChangeSetGet(ctx, b.pool, saved.ChangeSetID)
		check(err)
		changes, err := queries.ChangeSetItemList(ctx, b.pool, set.ID)
		check(err)
		q := editorial.Quality{Pending: 1}
		for end := time.Now().Add(20 * time.Second); q.Pending > 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			q, err = editorial.ReadQuality(ctx, b.pool, set, changes)
			check(err)
		}
		if q.Pending > 0 {
			t.Fatal("no worker checked the draft within 20 s")
		}
		return q
	}
	q := save("Go [on](go-on#ink), or [back](nowhere).")
	if len(q.Findings) != 2 || len(q.Blocking()) != 2 || !strings.Contains(q.Findings[0].Message, "#ink") || !strings.Contains(q.Findings[1].Message, "/productguide/letters/nowhere") {
		t.Errorf("findings: %+v", q.Findings)
	}
	if q = save("Go [on](go-on#stamps)."); len(q.Findings) != 0 || q.CheckedAt.IsZero() {
		t.Errorf("findings after the links were corrected: %+v", q.Findings)
	}
	var attempts, open int
	check(b.pool.QueryRow(ctx, `select max(attempt), count(*) filter (where state <> 'completed') from river.river_job where kind = 'check_changes'`).Scan(&attempts, &open))
	if attempts != 1 || open > 0 {
		t.Errorf("%d attempts, %d jobs open", attempts, open)
	}
}
