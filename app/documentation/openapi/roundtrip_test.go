package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

// TestRoundTrip reads documents, puts their parts together and compares the
// result with the document as it was after its upgrade to OpenAPI 3.1.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	list := append(corpus.Seeds(t), corpus.Document{Name: "variants.yaml", Data: readFile(t, "testdata/variants.yaml")},
		corpus.Document{Name: "shapes.yaml", Data: readFile(t, "testdata/shapes.yaml")})
	for _, d := range list {
		checkRoundTrip(t, d)
	}
	checkRoundTrips(t, corpus.Real(t))
}

func checkRoundTrips(t *testing.T, list []corpus.Document) {
	t.Helper()
	for _, d := range list {
		checkRoundTrip(t, d)
	}
}

func checkRoundTrip(t *testing.T, d corpus.Document) {
	t.Helper()
	s, err := load(d.Data)
	if err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	read, err := Read(d.Data)
	if err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	a, err := Assemble(read.Parts)
	if err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	found := differences(s.root, a.Root, "")
	t.Logf("%-34s %4d operations %3d callbacks %5d schemas %3d tags: %d differences", d.Name,
		len(read.Operations), len(read.Callbacks), len(read.Schemas), len(read.Categories), len(found))
	for _, text := range found[:min(len(found), 20)] {
		t.Errorf("%s: %s", d.Name, text)
	}
	if want := s.root.JSON(); string(a.Root.JSON()) != string(want) {
		t.Errorf("%s: the JSON of the document changed", d.Name)
	}
	for i, op := range a.Operations {
		if n := a.Root.At(op.Pointer); n == nil || n.Str("operationId") != "" && n.Str("operationId") != op.ID && !numbered(op.ID, n.Str("operationId")) {
			t.Errorf("%s: operation %d, %s, is not at %s", d.Name, i, op.ID, op.Pointer)
		}
	}
}

// differences lists the places where two documents differ, the order of keys
// included.
func differences(want, got *tree.Node, at string) (list []string) {
	if want == nil || got == nil || want.Kind != got.Kind || want.Text != got.Text || len(want.Items) != len(got.Items) {
		return []string{fmt.Sprintf("%s: want %.120s, got %.120s", at, want.Display(), got.Display())}
	}
	for i := range want.Items {
		list = append(list, differences(want.Items[i], got.Items[i], fmt.Sprintf("%s/%d", at, i))...)
	}
	if a, b := keys(want), keys(got); a != b {
		list = append(list, fmt.Sprintf("%s: want the keys %.300s, got %.300s", at, a, b))
	}
	for _, m := range want.Members {
		if o := got.Get(m.Key); o != nil {
			list = append(list, differences(m.Value, o, at+"/"+tree.Escape(m.Key))...)
		}
	}
	return list
}

func keys(n *tree.Node) string {
	var list []string
	for _, m := range n.Members {
		list = append(list, m.Key)
	}
	return strings.Join(list, " ")
}

// TestAssembleEdited changes parts as an editor does.
func TestAssembleEdited(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*Parts)
		want   map[string]string // JSON by pointer; "" for nothing
	}{
		{"rename", func(p *Parts) {
			op := find(p.Operations, "readThing")
			op.ID, op.Name, op.Purpose, op.Category = "getThing", "Get it", "All of it.", "Media"
		}, map[string]string{
			"/paths/~1things~1{thing}/get/operationId": `"getThing"`,
			"/paths/~1things~1{thing}/get/summary":     `"Get it"`,
			"/paths/~1things~1{thing}/get/description": `"All of it."`,
			"/paths/~1things~1{thing}/get/tags/0":      `"Media"`,
		}},
		{"move", func(p *Parts) { find(p.Operations, "createPlace").Path = "/towns" },
			map[string]string{"/paths/~1towns/post/operationId": `"createPlace"`, "/paths/~1places/post": ""}},
		{"remove a schema", func(p *Parts) { p.Schemas = slices.Delete(p.Schemas, placeIndex(p), placeIndex(p)+1) }, map[string]string{"/components/schemas/Place": ""}},
		{"change a schema", func(p *Parts) { p.Schemas[placeIndex(p)].Raw = json.RawMessage(`{"type":"null"}`) },
			map[string]string{"/components/schemas/Place": `{"type":"null"}`}},
		{"rename a tag", func(p *Parts) { p.Categories[1].Name, p.Categories[1].Description = "Spots", "" },
			map[string]string{"/tags/1": `{"name":"Spots"}`}},
		{"empty a tag", func(p *Parts) {
			p.Categories[1] = Tag{Name: "Spots", Raw: json.RawMessage("null")}
			p.Categories = append(p.Categories, Tag{Name: "New", Description: "No object."})
		}, map[string]string{"/tags/1": `{"name":"Spots"}`, "/tags/3": `{"name":"New","description":"No object."}`}},
		{"reorder tags", func(p *Parts) { p.Categories[0], p.Categories[2] = p.Categories[2], p.Categories[0] },
			map[string]string{"/tags/0/name": `"Media"`, "/tags/2/name": `"Unused"`}},
	} {
		d, err := Read(readFile(t, "testdata/variants.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		c.change(&d.Parts)
		a, err := Assemble(d.Parts)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for pointer, want := range c.want {
			if got := a.Root.At(pointer).Display(); got != strings.Trim(want, `"`) && got != want {
				t.Errorf("%s: at %s is %s, want %s", c.name, pointer, got, want)
			}
		}
	}
}

func find(list []Operation, id string) *Operation {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
	}
	return nil
}

func placeIndex(p *Parts) int {
	return slices.IndexFunc(p.Schemas, func(s Schema) bool { return s.Name == "Place" })
}
