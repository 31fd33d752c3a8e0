package prepare

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
)

func prepared(t *testing.T, r Request) *Result {
	t.Helper()
	result, err := Prepare(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// after returns a request that compares a document with one that was published.
func after(t *testing.T, before *Result, data []byte) Request {
	t.Helper()
	d, err := openapi.Read(before.Converted)
	if err != nil {
		t.Fatal(err)
	}
	return Request{Data: data, Place: "/docs/docker/1.0", Live: &d.Parts, Description: d.Description, Base: before.Converted}
}

// The difference between two releases of a real API is the one that oasdiff finds, and
// the newer one again changes nothing.
func TestTwoReleasesOfDocker(t *testing.T) {
	t.Parallel()
	first := prepared(t, Request{Data: corpus.Named(t, "docker-engine-1.54-swagger2.yaml"), Place: "/docs/docker/1.0"})
	data := corpus.Named(t, "docker-engine-1.55-swagger2.yaml")
	second := prepared(t, after(t, first, data))
	if again := prepared(t, after(t, second, data)); again.Plan.HasChanges() || again.Plan.Endpoints.Unchanged != second.Operations {
		t.Errorf("the same document again changes %+v", again.Plan.Endpoints)
	}
	if first.Operations != 107 || first.Plan.Endpoints.Added != 107 {
		t.Errorf("the first release has %d operations", first.Operations)
	}
	ours := map[compare.Class][]string{}
	for _, o := range second.Plan.Operations {
		ours[o.Class] = append(ours[o.Class], o.Method+" "+o.Path)
	}
	theirs := oasdiff(t, first.Converted, second.Converted)
	for class, list := range theirs {
		slices.Sort(list)
		slices.Sort(ours[class])
		if !slices.Equal(list, ours[class]) {
			t.Errorf("%s: oasdiff names\n%s\nand we\n%s", class, strings.Join(list, "\n"), strings.Join(ours[class], "\n"))
		}
	}
}

// oasdiff lists the operations that differ between two documents.
func oasdiff(t *testing.T, before, after []byte) map[compare.Class][]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"before.json": before, "after.json": after} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	find := exec.CommandContext(ctx, "go", "tool", "-n", "-modfile=.tools/go.mod", "oasdiff")
	find.Dir = filepath.Join("..", "..", "..", "..")
	program, err := find.Output()
	if err != nil {
		t.Fatalf("building oasdiff: %v", err)
	}
	out, err := exec.CommandContext(ctx, strings.TrimSpace(string(program)), "diff", filepath.Join(dir, "before.json"), filepath.Join(dir, "after.json"), "--format", "json").Output()
	if err != nil {
		t.Fatalf("oasdiff: %v", err)
	}
	type methods struct {
		Added, Deleted []string
		Modified       map[string]json.RawMessage
	}
	var found struct {
		Paths struct {
			Added, Deleted []string
			Modified       map[string]struct{ Operations methods }
		}
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	list := map[compare.Class][]string{compare.Added: nil, compare.Removed: nil, compare.Changed: nil}
	for class, whole := range map[compare.Class]struct {
		paths    []string
		document []byte
	}{compare.Added: {found.Paths.Added, after}, compare.Removed: {found.Paths.Deleted, before}} {
		var d struct {
			Paths map[string]map[string]json.RawMessage
		}
		if err := json.Unmarshal(whole.document, &d); err != nil {
			t.Fatal(err)
		}
		for _, path := range whole.paths {
			for method := range d.Paths[path] {
				list[class] = append(list[class], strings.ToUpper(method)+" "+path)
			}
		}
	}
	for path, m := range found.Paths.Modified {
		for _, method := range m.Operations.Added {
			list[compare.Added] = append(list[compare.Added], method+" "+path)
		}
		for _, method := range m.Operations.Deleted {
			list[compare.Removed] = append(list[compare.Removed], method+" "+path)
		}
		for method := range m.Operations.Modified {
			list[compare.Changed] = append(list[compare.Changed], method+" "+path)
		}
	}
	return list
}

// large returns a document with many operations.
func large(operations int) []byte {
	var b bytes.Buffer
	b.WriteString("openapi: 3.1.0\ninfo: {title: Large, version: '1'}\npaths:\n")
	for i := range operations / 2 {
		fmt.Fprintf(&b, "  /things%d/{id}:\n    parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n", i)
		for _, method := range []string{"get", "post"} {
			fmt.Fprintf(&b, "    %s:\n      operationId: %s%d\n      summary: Do %s %d\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/S%d'}}}}\n", method, method, i, method, i, i%200)
			fmt.Fprintf(&b, "      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/S%d'}, example: {a: 1, b: [x, y]}}}}}\n", (i+1)%200)
		}
	}
	b.WriteString("components:\n  schemas:\n")
	for i := range 200 {
		fmt.Fprintf(&b, "    S%d: {type: object, properties: {a: {type: integer, description: The number of it}, b: {type: array, items: {type: string}}, next: {$ref: '#/components/schemas/S%d'}}}\n", i, i/5*5+(i+1)%5)
	}
	return b.Bytes()
}

// A thousand operations are read, and compared with as many, in time.
func TestAThousandOperations(t *testing.T) {
	t.Parallel()
	began := time.Now()
	first := prepared(t, Request{Data: large(1000), Place: "/docs/large/1.0"})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("reading takes %v", took)
	}
	second := prepared(t, after(t, first, bytes.ReplaceAll(large(1000), []byte("The number of it"), []byte("Its number"))))
	if took := time.Since(began); first.Operations != 1000 || second.Plan.Endpoints.Changed != 1000 || took > 30*time.Second {
		t.Errorf("%d operations, of which %d changed, take %v", first.Operations, second.Plan.Endpoints.Changed, took)
	}
}
