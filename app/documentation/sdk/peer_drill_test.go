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

// peers are the languages of Redocly's generate-client, which are five of our six.
var peers = map[string]struct {
	generator, client string   // what it is asked for, and the file that it writes
	source, driver    string   // a file of testdata/matrix, and its place beside the client
	check             string   // prints warnings and errors of the client
	build             []string // commands of a shell
	run               string
}{
	"node": {
		"typescript", "client.ts", "peer.mjs", "peer.mjs",
		`"$TOOLS/tsc" --strict --noEmit --target es2022 --lib es2022,dom,dom.iterable,dom.asynciterable --module nodenext --skipLibCheck false --types '' client.ts`,
		[]string{`"$TOOLS/esbuild" peer.mjs --bundle --platform=node --format=esm --outfile=bundle.mjs`}, "node bundle.mjs",
	},
	"python": {
		"python", "client.py", "peer.py", "peer.py",
		`PYTHONPATH="$PEER" "$TOOLS/pyright" --pythonversion 3.9 --warnings client.py | grep -v '^0 errors, 0 warnings'; true`,
		nil, `PYTHONPATH="$PEER" python3 peer.py`,
	},
	"java": {
		"java", "Client.java", "Peer.java", "Peer.java", "javac --release 17 -Xlint:all -Werror -d checked Client.java",
		[]string{"javac -d out Client.java Peer.java"}, "java -cp out Peer",
	},
	"php": {"php", "client.php", "peer.php", "peer.php", "php -d display_errors=1 -d error_reporting=-1 -l client.php | grep -v '^No syntax errors'; true", nil, "php peer.php"},
	"go": {
		"go", "client.go", "peer.go.txt", "driver/main.go", "test -e go.mod || go mod init peer 2>/dev/null; go vet . 2>&1",
		[]string{"test -e go.mod || go mod init peer", "go build -o driver.bin ./driver"}, "./driver.bin",
	},
}

// TestDrillSDKPeer tries the cases of the matrix with our libraries, which pass, and
// with clients of Redocly's generate-client in the languages that it has, and prints
// both side by side.
func TestDrillSDKPeer(t *testing.T) {
	peerTools(t)
	var lock sync.Mutex
	var wrong []string
	server := newFaultyFor(t, func(format string, values ...any) {
		lock.Lock()
		defer lock.Unlock()
		wrong = append(wrong, fmt.Sprintf(format, values...))
	})
	api, own := matrixAPI(t), newFaulty(t)
	var all []string
	for _, c := range matrixCases {
		all = append(all, c.name)
	}
	contract, err := os.ReadFile(filepath.Join("testdata", "matrix", "contract.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range Languages {
		t.Run(l.Slug, func(t *testing.T) {
			runMatrix(t, api, own, l, all)
			peer, ok := peers[l.Slug]
			if !ok {
				t.Logf("%s: ours %d of %d; generate-client has no such language", l.Slug, len(all), len(all))
				return
			}
			dir := generatePeer(t, contract, l.Slug)
			driver, err := os.ReadFile(filepath.Join("testdata", "matrix", peer.source))
			if err != nil {
				t.Fatal(err)
			}
			writeFiles(t, dir, []File{{peer.driver, driver}})
			for _, command := range peer.build {
				if out, err := shellIn(t, dir, command); err != nil {
					t.Fatalf("%s: %v\n%.2000s", command, err, out)
				}
			}
			passed, answered := 0, 0
			for _, c := range matrixCases {
				lock.Lock()
				wrong = nil
				lock.Unlock()
				out, err := shellIn(t, dir, peer.run+" "+server.URL+"/"+l.Slug+" "+c.name)
				name, got, _ := strings.Cut(strings.TrimSpace(out), ": ")
				if name == c.name {
					answered++
				}
				lock.Lock()
				if err == nil && got == c.want && len(wrong) == 0 {
					passed++
				} else {
					t.Logf("generate-client, %s: got %.200q, want %q %.300v", c.name, got, c.want, wrong)
				}
				lock.Unlock()
			}
			if answered != len(all) || passed == 0 {
				t.Errorf("the driver of generate-client answers %d of %d cases, and passes %d", answered, len(all), passed)
			}
			t.Logf("%s: ours %d of %d, generate-client %d of %d", l.Slug, len(all), len(all), passed, len(all))
		})
	}
}

// TestDrillSDKPeerTypes checks the clients that Redocly's generate-client makes of the
// documents that TestDrillSDKTypes checks our libraries of, with the same tools, and
// prints what they say. Java is checked as version 17, which its clients ask for.
func TestDrillSDKPeerTypes(t *testing.T) {
	peerTools(t)
	made := map[string]int{}
	var rows strings.Builder
	for _, d := range documents(t) {
		for _, l := range Languages {
			peer, ok := peers[l.Slug]
			if !ok {
				continue
			}
			dir := t.TempDir()
			writeFiles(t, dir, []File{{"contract" + filepath.Ext(d.Name), d.Data}})
			command := fmt.Sprintf(`"$TOOLS/redocly" generate-client contract%s --generator %s -o client.ts`, filepath.Ext(d.Name), peer.generator)
			if out, err := shellIn(t, dir, command); err != nil {
				fmt.Fprintf(&rows, "\n%s, %s: not made: %.300s", d.Name, l.Slug, lastLines(out))
				continue
			}
			out, err := shellIn(t, dir, peer.check)
			result := "clean"
			if err != nil || out != "" {
				result = fmt.Sprintf("%d lines of warnings and errors, the last: %.200s", strings.Count(out, "\n"), lastLines(out))
			}
			made[l.Slug]++
			fmt.Fprintf(&rows, "\n%s, %s: %s", d.Name, l.Slug, result)
		}
	}
	t.Log(rows.String())
	for slug := range peers {
		if made[slug] == 0 {
			t.Errorf("generate-client makes no client in %s", slug)
		}
	}
}

// lastLines returns the end of what a program prints, in one line.
func lastLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-2):], " ")
}

// peerTools names the folders of programs and of the packages that clients in Python need.
func peerTools(t *testing.T) {
	t.Helper()
	tools, err := filepath.Abs("../../../.tools/node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tools, "redocly")); err != nil {
		t.Fatal("npm ci --prefix .tools installs redocly")
	}
	packages := os.Getenv("PYTHONPATH")
	if _, err := shellIn(t, t.TempDir(), "python3 -c 'import httpx'"); err != nil {
		packages = t.TempDir()
		if out, err := shellIn(t, packages, "python3 -m pip install --quiet --target . httpx"); err != nil {
			t.Errorf("httpx, which clients in Python need, is neither in PYTHONPATH nor to be had: %v\n%s", err, out)
		}
	}
	t.Setenv("TOOLS", tools)
	t.Setenv("PEER", packages)
}

// generatePeer returns a folder with the client of a contract.
func generatePeer(t *testing.T, contract []byte, slug string) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, []File{{"contract.json", contract}})
	if out, err := shellIn(t, dir, `"$TOOLS/redocly" generate-client contract.json --generator `+peers[slug].generator+" -o client.ts"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, peers[slug].client)); err != nil {
		t.Fatal(err)
	}
	return dir
}
