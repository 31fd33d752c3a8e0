//go:build drill

package reader_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"syscall"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi/corpus"
)

// coldGoal is how long the first answer of a process may take.
const coldGoal = 300 * time.Millisecond

// TestDrillCold asks processes that have compiled nothing yet for everything that
// programs and assistants take out of a product with 1,000 endpoints, and prints
// how long each answer takes. Other work on the machine makes the times longer, but
// hardly the time of the processor:
//
//	go test -tags drill -run DrillCold -v ./app/web/reader
func TestDrillCold(t *testing.T) {
	p := publish(t)
	publishLarge(t, p)
	endpoint := p.documentation.Snapshot().Product("large").Latest().Endpoints()[500].Slug
	t.Logf("%-60s %10s %10s %10s", "address", "bytes", "time", "processor")
	for i, path := range []string{
		"/openapi/large/2.0.json", "/openapi/large/2.0.yaml", "/openapi/large/2.0/" + endpoint + ".json",
		"/postman/large/2.0/collection.json", "/postman/large/2.0/environment.json",
		"/docs/large/changelog", "/docs/large/changelog.atom", "/docs/large/changelog.json", "/docs/large/changelog.md", "/docs/large/changelog?endpoint=" + endpoint,
		"/docs/large/compare", "/docs/large/compare.json", "/docs/large/compare.md", "/docs/large/compare.json?fail_on=breaking",
		"/llms.txt", "/llms-full.txt", "/docs/large/llms.txt", "/docs/large/llms-full.txt",
		"/api/catalog", "/api/catalog/large/2.0", "/api/catalog/large/2.0/" + endpoint + "/examples", "/.well-known/api-catalog", "/sitemap.xml",
		"/docs/large/2.0", "/docs/large/2.0.md", "/docs/large/2.0/" + endpoint, "/docs/large/2.0/" + endpoint + ".md",
	} {
		var wall, processor time.Duration
		size := 0
		for range 5 {
			p.restart(t)
			used, began := processorTime(t), time.Now()
			w := p.ask(http.MethodGet, path, "X-Real-Ip", fmt.Sprint("192.0.2.", i)) // because each client may ask so often only
			took, worked := time.Since(began), processorTime(t)-used
			if w.Code != http.StatusOK && w.Code != http.StatusConflict {
				t.Fatalf("%s: %d %.300s", path, w.Code, w.Body)
			}
			if size == 0 || took < wall {
				wall, size = took, w.Body.Len()
			}
			if processor == 0 || worked < processor {
				processor = worked
			}
		}
		t.Logf("%-60s %10d %10s %10s", path, size, wall.Round(time.Millisecond), processor.Round(time.Millisecond))
		if wall > coldGoal || processor > coldGoal {
			t.Errorf("%s takes %s, and %s of the processor, over %s", path, wall, processor, coldGoal)
		}
	}
}

// publishLarge publishes two versions of a product with 1,000 endpoints. The
// second one adds, removes and changes some and has another schema. Then come 20 releases
// of the second one.
func publishLarge(t *testing.T, p *testPortal) {
	t.Helper()
	im := editorial.Import{ProductSlug: "large", Product: content.Product{Name: "Large", Summary: "Has many endpoints.", Homepage: true}}
	text := corpus.Generate(t, 0, 1000)
	im.VersionSlug, im.Version = "1.0", content.Version{Label: "Deprecated"}
	p.release(t, im, string(text))
	im.VersionSlug, im.Version = "2.0", content.Version{Label: "Current"}
	document := changePaths(t, text, 1, 100)
	p.release(t, im, string(document))
	for round := range 20 {
		document = changePaths(t, document, round, 5)
		p.release(t, im, string(document))
	}
}

// changePaths gives some operations of a contract a required parameter, the first
// one another path.
func changePaths(t *testing.T, contract []byte, round, changes int) []byte {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(contract, &document); err != nil {
		t.Fatal(err)
	}
	paths := document["paths"].(map[string]any)
	names := slices.Sorted(maps.Keys(paths))
	for i := range changes {
		operation := paths[names[round*7+i*10]].(map[string]any)["post"].(map[string]any)
		parameters, _ := operation["parameters"].([]any)
		operation["parameters"] = append(parameters, map[string]any{"name": fmt.Sprint("added", round), "in": "query", "required": true, "schema": map[string]any{"type": "string"}})
	}
	moved := names[len(names)-1-round]
	paths[moved+"/renewed"] = paths[moved]
	delete(paths, moved)
	if round == 1 {
		document["components"] = map[string]any{"schemas": map[string]any{"Renewed": map[string]any{"type": "string"}}}
	}
	changed, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// processorTime returns the processor time that this process has used.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
