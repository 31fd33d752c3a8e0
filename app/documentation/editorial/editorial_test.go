package editorial_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db/dbtest"
)

const document = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
"/a":{"get":{"operationId":"getA","summary":"Get a","tags":["Letters"],"responses":{"200":{"description":"ok"}}}},
"/b":{"post":{"operationId":"postB","summary":"Post b","tags":["Letters"],"description":"SECRETWORD","responses":{"200":{"description":"ok"}}}}}}`

func files(document string) fstest.MapFS {
	return fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"letters","product":{"name":"Letters","homepage":true},"version":"1.0","label":"Current","document":"t.json"}]`)},
		"t.json":        {Data: []byte(document)},
	}
}

func count(t *testing.T, tx pgx.Tx, sql string) (n int) {
	t.Helper()
	if err := tx.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSeedPublishesOnce(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	for range 2 {
		if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
			t.Fatal(err)
		}
	}
	for sql, want := range map[string]int{
		`select count(*) from releases`:                                                          2, // product and version
		`select count(*) from revisions`:                                                         4,
		`select count(*) from items where draft_revision_id is not null`:                         0,
		`select count(*) from change_sets where state = 'published'`:                             1,
		`select count(*) from search_rows`:                                                       6, // product, changelog, version, category, endpoints
		`select count(*) from search_names where words @@ plainto_tsquery('docs', 'post b')`:     1,
		`select count(*) from release_items`:                                                     4,
		`select count(*) from audit_entries where action = 'release.publish' and actor='system'`: 1,
	} {
		if got := count(t, tx, sql); got != want {
			t.Errorf("%s = %d, want %d", sql, got, want)
		}
	}
	if _, err := audit.Verify(t.Context(), tx); err != nil {
		t.Errorf("the audit chain: %v", err)
	}
}

func TestSeedReleasesWhatChanged(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	without := `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
"/a":{"get":{"operationId":"getA","summary":"Get a letter","tags":["Letters"],"responses":{"200":{"description":"ok"}}}}}}`
	if err := editorial.Seed(t.Context(), tx, files(without)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, tx, `select count(*) from releases r join items i on i.id = r.scope_id where i.kind = 'version'`); n != 2 {
		t.Errorf("%d releases of the version, want 2", n)
	}
	if n := count(t, tx, `select count(*) from release_items x join items i on i.id = x.item_id where i.slug = 'post-b' and x.release_id = (select max(id) from releases)`); n != 0 {
		t.Error("the removed endpoint is in the new release")
	}
	if n := count(t, tx, `select count(*) from search_rows where body like '%SECRETWORD%'`); n != 0 {
		t.Error("the removed endpoint is still found")
	}
	if n := count(t, tx, `select count(*) from items where slug = 'post-b' and archived_at is not null`); n != 1 {
		t.Error("the removed endpoint is not archived")
	}
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, tx, `select count(*) from items where slug = 'post-b' and archived_at is null`); n != 1 {
		t.Error("the endpoint did not come back")
	}
}

func TestRevisionsNeverChange(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `update revisions set content = '{}'`); err == nil || !strings.Contains(err.Error(), "never changed") {
		t.Errorf("updating a revision: %v, want a refusal", err)
	}
}

func TestPublishGuards(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	im := editorial.Import{ProductSlug: "letters", Product: content.Product{Name: "Letters"}}
	set, err := editorial.Draft(t.Context(), tx, editorial.System, im)
	if err != nil {
		t.Fatal(err)
	}
	if err := editorial.Publish(t.Context(), tx, editorial.System, set, false); !fault.Is(err, fault.Conflict) {
		t.Errorf("publishing without approval: %v, want Conflict", err)
	}
	if err := editorial.Publish(t.Context(), tx, editorial.System, set+1000, true); !fault.Is(err, fault.NotFound) {
		t.Errorf("publishing nothing: %v, want NotFound", err)
	}
	im.Product.Summary = "second"
	if again, err := editorial.Draft(t.Context(), tx, editorial.System, im); err != nil || again != set {
		t.Errorf("a second draft of one's own: change set %d, %v, want %d", again, err, set)
	}
	if err := editorial.Publish(t.Context(), tx, editorial.System, set, true); err != nil {
		t.Fatal(err)
	}
	if err := editorial.Publish(t.Context(), tx, editorial.System, set, true); !fault.Is(err, fault.Conflict) {
		t.Errorf("publishing twice: %v, want Conflict", err)
	}
}

func TestOutdatedDraftIsNotPublished(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	im := editorial.Import{ProductSlug: "letters", Product: content.Product{Name: "Letters"}}
	first, err := editorial.Draft(t.Context(), tx, editorial.System, im)
	if err != nil {
		t.Fatal(err)
	}
	if err := editorial.Publish(t.Context(), tx, editorial.System, first, true); err != nil {
		t.Fatal(err)
	}
	im.Product.Summary = "second"
	second, err := editorial.Draft(t.Context(), tx, editorial.System, im)
	if err != nil {
		t.Fatal(err)
	}
	// Somebody else publishes in between.
	if _, err := tx.Exec(t.Context(), `
		with r as (insert into revisions (item_id, number, content, content_hash) select id, 9, '{}', decode(repeat('11', 32), 'hex') from items returning id, item_id)
		update items set live_revision_id = r.id from r where r.item_id = items.id`); err != nil {
		t.Fatal(err)
	}
	err = editorial.Publish(t.Context(), tx, editorial.System, second, true)
	if f := fault.As(err); f == nil || f.Code != "outdated" {
		t.Errorf("publishing an outdated draft: %v, want outdated", err)
	}
}

func TestSeedIndexesWhatWasPublishedBefore(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `delete from search_rows`); err != nil {
		t.Fatal(err)
	}
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, tx, `select count(*) from search_rows`); n != 6 {
		t.Errorf("%d search rows, want 6", n)
	}
	// Rows of an older form are written again.
	if _, err := tx.Exec(t.Context(), `update search_rows set form = 0, page = null, digest = ''`); err != nil {
		t.Fatal(err)
	}
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, tx, `select count(*) from search_rows where form > 0`); n != 6 {
		t.Errorf("%d search rows of today's form, want 6", n)
	}
}

func TestHiddenProductsAreNotFound(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	hidden := files(document)
	hidden["products.json"] = &fstest.MapFile{Data: []byte(strings.Replace(string(hidden["products.json"].Data), `"homepage":true`, `"hidden":true`, 1))}
	if err := editorial.Seed(t.Context(), tx, hidden); err != nil {
		t.Fatal(err)
	}
	if n := count(t, tx, `select count(*) from search_rows`); n != 0 {
		t.Errorf("%d search rows of a hidden product", n)
	}
}

func TestTheProductsOfTheProgram(t *testing.T) {
	t.Parallel()
	tx := seedtest.Tx(t)
	for sql, want := range map[string]int{
		`select count(*) from items where kind = 'product' and live_revision_id is not null`:  6,
		`select count(*) from items where kind = 'version' and live_revision_id is not null`:  5,
		`select count(*) from items where kind = 'endpoint' and live_revision_id is not null`: 41 + 9 + 26 + 10 + 21, // messaging, SMS, RCS, and both versions of the portal
	} {
		if got := count(t, tx, sql); got != want {
			t.Errorf("%s = %d, want %d", sql, got, want)
		}
	}
}
