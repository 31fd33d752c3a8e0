package editorial_test

import (
	"testing"
	"testing/fstest"

	"heliograph/app/documentation/editorial"
	"heliograph/db/dbtest"
)

func guideFiles(begin string) fstest.MapFS {
	all := files(document)
	all["products.json"] = &fstest.MapFile{Data: []byte(`[{"slug":"letters","product":{"name":"Letters","homepage":true},"version":"1.0","label":"Current","document":"t.json",
"guides":[{"slug":"begin","title":"Begin here","group":"Start"},{"slug":"go-on","title":"Go on"}]}]`)}
	all["guides/letters/begin.md"] = &fstest.MapFile{Data: []byte(begin)}
	all["guides/letters/go-on.md"] = &fstest.MapFile{Data: []byte("More.")}
	return all
}

// Guides go public with their product, and a changed one releases that alone.
func TestSeedPublishesGuides(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	for _, begin := range []string{"## Fold\n\nA HALFWORD.", "## Fold\n\nA HALFWORD.", "## Fold\n\nA WHOLEWORD."} {
		if err := editorial.Seed(t.Context(), tx, guideFiles(begin)); err != nil {
			t.Fatal(err)
		}
	}
	for sql, want := range map[string]int{
		`select count(*) from items where kind = 'guide' and live_revision_id is not null`:                                     2,
		`select count(*) from releases r join items i on i.id = r.scope_id where i.kind = 'product'`:                           2,
		`select count(*) from releases r join items i on i.id = r.scope_id where i.kind = 'version'`:                           1,
		`select count(*) from release_items where release_id = (select max(id) from releases)`:                                 3, // the product and its guides
		`select count(*) from search_rows where kind = 'guide' and url not like '%#%'`:                                         2,
		`select count(*) from search_rows where kind = 'guide' and url = '/productguide/letters/begin' and body ~ 'WHOLEWORD'`: 1,
		`select count(*) from search_rows where body like '%HALFWORD%'`:                                                        0,
	} {
		if got := count(t, tx, sql); got != want {
			t.Errorf("%s = %d, want %d", sql, got, want)
		}
	}
}

func TestSeedWantsTheTextOfEveryGuide(t *testing.T) {
	t.Parallel()
	without := guideFiles("")
	delete(without, "guides/letters/go-on.md")
	if err := editorial.Seed(t.Context(), dbtest.Tx(t), without); err == nil {
		t.Error("a guide without a text was published")
	}
}
