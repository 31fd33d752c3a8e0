package sdk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
)

// hostileTexts break out of comments, texts, paths or manifests of some language.
var hostileTexts = []string{
	`*/ import evil; /*`, `"""; import os; os.abort(); """`, "?> <?php evil(); ?>", "`+evil()+`", "${evil()} #{evil()} {{evil}}", `\u002a/ evil`, `"; evil(); "`, `'; evil(); '`,
	"a\nimport evil\n//", "a\r\nevil", "a\u2028evil\u2029b\u0085c", "]]> --> <evil/>", `\`, `\\"`, "\x01\x7f", "../../etc/passwd", "$HOME $(evil)", "«evil» «.API»", "%s %d %[1]s", "\u202eevil",
}

// hostileNames are no names in some language.
var hostileNames = []string{"class", "Object", "__proto__", "constructor", "1st", "-", "", "return", "def", "日本語", "a-b", "a_b", "A B", "toString", "__init__", "self", "String", "Client", "package", "nil"}

func hostileContract(text, name string) corpus.Document {
	q := func(s string) string {
		raw, _ := json.Marshal(s) // a text
		return string(raw)
	}
	schemaName := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.') {
			return r
		}
		return '_'
	}, name+"x")
	return corpus.Document{Name: "hostile.json", Data: fmt.Appendf(nil, `{"openapi":"3.1.0","info":{"title":%[1]s,"version":"1","description":%[1]s},
		"tags":[{"name":%[2]s,"description":%[1]s}],
		"paths":{"/a/{p}":{"post":{"operationId":%[2]s,"tags":[%[2]s],"summary":%[1]s,"description":%[1]s,
			"parameters":[{"name":"p","in":"path","required":true,"schema":{"type":"string"},"description":%[1]s},{"name":%[4]s,"in":"query","schema":{"type":"string","enum":[%[1]s,%[2]s]},"description":%[1]s}],
			"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/%[3]s"}}}},
			"responses":{"200":{"description":%[1]s,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/%[3]s"}}}}}}}},
		"components":{"schemas":{"%[3]s":{"type":"object","description":%[1]s,"required":[%[2]s],"properties":{%[2]s:{"type":"string","description":%[1]s},%[1]s:{"$ref":"#/components/schemas/%[3]s"},"e":{"type":"string","enum":[%[1]s,%[2]s,"1"]}}}}}}`,
		q(text), q(name), schemaName, q("q"+name))}
}

// Nothing of a contract breaks out of a text or a comment: Go's parser reads every file,
// manifests are JSON, and the tools that are there read the rest.
func TestHostileContracts(t *testing.T) {
	t.Parallel()
	for i, text := range hostileTexts {
		api := readAPI(t, hostileContract(text, hostileNames[i]))
		for _, l := range Languages {
			list, err := archiveFiles(api, l)
			if err != nil {
				t.Errorf("%q in %s: %v", text, l.Slug, err)
				continue
			}
			for _, f := range list {
				if strings.Contains(f.Path, "..") || filepath.IsAbs(f.Path) {
					t.Errorf("%q in %s leads to %s", text, l.Slug, f.Path)
				}
				if strings.HasSuffix(f.Path, ".json") && !json.Valid(f.Data) {
					t.Errorf("%q in %s: %s is not JSON", text, l.Slug, f.Path)
				}
			}
			checkSyntax(t, text, l, list)
		}
	}
}

// checkSyntax has the interpreter of a language read the files, where it is installed.
func checkSyntax(t *testing.T, text string, l *Language, list []File) {
	t.Helper()
	command := map[string][]string{
		"node": {"node", "--check", "index.js"}, "python": {"python3", "-m", "compileall", "-q", "."}, "php": {"php", "-l", "src/Runtime.php"},
	}[l.Slug]
	if command == nil {
		return
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return
	}
	dir := t.TempDir()
	writeFiles(t, dir, list)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%q in %s: %v\n%.600s", text, l.Slug, err, out)
	}
}

// Two builds of an archive have equal bytes.
func TestArchiveIsDeterministic(t *testing.T) {
	t.Parallel()
	for _, d := range corpus.Seeds(t) {
		if d.Name != "sms.yaml" {
			continue
		}
		for _, l := range Languages {
			first, _, err := Archive(readAPI(t, d), l)
			if err != nil {
				t.Fatal(err)
			}
			second, _, err := Archive(readAPI(t, d), l)
			if err != nil || !bytes.Equal(first, second) {
				t.Errorf("two builds for %s differ: %v", l.Slug, err)
			}
		}
	}
}

// A contract with more members than the bound is refused, and one that multiplies ends.
func TestBounds(t *testing.T) {
	t.Parallel()
	var members strings.Builder
	for i := range maxFields + 10 {
		if i%1000 == 0 {
			if i > 0 {
				members.WriteString(`}},`)
			}
			fmt.Fprintf(&members, `"S%d":{"type":"object","properties":{"x":{"type":"string"}`, i)
		}
		fmt.Fprintf(&members, `,"f%d":{"type":"string"}`, i)
	}
	members.WriteString(`}},"A0":{"type":"string"}`)
	for _, text := range []string{corpus.WithSchemas(members.String()), corpus.Chain(60, `{"oneOf":[{"$ref":"#/components/schemas/A%d"},{"type":"array","items":{"$ref":"#/components/schemas/A%d"}}]}`)} {
		if len(text) > 1<<20 {
			continue // the reader refuses it
		}
		api := readAPI(t, corpus.Document{Name: "large.json", Data: []byte(text)})
		for _, l := range Languages {
			if _, _, err := Archive(api, l); err != nil {
				t.Error(err)
			}
		}
	}
}

// Other names of a language find it.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"nodejs": "node", "js": "node", "GO": "go", "golang": "go", "cs": "csharp", "c#": "csharp", "py": "python", "rust": ""} {
		got := ""
		if l := Find(name); l != nil {
			got = l.Slug
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
