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

	"heliograph/app/content"
	"heliograph/app/editorial"
	"heliograph/app/spec"
	"heliograph/db/dbtest"
)

// The drill of publishing loads 50 products with a version of 1,000 generated
// endpoints and a guide each, publishes one changed word of a product's summary,
// of an endpoint and of a guide, five times each, and prints how long each took.
// It needs 4 GB of disk and some minutes; DRILL_PRODUCTS loads fewer:
//
//	go test -tags drill -run DrillPublish -timeout 40m -v ./app/editorial
const (
	drillEndpoints = 1000
	drillBudget    = 300 * time.Millisecond
)

// drillDocument generates a contract. Words differ between endpoints as they do
// in real ones.
func drillDocument(product int) []byte {
	nouns := strings.Fields("message template campaign contact segment journey webhook invoice payment refund customer order media session device call")
	names := strings.Fields("name status type language code createdAt expiresAt callbackUrl phoneNumber countryCode externalId currency amount locale priority")
	type object = map[string]any
	body := func(i, count int) object {
		properties := object{}
		for n := range count {
			name := names[(i*7+n*5)%len(names)]
			properties[name] = object{"type": "string", "description": fmt.Sprintf("The %s of the %s, as the %s gives it.", name, nouns[(i+n)%len(nouns)], nouns[(i*3+n)%len(nouns)])}
		}
		properties["options"] = object{"type": "object", "properties": object{"dryRun": object{"type": "boolean"}, "limit": object{"type": "integer"}}}
		return object{"application/json": object{"schema": object{"type": "object", "properties": properties}}}
	}
	paths := object{}
	for i := range drillEndpoints {
		noun := nouns[i%len(nouns)]
		paths[fmt.Sprintf("/%ss/{id}/%d", noun, i)] = object{"post": object{
			"operationId": fmt.Sprintf("send%s%d", noun, i), "summary": fmt.Sprintf("Send %s %d", noun, i),
			"description": fmt.Sprintf("Sends one %s of product %d. Use it before you list them.", noun, product), "tags": []string{noun},
			"parameters":  []any{object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}, object{"name": "limit", "in": "query", "schema": object{"type": "string"}}},
			"requestBody": object{"content": body(i, 4)},
			"responses":   object{"200": object{"description": "Done.", "content": body(i+1, 3)}, "400": object{"description": "Wrong.", "content": body(i+2, 2)}},
		}}
	}
	text, err := json.Marshal(object{"openapi": "3.1.0", "info": object{"title": "Generated", "version": "1"}, "paths": paths})
	if err != nil {
		panic(err)
	}
	return text
}

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
		document, err := spec.Read(drillDocument(i))
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
