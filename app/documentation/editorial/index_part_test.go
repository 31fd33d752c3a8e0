package editorial_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/db/dbtest"
)

const indexed = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"tags":[{"name":"Letters"}],"paths":{
"/a":{"post":{"operationId":"getA","summary":"Get a","description":"ONCE\n\n## How\n\nSlowly.\n\n| Code | Meaning |\n|---|---|\n| 4711 | Torn |","tags":["Letters"],
 "parameters":[{"name":"size","in":"query","description":"SIZEWORD","schema":{"type":"string"}}],
 "requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"text":{"type":"string","description":"BODYWORD"},"stamp":{"$ref":"#/components/schemas/Stamp"}}}}}},
 "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"id":{"type":"string","description":"IDWORD"}}}}}},
 "400":{"description":"no","content":{"application/json":{"schema":{"type":"object","properties":{"reason":{"type":"string","description":"REASONWORD"}}}}}}}}},
"/b":{"post":{"operationId":"postB","summary":"Post b","tags":["Letters"],"description":"TWICE",
 "requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Stamp"}}}},
 "responses":{"200":{"description":"ok"},"400":{"description":"no","content":{"application/json":{"schema":{"type":"object","properties":{"reason":{"type":"string","description":"REASONWORD"}}}}}}}}}},
"components":{"schemas":{"Stamp":{"type":"object","description":"STAMPWORD","properties":{"value":{"type":"string","description":"VALUEWORD"}}}}}}`

// index is everything that readers can find, as text.
func (d *desk) index() (text string) {
	d.Helper()
	d.scan(&text, `select (select string_agg(r.title || '|' || r.url || '|' || r.body || '|' || r.terms::text || '|' || n.near::text || '|' || coalesce(r.page::text, '') || '|' || r.weight, E'\n' order by encode(digest, 'hex'), r.title) from search_rows r join search_names n using (id))
		|| (select string_agg(word || ' ' || rows || ' ' || scope_id, E'\n' order by word, scope_id) from search_words)`)
	return text
}

// However little of the index is written by a release, it is what writing all
// of it gives.
func TestIndexOfPartsIsThatOfTheWhole(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	files := guideFiles("Begin.")
	files["t.json"].Data = []byte(indexed)
	d.seed(files)
	for i, edit := range []struct {
		item     int64
		old, now string
		rows     int // written, zero for many
	}{
		{d.getA, "ONCE", "ONCE AGAIN", 1}, {d.getA, "Slowly", "Quickly", 2}, {d.getA, "Torn", "Torn apart", 3}, {d.getA, "4711", "4712", 0},
		{d.getA, "SIZEWORD", "LENGTHWORD", 2}, {d.getA, "BODYWORD", "TEXTWORD", 0}, {d.getA, `"name":"size"`, `"name":"length"`, 2},
		{d.getA, "IDWORD", "NUMBERWORD", 0}, {d.getA, "REASONWORD", "CAUSEWORD", 0}, {d.getA, `"reason"`, `"cause"`, 0}, {d.postB, "TWICE", "ONCE", 1},
		{d.getA, "#/components/schemas/Stamp", "#/components/schemas/None", 0}, {d.getA, `"name":"Get a"`, `"name":"Get the letter"`, 0},
		{d.postB, `"path":"/b"`, `"path":"/c"`, 0}, {d.postB, "ONCE", "", 1},
	} {
		text := strings.ReplaceAll(string(d.live(edit.item)), edit.old, edit.now)
		saved := d.save(d.ada, edit.item, json.RawMessage(text))
		if !saved.Changed {
			t.Fatalf("edit %d changes nothing", i)
		}
		highest := d.count(`select max(id) from search_rows`)
		d.accept(saved.ChangeSetID)
		d.ok(editorial.Publish(t.Context(), d.db, d.boss, saved.ChangeSetID, true))
		if n := d.count(`select count(*) from search_rows where id > $1`, highest); edit.rows > 0 && n != edit.rows {
			t.Errorf("edit %d writes %d rows, want %d", i, n, edit.rows)
		}
		got := d.index()
		d.exec(`delete from search_rows`)
		d.exec(`delete from search_names`)
		d.exec(`delete from search_words`)
		d.seed(files)
		if want := d.index(); got != want {
			t.Errorf("edit %d, %s to %s: %s", i, edit.old, edit.now, firstDifference(got, want))
		}
	}
}

// What other releases put through search_loads stays there until the next
// vacuum. A release must not read it.
func TestPublishReadsOnlyItsOwnLoads(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	d.exec(`
		insert into search_loads (place, scope_id, item_id, kind, product, version, method, title, path, url, breadcrumb, body, deprecated, weight, names, others, words, context, size, key, alias, shape, digest)
		select n, 0, 0, 'field', '', '', '', '', '', '', '{}', '', false, 1, '', '', '', '', 1, '', '', '', '' from generate_series(1, 20000) n`)
	set := d.save(d.ada, d.guide, guideText("Begin", "With a pen.")).ChangeSetID
	const scans = `select seq_scan from pg_stat_xact_user_tables where relname = 'search_loads'`
	before := d.count(scans)
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	if n := d.count(scans) - before; n != 0 {
		t.Errorf("a release reads the loads of all others %d times", n)
	}
}

func firstDifference(got, want string) string {
	x, y := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("%s\nwant\n%s", x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(x), len(y))
}
