//go:build drill

package reading

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/importing/swagger"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// judge is the converter that ours is compared with.
const judge = "swagger2openapi@7.0.8"

// published are further documents, each in a version of a Go module. They belong to
// others, so the drill downloads them.
var published = []source{
	{"github.com/moby/moby/api@v1.52.0", "swagger.yaml"},
	{"github.com/prometheus/alertmanager@v0.28.1", "api/v2/openapi.yaml"},
	{"github.com/go-openapi/analysis@v0.23.0", "fixtures/azure/publicIpAddress.json"},
	{"github.com/go-openapi/analysis@v0.23.0", "fixtures/bugs/bitbucket.json"},
	{"github.com/go-openapi/analysis@v0.23.0", "fixtures/bugs/1614/gitea.yaml"},
	{"k8s.io/kube-openapi@v0.0.0-20260721132016-d427ff9ee9ad", "pkg/util/proto/testdata/swagger.json"},
	{"k8s.io/kube-openapi@v0.0.0-20260721132016-d427ff9ee9ad", "pkg/spec3/testdata/appsv1spec.json"},
	{"k8s.io/kube-openapi@v0.0.0-20260721132016-d427ff9ee9ad", "pkg/spec3/testdata/authorizationv1spec.json"},
	{"github.com/hashicorp/vault-client-go@v0.4.3", "openapi.json"},
	{"github.com/grpc-ecosystem/grpc-gateway/v2@v2.30.0", "examples/internal/proto/examplepb/a_bit_of_everything.swagger.json"},
	{"github.com/grpc-ecosystem/grpc-gateway/v2@v2.30.0", "examples/internal/proto/examplepb/echo_service.swagger.json"},
	{"github.com/getkin/kin-openapi@v0.149.0", "openapi3/testdata/lxkns.yaml"},
	{"github.com/getkin/kin-openapi@v0.149.0", "openapi3/testdata/oai_v3_stoplight.json"},
}

// source is a file of a module.
type source struct{ module, file string }

func (s source) name() string { return s.module + "/" + s.file }

// data downloads the module and reads the file.
func (s source) data(t *testing.T) []byte {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", s.module).Output()
	if err != nil {
		t.Fatalf("downloading %s: %v\n%s", s.module, err, out)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(m.Dir, s.file))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPublishedDocumentsDrill imports documents that are published as parts of Go
// modules. Each is read, or refused with the line and the reason. A count by jq, which
// knows nothing of this program, finds as many operations.
//
//	go test -tags drill -run PublishedDocumentsDrill -v ./app/documentation/importing/reading
func TestPublishedDocumentsDrill(t *testing.T) {
	for _, s := range published {
		data := s.data(t)
		began := time.Now()
		r, err := Read(data)
		took := time.Since(began).Round(time.Millisecond)
		if err != nil {
			if !strings.Contains(err.Error(), "ine ") {
				t.Errorf("%s is refused without a line: %v", s.name(), err)
			}
			t.Logf("%s: refused in %v: %v", s.name(), took, err)
			continue
		}
		made := len(r.Document.Operations) + len(r.Document.Callbacks)
		if want := countedByJQ(t, data); r.Operations != want || made < want {
			t.Errorf("%s: %d operations are read and %d made; jq counts %d", s.name(), r.Operations, made, want)
		}
		t.Logf("%s: %s %s, %d kB, %d operations, %d schemas, %d findings, %v", s.name(), r.Format, r.Version, len(data)>>10, made, len(r.Document.Schemas), len(r.Found.All)+r.Found.More, took)
	}
}

// countedByJQ counts the methods of all paths of a document.
func countedByJQ(t *testing.T, data []byte) (n int) {
	t.Helper()
	const program = `[.paths, .webhooks // {} | .[] | objects | with_entries(select(.key | IN("get","put","post","delete","options","head","patch","trace","query"))) | length] | add // 0`
	cmd := exec.CommandContext(t.Context(), "jq", program)
	cmd.Stdin = strings.NewReader(string(plain(t, data).JSON()))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("jq: %v", err)
	}
	if _, err := fmt.Sscan(string(out), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// plain reads a document as it is.
func plain(t *testing.T, data []byte) *tree.Node {
	t.Helper()
	n, err := tree.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestJudgedConversionDrill converts Swagger documents, and has npm's swagger2openapi
// convert them too. Both are lifted to OpenAPI 3.1 in the same way. At least 99 of 100
// operations, parameters and schemas are equal; the others are listed. Redocly's linter
// finds no error in ours that the judge's has not, which are errors of the source.
//
//	go test -tags drill -run JudgedConversionDrill -v ./app/documentation/importing/reading
func TestJudgedConversionDrill(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--prefix", dir, judge).CombinedOutput(); err != nil {
		t.Fatalf("installing %s: %v\n%s", judge, err, out)
	}
	list := map[string][]byte{}
	for _, s := range published {
		list[s.name()] = s.data(t)
	}
	files, err := filepath.Glob(documents(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			list[filepath.Base(file)] = data
		}
	}
	units, differ := 0, 0
	for _, name := range slices.Sorted(maps.Keys(list)) {
		data := list[name]
		root, err := tree.Read(data)
		if err != nil || root.Get("swagger") == nil {
			continue
		}
		if _, err := Read(data); err != nil {
			t.Logf("%s is refused: %v", name, err)
			continue
		}
		ours, theirs := lifted(t, convert(t, data)), lifted(t, convertedBy(t, dir, root))
		a, b := unitsOf(ours), unitsOf(theirs)
		var differences []string
		for _, unit := range slices.Sorted(maps.Keys(b)) {
			units++
			if firstDifference("", a[unit], b[unit]) != "" {
				differences = append(differences, unit+": "+firstDifference("", a[unit], b[unit]))
			}
		}
		for unit := range a {
			if b[unit] == nil {
				units++
				differences = append(differences, unit+" is ours alone")
			}
		}
		differ += len(differences)
		t.Logf("%s: %d operations, parameters and schemas, of which %d differ\n%s", name, len(b), len(differences), strings.Join(differences, "\n"))
		known := problems(t, dir, theirs)
		for _, found := range problems(t, dir, ours) {
			if !slices.Contains(known, found) {
				t.Errorf("%s does not pass the linter: %s", name, found)
			}
		}
	}
	t.Logf("%d of %d are equal, %.2f %%", units-differ, units, 100*float64(units-differ)/float64(units))
	if differ*100 > units {
		t.Errorf("more than one in a hundred differ")
	}
}

// convert converts a document with our converter.
func convert(t *testing.T, data []byte) *tree.Node {
	t.Helper()
	n, err := swagger.Convert(plain(t, data), &finding.List{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// convertedBy converts a document with the judge.
func convertedBy(t *testing.T, dir string, root *tree.Node) *tree.Node {
	t.Helper()
	in, out := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.json")
	if err := os.WriteFile(in, root.JSON(), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules/.bin/swagger2openapi"), "--patch", "--refSiblings", "preserve", "--outfile", out, in).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", judge, err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	n := plain(t, data)
	allowNull(n)
	return n
}

// allowNull lifts x-nullable beside a reference, which the judge leaves as it is.
func allowNull(n *tree.Node) {
	if v := n.Get("x-nullable"); v != nil && n.Get("$ref") != nil {
		n.Remove("x-nullable")
		n.Set("nullable", v)
	}
	for _, item := range n.Items {
		allowNull(item)
	}
	for _, m := range n.Members {
		allowNull(m.Value)
	}
}

// lifted is a document as OpenAPI 3.1.
func lifted(t *testing.T, root *tree.Node) *tree.Node {
	t.Helper()
	d, err := openapi.ReadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return a.Root
}

// unitsOf lists the operations without their parameters, the parameters, and the named
// schemas of a document.
func unitsOf(root *tree.Node) map[string]any {
	list := map[string]any{}
	for _, path := range root.Entries("paths") {
		for _, m := range path.Value.Members {
			if !counted[m.Key] {
				continue
			}
			name := strings.ToUpper(m.Key) + " " + path.Key
			for _, p := range append(slices.Clone(path.Value.List("parameters")), m.Value.List("parameters")...) {
				p = root.Follow(p)
				list[fmt.Sprintf("%s %s %s", name, p.Str("in"), p.Str("name"))] = same(p.Plain())
			}
			o := m.Value.Without("parameters")
			if body := o.Get("requestBody"); body != nil {
				o.Set("requestBody", root.Follow(body))
			}
			responses := tree.Object()
			for _, r := range o.Entries("responses") {
				responses.Append(r.Key, root.Follow(r.Value))
			}
			o.Set("responses", responses)
			list[name] = same(o.Plain())
		}
	}
	for _, s := range root.Get("components").Entries("schemas") {
		list["schema "+s.Key] = same(s.Value.Plain())
	}
	return list
}

// same writes what means the same in one way: an example as a named one, which the judge
// calls response, and nothing for what is so without being said. Extensions are left out:
// each converter has its own.
func same(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = same(v[i])
		}
	case map[string]any:
		for key, value := range v {
			switch {
			case strings.HasPrefix(key, "x-"), key == "required" && value == false, key == "style" && value == usual[v["in"]]:
				delete(v, key)
			default:
				v[key] = same(value)
			}
		}
		if v["$ref"] != nil {
			delete(v, "type") // which Swagger ignores there
		}
		if e, ok := v["example"]; ok && v["examples"] == nil {
			delete(v, "example")
			v["examples"] = map[string]any{"response": map[string]any{"value": e}}
		}
	}
	return v
}

// usual are the styles of parameters that name none.
var usual = map[any]any{"query": "form", "cookie": "form", "path": "simple", "header": "simple"}

// firstDifference names the first place where two values differ, with both.
func firstDifference(place string, ours, theirs any) string {
	a, isObject := ours.(map[string]any)
	b, areObjects := theirs.(map[string]any)
	if isObject && areObjects {
		keys := slices.Sorted(maps.Keys(a))
		for key := range b {
			if _, ok := a[key]; !ok {
				keys = append(keys, key)
			}
		}
		for _, key := range keys {
			if d := firstDifference(place+"/"+tree.Escape(key), a[key], b[key]); d != "" {
				return d
			}
		}
		return ""
	}
	x, _ := json.Marshal(ours) // both were JSON
	y, _ := json.Marshal(theirs)
	if string(x) == string(y) {
		return ""
	}
	return fmt.Sprintf("%s is %.150s, and theirs %.150s", place, x, y)
}

// problem is an error that the linter prints.
var problem = regexp.MustCompile(`(?m)^\s+\d+:\d+\s+error\s+(.+)$`)

// problems are the errors that Redocly's linter finds in a document, without their
// places.
func problems(t *testing.T, dir string, root *tree.Node) (list []string) {
	t.Helper()
	top, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "lint.json")
	if err := os.WriteFile(file, root.JSON(), 0o600); err != nil {
		t.Fatal(err)
	}
	redocly := filepath.Join(top, ".tools/node_modules/.bin/redocly")
	if _, err := os.Stat(redocly); err != nil {
		t.Skip("Redocly's linter is not installed: run npm ci --prefix .tools")
	}
	cmd := exec.CommandContext(t.Context(), redocly, "lint", "--extends", "spec", "--format", "stylish", "--max-problems", "1000", file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "CI=true")
	out, err := cmd.CombinedOutput()
	for _, m := range problem.FindAllSubmatch(out, -1) {
		list = append(list, string(m[1]))
	}
	if err != nil && len(list) == 0 {
		t.Errorf("the linter fails: %s", out)
	}
	return list
}
