package graph_test

import (
	"testing"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// Keywords of schemas that all hold are seen together, and the schemas stay as they
// are.
func TestMerge(t *testing.T) {
	t.Parallel()
	const text = `{"components":{"schemas":{
		"Base":{"type":["object","null"],"title":"Base","required":["id"],"properties":{"id":{"type":"string"},"kind":{"type":"string"}},"maxProperties":9},
		"Kind":{"type":"object","description":"One kind.","title":"Kind","required":["kind","id"],"properties":{"kind":{"const":"a"},"size":{"type":"integer"}},"maxProperties":5},
		"Word":{"enum":["a","b",null]},
		"Letter":{"enum":["b","c",null]},
		"Any":true}}}`
	root, err := tree.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	before, g := string(root.JSON()), graph.New(root)
	merge := func(names ...string) (graph.Merged, bool) {
		merged := g.Merge()
		for _, name := range names {
			merged.Annotate(g.Schema(name))
			for keyword := range g.Schema(name).Keywords() {
				merged.Add(g.Schema(name), keyword)
			}
		}
		return merged, merged.DropNull()
	}
	for _, test := range []struct {
		names   []string
		want    string
		hasNull bool
	}{
		{[]string{"Kind", "Base"}, `{"title":"Kind","description":"One kind.","type":["object"],"required":["kind","id"],"properties":{"kind":{"allOf":[{"const":"a"},{"type":"string"}]},"size":{"type":"integer"},"id":{"type":"string"}},"maxProperties":5}`, false},
		{[]string{"Base"}, `{"title":"Base","type":["object"],"required":["id"],"properties":{"id":{"type":"string"},"kind":{"type":"string"}},"maxProperties":9}`, true},
		{[]string{"Word", "Letter"}, `{"enum":["b"]}`, true},
		{[]string{"Any"}, `{}`, false},
	} {
		merged, hasNull := merge(test.names...)
		if got := string(merged.Node().JSON()); got != test.want || hasNull != test.hasNull {
			t.Errorf("%v merge into %s, null %t\nwant %s, %t", test.names, got, hasNull, test.want, test.hasNull)
		}
	}
	if after := string(root.JSON()); after != before {
		t.Errorf("merging changes the document to %s", after)
	}
	if kind := g.Schema("Kind"); !kind.HasOnly("type", "title", "description", "required", "properties", "maxProperties") || kind.HasOnly("type") || g.Schema("Any").HasOnly() || g.Schema("Any").IsObject() {
		t.Error("HasOnly or IsObject is wrong")
	}
	joined := g.Merge()
	if steps := joined.Add(g.Schema("Base"), "properties") + joined.Add(g.Schema("Kind"), "properties"); steps != 4 {
		t.Errorf("joining two members with two takes %d steps", steps)
	}
}
