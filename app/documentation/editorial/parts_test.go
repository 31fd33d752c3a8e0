package editorial_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

const parted = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"tags":[{"name":"Letters","description":"Written ones."}],
"paths":{"/a":{"get":{"operationId":"getA","summary":"Get a","tags":["Letters"],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Letter"}}}}}}}},
"webhooks":{"arrived":{"post":{"operationId":"arrived","summary":"Letter arrived","tags":["Letters"],"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Arrival"}}}},"responses":{"200":{"description":"ok"}}}}},
"components":{"schemas":{"Letter":{"type":"object","description":"LETTERWORD","properties":{"text":{"type":"string"}}},"Arrival":{"type":"object","description":"ARRIVALWORD","properties":{"at":{"type":"string"}}}}}}`

func partedFiles() fstest.MapFS {
	all := guideFiles("Begin.")
	all["t.json"] = &fstest.MapFile{Data: []byte(parted)}
	return all
}

// compiled is the description that readers get of the version.
func (d *desk) compiled() *model.API {
	d.Helper()
	items, err := queries.ReleaseItemListLatest(d.Context(), d.db, d.find("version", "1.0"))
	d.ok(err)
	_, parts, err := published.Assemble(items)
	d.ok(err)
	api, err := model.Compile(parts)
	d.ok(err)
	return api
}

// The schemas, callbacks and categories of a version are items: two people who
// edit two schemas do not meet.
func TestPartsAreItems(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	d.seed(partedFiles())
	for kind, want := range map[string]int{"schema": 2, "callback": 1, "category": 1, "endpoint": 1} {
		if n := d.count(`select count(*) from items where kind = $1 and live_revision_id is not null and archived_at is null`, kind); n != want {
			t.Errorf("%d items of kind %s, want %d", n, kind, want)
		}
	}
	letter, arrival := d.find("schema", "letter"), d.find("schema", "arrival")
	edit := func(actor editorial.Actor, id int64, old, now string) int64 {
		return d.save(actor, id, json.RawMessage(strings.Replace(string(d.live(id)), old, now, 1))).ChangeSetID
	}
	one, two := edit(d.ada, letter, "LETTERWORD", "One of Ada"), edit(d.ben, arrival, "ARRIVALWORD", "One of Ben")
	three := edit(d.boss, d.find("category", "letters"), "Written ones.", "Printed ones.")
	for actor, set := range map[editorial.Actor]int64{d.ada: two, d.ben: one} {
		d.ok(editorial.Submit(t.Context(), d.db, map[bool]editorial.Actor{true: d.ada, false: d.ben}[set == one], set, "A schema"))
		d.ok(editorial.Approve(t.Context(), d.db, actor, set, d.hash(set)))
		d.ok(editorial.Publish(t.Context(), d.db, actor, set, false))
	}
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, three, true))
	for _, words := range []string{"One of Ada", "One of Ben"} {
		if d.count(`select count(*) from search_rows where kind = 'schema' and body = $1`, words) != 1 {
			t.Errorf("%s is not found", words)
		}
	}
	api := d.compiled()
	if api.Categories[0].Description != "Printed ones." || len(api.Callbacks) != 1 || api.Schema("Letter") == nil {
		t.Errorf("compiled: %+v", api.Categories[0])
	}
}

// A version with a frame that still holds everything is read as it is, and moves to
// the new form with the next seed.
func TestVersionsOfTheFormBefore(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	d.seed(partedFiles())
	want := d.compiled()
	frame, err := openapi.JoinFrame(read(t, parted).Parts)
	d.ok(err)
	version := d.find("version", "1.0")
	old, err := json.Marshal(content.Version{Label: content.Current, Frame: frame})
	d.ok(err)
	d.exec(`update items set live_revision_id = null where parent_id = $1 and kind in ('schema', 'callback', 'category')`, version)
	d.exec(`delete from release_items where item_id in (select id from items where kind in ('schema', 'callback', 'category'))`)
	d.exec(`delete from change_set_items where item_id in (select id from items where kind in ('schema', 'callback', 'category'))`)
	d.exec(`delete from search_rows where item_id in (select id from items where kind in ('schema', 'callback', 'category'))`)
	d.exec(`delete from items where kind in ('schema', 'callback', 'category')`)
	d.exec(`with r as (insert into revisions (item_id, number, content, content_hash) select $1, 99, $2::json, sha256($2::text::bytea) returning id, item_id),
		i as (update items set live_revision_id = r.id from r where items.id = r.item_id)
		update release_items set revision_id = r.id from r where release_items.item_id = r.item_id and release_id = (select max(id) from releases where scope_id = $1)`, version, string(old))
	same := func(name string) {
		t.Helper()
		if diff := cmp.Diff(shown(want), shown(d.compiled())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	same("read as it was")
	if d.count(`select count(*) from items where kind = 'schema'`) != 0 {
		t.Fatal("the old form has schemas of its own")
	}
	d.seed(partedFiles())
	same("seeded")
	if n := d.count(`select count(*) from items where kind = 'schema' and live_revision_id is not null`); n != 2 {
		t.Errorf("%d schemas after the seed, want 2", n)
	}
	if strings.Contains(string(d.live(version)), "LETTERWORD") || d.left() != 0 {
		t.Error("the frame still holds the schemas")
	}
}

// shown is what readers see of a description, as text.
func shown(api *model.API) (lines []string) {
	for _, c := range append(append([]*model.Category{}, api.Categories...), api.Callbacks...) {
		lines = append(lines, c.Name+": "+c.Description)
		for _, e := range c.Endpoints {
			lines = append(lines, e.Slug+" "+e.Method+" "+e.Path+" "+e.Name)
		}
	}
	return lines
}
