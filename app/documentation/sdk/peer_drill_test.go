//go:build drill

package sdk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestDrillSDKPeer prints what a client in TypeScript of Redocly's generate-client does
// in the cases of the matrix, which the libraries of all six languages pass. It fails
// only where the client cannot be tried.
func TestDrillSDKPeer(t *testing.T) {
	tools, err := filepath.Abs("../../../.tools/node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	var lock sync.Mutex
	var wrong []string
	server := newFaultyFor(t, func(format string, values ...any) {
		lock.Lock()
		defer lock.Unlock()
		wrong = append(wrong, fmt.Sprintf(format, values...))
	})
	dir := t.TempDir()
	for _, name := range []string{"peer.mjs", "contract.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "matrix", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{
		tools + "/redocly generate-client contract.json -o client.ts", tools + "/esbuild peer.mjs --bundle --platform=node --format=esm --outfile=bundle.mjs",
	} {
		if out, err := shellIn(t, dir, command); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	passed := 0
	for _, c := range matrixCases {
		wrong = nil
		out, err := shellIn(t, dir, "node bundle.mjs "+server.URL+"/peer "+c.name)
		_, got, _ := strings.Cut(strings.TrimSpace(out), ": ")
		if err == nil && got == c.want && len(wrong) == 0 {
			passed++
			continue
		}
		t.Logf("%s: got %.200q, want %q %.300v", c.name, got, c.want, wrong)
	}
	t.Logf("%d of %d", passed, len(matrixCases))
}
