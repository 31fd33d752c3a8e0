package jobs_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/people/identity"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	"heliograph/jobs"
)

// editors adds an author and a reviewer of a product.
func editors(t *testing.T, pool *pgxpool.Pool, product int64) (author, reviewer editorial.Actor) {
	t.Helper()
	for name, actor := range map[string]*editorial.Actor{"Ada": &author, "Ben": &reviewer} {
		actor.Role = identity.Editor
		err := pool.QueryRow(t.Context(), `
			with a as (insert into admin_users (name, email, password_hash, role) values ($1, lower($1) || '@example.com', 'x', $2) returning id)
			insert into product_editors (admin_user_id, product_id) select id, $3 from a returning admin_user_id`, name, actor.Role, product).Scan(&actor.ID)
		if err != nil {
			t.Fatal(err)
		}
		actor.Name = fmt.Sprintf("admin:%d", actor.ID)
	}
	return author, reviewer
}

// A scheduled change set is published by the job that scheduling inserts, and
// the documentation of a running process shows it.
func TestScheduledChangesArePublished(t *testing.T) {
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
		"guides/letters/go-on.md": {Data: []byte("More.")},
	}))
	var product int64
	check(b.pool.QueryRow(ctx, `select id from items where kind = 'product'`).Scan(&product))
	ada, ben := editors(t, b.pool, product)
	inserter, err := jobs.New(jobs.Deps{Pool: b.pool, Keyring: b.keyring, Product: "msgapp"}, nil, slog.New(slog.DiscardHandler))
	check(err)
	past := time.Now().Add(-time.Hour)
	scheduler := &editorial.Scheduler{DB: b.pool, Jobs: inserter, Now: func() time.Time { return past }}

	var guide, live int64
	check(b.pool.QueryRow(ctx, `select id, live_revision_id from items where kind = 'guide' and slug = 'begin'`).Scan(&guide, &live))
	raw, err := json.Marshal(content.Guide{Title: "Begin here", Group: "Start", Text: "Begin with a stamp."})
	check(err)
	saved, err := editorial.Save(ctx, b.pool, ada, editorial.Edit{ItemID: guide, Content: raw, Base: live})
	check(err)
	set := saved.ChangeSetID
	check(editorial.Submit(ctx, b.pool, ada, set, "Say it better."))
	changes, err := queries.ChangeSetItemList(ctx, b.pool, set)
	check(err)
	check(editorial.Approve(ctx, b.pool, ben, set, editorial.Hash(changes)))
	c := published.New(b.pool, db.NewListener(b.pool))
	text := func() string {
		t.Helper()
		check(c.Refresh(ctx))
		return c.Snapshot().Product("letters").Guides[0].Text
	}
	if text() != "Begin." {
		t.Fatalf("before its time the guide reads %q", text())
	}
	check(scheduler.Schedule(ctx, ben, set, past.Add(time.Minute)))
	state := ""
	for end := time.Now().Add(20 * time.Second); state != editorial.StatePublished && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		check(b.pool.QueryRow(ctx, `select state from change_sets where id = $1`, set).Scan(&state))
	}
	if state != editorial.StatePublished || text() != "Begin with a stamp." {
		t.Errorf("the change set is %s, and the guide reads %q", state, text())
	}
	var finished bool
	check(b.pool.QueryRow(ctx, `select state = 'completed' and attempt = 1 from river.river_job where kind = 'publish_scheduled'`).Scan(&finished))
	if !finished {
		t.Error("the job did not end with its effect at the first attempt")
	}
}
