//go:build drill

package sdk

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"heliograph/app/documentation/openapi/corpus"
)

// The archives of the largest contract are made within a second and a half.
func TestDrillSDKArchivesAreFast(t *testing.T) {
	for _, d := range corpus.Seeds(t) {
		if d.Name != "messaging.yaml" {
			continue
		}
		size, took := 0, time.Hour
		for range 3 { // the fastest is the least disturbed
			from := time.Now()
			api := readAPI(t, d)
			size = 0
			for _, l := range Languages {
				data, _, err := Archive(api, l)
				if err != nil {
					t.Fatal(err)
				}
				size += len(data)
			}
			took = min(took, time.Since(from))
		}
		t.Logf("six archives with %d bytes in %s", size, took)
		if took > 1500*time.Millisecond {
			t.Errorf("six archives took %s", took)
		}
	}
}

// maxOverhead is how much longer a call with a library may take than one by hand.
const maxOverhead = 1.15

// A call with a library takes hardly longer than the same call by hand, both in one
// process and in turn. The best of five rounds counts.
func TestDrillSDKCallsAreFast(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"ok","big":1,"count":2,"flag":true,"note":"A note of some words","at":"2026-01-02T03:04:05Z","status":"new"}`)
	}))
	t.Cleanup(server.Close)
	api := matrixAPI(t)
	for language, driver := range map[string][2]string{"go": {"bench.go.txt", "bench/main.go"}, "node": {"bench.mjs", "bench.mjs"}, "python": {"bench.py", "bench.py"}} {
		t.Run(language, func(t *testing.T) {
			tools := toolchains[language]
			if _, err := exec.LookPath(tools.needs[0]); err != nil {
				t.Skip(tools.needs[0] + " is not installed")
			}
			list, err := archiveFiles(api, Find(language))
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(filepath.Join("testdata", "matrix", driver[0]))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			writeFiles(t, dir, append(list, File{driver[1], source}))
			run := map[string]string{"go": "go build -o bench.bin ./bench && ./bench.bin", "node": "node bench.mjs", "python": "python3 bench.py"}[language]
			out, err := shellIn(t, dir, run+" "+server.URL)
			var took struct{ Library, Hand float64 }
			if err != nil || json.Unmarshal([]byte(out), &took) != nil || took.Hand <= 0 {
				t.Fatalf("%v\n%.1000s", err, out)
			}
			t.Logf("%.3f ms with the library, %.3f ms by hand: %.2f", took.Library, took.Hand, took.Library/took.Hand)
			if took.Library > maxOverhead*took.Hand {
				t.Errorf("a call takes %.2f times as long as one by hand", took.Library/took.Hand)
			}
		})
	}
}
