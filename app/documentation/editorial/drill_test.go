//go:build drill

package editorial_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/db/dbtest"
)

// The drill of publishing loads 50 products with a version of 1,000 generated
// endpoints and a guide each, publishes one changed word of a product's summary,
// of an endpoint and of a guide, five times each, and prints how long each took.
// It needs 4 GB of disk and some minutes; DRILL_PRODUCTS loads fewer:
//
//	go test -tags drill -run DrillPublish -timeout 40m -v ./app/documentation/editorial
const (
	drillEndpoints = 1000
	drillBudget    = 300 * time.Millisecond
)

func TestDrillPublish(t *testing.T) {
	drillProducts := 50
	if text := os.Getenv("DRILL_PRODUCTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		drillProducts = n
	}
	pool := dbtest.Pool(t)
	started := time.Now()
	products := make([]content.Product, drillProducts)
	for i := range products {
		document, err := openapi.Read(corpus.Generate(t, i, drillEndpoints))
		if err != nil {
			t.Fatal(err)
		}
		products[i] = content.Product{Name: fmt.Sprintf("Channel %d", i), Summary: "Reaches people."}
		set, err := editorial.Draft(t.Context(), pool, editorial.System, editorial.Import{ProductSlug: fmt.Sprintf("channel-%d", i), Product: products[i], VersionSlug: "1.0",
			Version: content.Version{Label: "Current"}, Document: document, Guides: []editorial.ImportGuide{{Slug: "begin", Guide: content.Guide{Title: "Begin", Text: "Once."}}}})
		if err == nil {
			err = editorial.Publish(t.Context(), pool, editorial.System, set, true)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var rows int
	if _, err := pool.Exec(t.Context(), `analyze`); err != nil {
		t.Fatal(err)
	}
	if err := pool.QueryRow(t.Context(), `select count(*) from search_rows`).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d products with %d endpoints, %d search rows, loaded in %v", drillProducts, drillEndpoints, rows, time.Since(started).Round(time.Second))
	d := &desk{T: t, db: pool}
	for what, item := range map[string]int64{
		"a word of a product's summary": d.find("product", "channel-1"),
		"a word of an endpoint":         int64(d.count(`select id from items where kind = 'endpoint' order by id offset 1234 limit 1`)),
		"a word of a guide":             int64(d.count(`select id from items where kind = 'guide' order by id limit 1`)),
	} {
		var times []time.Duration
		for i := range 5 {
			next := strings.NewReplacer("people", fmt.Sprintf("people%d", i), "before you", fmt.Sprintf("before you, word%d,", i), "Once", fmt.Sprintf("Once%d", i)).Replace(string(d.live(item)))
			saved := d.save(editorial.System, item, json.RawMessage(next))
			if !saved.Changed {
				t.Fatalf("%s: nothing changed", what)
			}
			from := time.Now()
			d.ok(editorial.Publish(t.Context(), pool, editorial.System, saved.ChangeSetID, true))
			times = append(times, time.Since(from).Round(time.Millisecond))
		}
		slices.Sort(times)
		t.Logf("%s: median %v of %v", what, times[2], times)
		if times[2] > drillBudget {
			t.Errorf("%s takes %v, over %v", what, times[2], drillBudget)
		}
	}
}
