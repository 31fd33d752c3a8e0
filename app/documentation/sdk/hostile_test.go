package sdk

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/runtest/judges"
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

// hostileContracts lists contracts with a text that breaks out of something and a name
// that is none, each text with two names.
func hostileContracts() (list []corpus.Document) {
	for i, text := range hostileTexts {
		for _, name := range []string{hostileNames[i], hostileNames[len(hostileNames)-1-i]} {
			list = append(list, hostileContract(text, name))
		}
	}
	return list
}

// syntaxChecks read the files of the archives in all folders below the current one, in
// one process for each language.
var syntaxChecks = map[string][2]string{
	"node": {"node", `node --experimental-vm-modules --no-warnings -e '
		const { readdirSync, readFileSync } = require("fs"), vm = require("vm");
		for (const d of readdirSync(".")) for (const f of ["index.js", "runtime.js", "examples/quickstart.mjs"]) {
			try { new vm.SourceTextModule(readFileSync(d + "/" + f, "utf8")); } catch (e) { console.log(d, f, e.stack); }
		}'`},
	"python": {"python3", `python3 -W error -m compileall -q -f . && python3 -c '
import glob
try:
    import tomllib
    for name in glob.glob("*/pyproject.toml"):
        with open(name, "rb") as f:
            tomllib.load(f)
except ImportError: # before Python 3.11
    pass'`},
	"php": {"php", `php -r '
		foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(".")) as $f) {
			if (str_ends_with($f, ".php")) {
				try { token_get_all(file_get_contents($f), TOKEN_PARSE); } catch (ParseError $e) { echo $f, " ", $e->getMessage(), " ", $e->getLine(), "\n"; }
			}
		}'`},
}

// Nothing of a contract breaks out of a text or a comment: Go's parser reads every file,
// manifests are JSON, and the tools that are there read the rest.
func TestHostileContracts(t *testing.T) {
	t.Parallel()
	contracts := hostileContracts()
	if len(contracts) < 40 {
		t.Errorf("there are %d contracts", len(contracts))
	}
	for _, l := range Languages {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for i, d := range contracts {
				list, err := archiveFiles(readAPI(t, d), l)
				if err != nil {
					t.Errorf("%s: %v", d.Data, err)
					continue
				}
				for _, f := range list {
					if strings.Contains(f.Path, "..") || filepath.IsAbs(f.Path) || strings.ContainsAny(f.Path, "\\:\x00\n") {
						t.Errorf("contract %d leads to %s", i, f.Path)
					}
					if strings.HasSuffix(f.Path, ".json") && !json.Valid(f.Data) {
						t.Errorf("contract %d: %s is not JSON", i, f.Path)
					}
					if strings.HasSuffix(f.Path, "proj") || strings.HasSuffix(f.Path, "pom.xml") {
						if err := xml.Unmarshal(f.Data, new(struct{})); err != nil {
							t.Errorf("contract %d: %s: %v", i, f.Path, err)
						}
					}
				}
				writeFiles(t, filepath.Join(dir, strconv.Itoa(i)), list)
			}
			check := syntaxChecks[l.Slug]
			if _, err := exec.LookPath(check[0]); err != nil || !judges.Run {
				return // Go's files are read when they are written; compilers read the others in a drill
			}
			if out, err := shellIn(t, dir, check[1]); err != nil || out != "" {
				t.Errorf("%v\n%.2000s", err, out)
			}
		})
	}
}

// Schemas that refer to each other in a circle and schemas of thousands of members end,
// within the bound of an archive.
func TestLargeContracts(t *testing.T) {
	t.Parallel()
	var members strings.Builder
	for i := range 10_000 {
		if i%2000 == 0 {
			if i > 0 {
				members.WriteString(`}},`)
			}
			fmt.Fprintf(&members, `"Wide%d":{"type":"object","properties":{"x":{"type":"string"}`, i)
		}
		fmt.Fprintf(&members, `,"field_%d":{"type":"string"}`, i)
	}
	members.WriteString(`}}`)
	for name, schemas := range map[string]string{
		"wide":  members.String(),
		"cycle": `"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"},"C":{"type":"array","items":{"$ref":"#/components/schemas/C"}},"D":{"type":"object","properties":{"d":{"$ref":"#/components/schemas/D"},"e":{"allOf":[{"$ref":"#/components/schemas/D"}]}}},"E":{"oneOf":[{"$ref":"#/components/schemas/E"},{"type":"string"}]}`,
	} {
		api := readAPI(t, corpus.Document{Name: "large.json", Data: []byte(corpus.WithSchemas(schemas))})
		for _, l := range Languages {
			data, _, err := Archive(api, l)
			if err != nil || len(data) > 8<<20 {
				t.Errorf("the %s archive of %s has %d bytes, %v", l.Slug, name, len(data), err)
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
