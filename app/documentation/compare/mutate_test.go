package compare

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// mutation is a known change of a document: the kinds that a report may give
// it. Its apply changes the node at the pointer.
type mutation struct {
	name    string
	pointer string
	kinds   []string
	apply   func(n *tree.Node)
}

// mutations lists the known changes of an operation that can be made.
func mutations(op graph.Operation) (list []mutation) {
	add := func(name string, o graph.Object, apply func(n *tree.Node), kinds ...string) {
		if o.Exists() && o.Pointer() != "" {
			list = append(list, mutation{name, o.Pointer(), kinds, apply})
		}
	}
	add("text of an operation", op.Object, func(n *tree.Node) { n.Set("description", tree.String("Another text.")) }, "prose-changed")
	add("deprecated operation", op.Object, func(n *tree.Node) {
		n.Set("deprecated", tree.Bool(!n.True("deprecated")))
	}, "deprecated", "undeprecated")
	add("new parameter", op.Object, func(n *tree.Node) { addParameter(n, false) }, "parameter-added")
	add("new required parameter", op.Object, func(n *tree.Node) { addParameter(n, true) }, "required-parameter")
	for _, p := range op.Parameters() {
		if p.In() != "path" {
			add("required parameter", p.Object, func(n *tree.Node) { n.Set("required", tree.Bool(!n.True("required"))) }, "became-required", "became-optional")
		}
		add("text of a parameter", p.Object, func(n *tree.Node) { n.Set("description", tree.String("Another text.")) }, "prose-changed")
	}
	if body := op.Body(); body.Exists() {
		add("required body", body.Object, func(n *tree.Node) { n.Set("required", tree.Bool(!n.True("required"))) }, "became-required", "became-optional")
		if list := body.Content(); len(list) > 1 {
			add("content type", body.Object, func(n *tree.Node) { n.Get("content").Remove(list[0].Name) }, "media-removed")
		}
	}
	for _, r := range op.Responses() {
		if len(op.Responses()) > 1 {
			add("response "+r.Name[:1], op.Object, func(n *tree.Node) { n.Get("responses").Remove(r.Name) }, "response-removed", "error-removed")
		}
		add("text of a response", r.Value.Object, func(n *tree.Node) { n.Set("description", tree.String("Another text.")) }, "prose-changed")
	}
	for s := range op.Schemas() {
		list = append(list, schemaMutations(s)...)
	}
	return list
}

func addParameter(n *tree.Node, required bool) {
	if n.Get("parameters") == nil {
		n.Set("parameters", tree.Array())
	}
	at := n.Get("parameters")
	at.Items = append(at.Items, tree.Object(tree.Member{Key: "name", Value: tree.String("new_one")}, tree.Member{Key: "in", Value: tree.String("query")},
		tree.Member{Key: "required", Value: tree.Bool(required)}, tree.Member{Key: "schema", Value: tree.Object(tree.Member{Key: "type", Value: tree.String("string")})}))
}

func schemaMutations(s graph.Schema) (list []mutation) {
	pointer := s.Pointer()
	if pointer == "" || !s.Node().Is(tree.KindObject) || s.Node().Get("$ref") != nil || s.Node().Get("allOf") != nil {
		return nil
	}
	add := func(name string, apply func(n *tree.Node), kinds ...string) {
		list = append(list, mutation{name, pointer, kinds, apply})
	}
	add("text of a schema", func(n *tree.Node) { n.Set("description", tree.String("Another text.")) }, "prose-changed", "schema-changed")
	types := s.Types()
	if props := s.Properties(); len(props) > 0 {
		name := props[0].Name
		add("removed field", func(n *tree.Node) {
			n.Get("properties").Remove(name)
			if list := n.List("required"); list != nil {
				n.Set("required", tree.Array(slices.DeleteFunc(slices.Clone(list), func(v *tree.Node) bool { return v.Text == name })...))
			}
		}, "field-removed", "required-field-removed", "became-optional")
		text := tree.Object(tree.Member{Key: "type", Value: tree.String("string")})
		add("new field", func(n *tree.Node) { n.Get("properties").Set("new_one", text) }, "field-added")
		add("new required field", func(n *tree.Node) {
			n.Get("properties").Set("new_one", text)
			n.Set("required", tree.Array(append(slices.Clone(n.List("required")), tree.String("new_one"))...))
		}, "required-field")
		if !slices.Contains(s.Required(), name) {
			add("required field", func(n *tree.Node) {
				n.Set("required", tree.Array(append(slices.Clone(n.List("required")), tree.String(name))...))
			}, "became-required", "schema-changed") // another part of an allOf may demand it already
		}
	}
	if list := s.Enum(); len(list) > 1 && list[0].Is(tree.KindString) {
		add("removed value", func(n *tree.Node) { n.Get("enum").Items = n.Get("enum").Items[1:] }, "enum-value-removed")
		add("new value", func(n *tree.Node) {
			n.Get("enum").Items = append(slices.Clone(n.List("enum")), tree.String("new_one"))
		}, "enum-value-added")
	}
	if len(types) == 1 && types[0] == "string" && s.Enum() == nil && s.Const() == nil {
		if s.Limits().MaxLength == "" {
			add("new maxLength", func(n *tree.Node) { n.Set("maxLength", tree.Number("7777")) }, "limit-narrowed")
		} else {
			add("no maxLength", func(n *tree.Node) { n.Remove("maxLength") }, "limit-widened")
		}
		add("null", func(n *tree.Node) { n.Set("type", tree.Array(tree.String("string"), tree.String("null"))) }, "null-allowed", "schema-changed") // an anyOf may allow it already
		if s.Format() == "" && s.Pattern() == "" {
			add("another type", func(n *tree.Node) { n.Set("type", tree.String("boolean")) }, "type-changed", "form-added", "form-removed")
			add("new pattern", func(n *tree.Node) { n.Set("pattern", tree.String("^[a-z]+$")) }, "pattern-set")
		}
	}
	if slices.Equal(types, []string{"integer"}) {
		add("maximum", func(n *tree.Node) { n.Set("maximum", tree.Number("12345678")) }, "limit-narrowed", "limit-widened")
	}
	return list
}

// sample picks known changes of the corpus. Each document has the same number.
type sample struct {
	document string
	root     *tree.Node // one operation of the document and what it needs
	mutation mutation
	after    *tree.Node
}

func samples(t testing.TB, n int) (list []sample) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 11))
	documents := append(corpus.Seeds(t), corpus.Real(t)...)
	for i := 0; len(list) < n; i++ {
		d := documents[i%len(documents)]
		whole := assemble(t, d.Data).Root
		g := graph.New(whole)
		ops := slices.DeleteFunc(g.Operations(), func(o graph.Operation) bool { return o.Base().Exists() })
		if len(ops) == 0 {
			continue
		}
		for range 10 { // of one document at a time, because reading takes longest
			op := ops[random.IntN(len(ops))]
			root := only(t, whole, op)
			pruned := graph.New(root)
			possible := mutations(pruned.Operations()[0])
			names := map[string][]mutation{}
			for _, m := range possible {
				names[m.name] = append(names[m.name], m)
			}
			sorted := make([]string, 0, len(names))
			for name := range names {
				sorted = append(sorted, name)
			}
			slices.Sort(sorted)
			of := names[sorted[random.IntN(len(sorted))]]
			m := of[random.IntN(len(of))]
			after := clone(t, root)
			m.apply(after.At(m.pointer))
			list = append(list, sample{d.Name, root, m, after})
		}
	}
	return list[:n]
}

func clone(t testing.TB, n *tree.Node) *tree.Node {
	t.Helper()
	c, err := tree.Read(n.JSON())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var schemaName = regexp.MustCompile(`"#/components/schemas/([^"/]+)`)

// only returns a document with one operation and the schemas that it reaches.
func only(t testing.TB, whole *tree.Node, op graph.Operation) *tree.Node {
	t.Helper()
	root := clone(t, whole.Without("paths", "webhooks", "components", "tags"))
	item := op.Item().Node()
	var others []string
	for _, m := range item.Members {
		if m.Value.Get("responses") != nil && !strings.EqualFold(m.Key, op.Method) {
			others = append(others, m.Key)
		}
	}
	paths := tree.Object(tree.Member{Key: op.Route, Value: item.Without(others...)})
	root.Set("paths", clone(t, paths))
	components := whole.Get("components")
	if components == nil {
		return root
	}
	kept := clone(t, components.Without("schemas"))
	schemas := tree.Object()
	text := string(root.JSON()) + string(kept.JSON())
	for seen := map[string]bool{}; text != ""; {
		found := text
		text = ""
		for _, m := range schemaName.FindAllStringSubmatch(found, -1) {
			if s := components.Get("schemas").Get(m[1]); s != nil && !seen[m[1]] {
				seen[m[1]] = true
				schemas.Append(m[1], clone(t, s))
				text += string(s.JSON())
			}
		}
	}
	kept.Set("schemas", schemas)
	root.Set("components", kept)
	return root
}

// report compares two trees.
func report(t testing.TB, before, after *tree.Node) *Report {
	t.Helper()
	return Documents(assemble(t, before.JSON()), assemble(t, after.JSON()))
}

func kindsOf(r *Report) (kinds []string, breaking bool) {
	all := slices.Clone(r.General)
	for _, op := range r.Operations {
		all = append(all, op.Changes...)
	}
	for _, c := range all {
		kinds = append(kinds, c.Kind)
		breaking = breaking || c.Level == Breaking
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), breaking
}

func TestEveryMutationIsFound(t *testing.T) {
	t.Parallel()
	list := samples(t, 300)
	byName := map[string]int{}
	for _, s := range list {
		if kinds, _ := kindsOf(report(t, s.root, s.root)); len(kinds) > 0 {
			t.Errorf("%s differs from itself: %v", s.document, kinds)
		}
		kinds, _ := kindsOf(report(t, s.root, s.after))
		if !slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(s.mutation.kinds, k) }) {
			t.Errorf("%s: %s at %s was found as %v, want one of %v", s.document, s.mutation.name, s.mutation.pointer, kinds, s.mutation.kinds)
		}
		byName[s.mutation.name]++
	}
	t.Logf("%d changes of %d sorts: %v", len(list), len(byName), fmt.Sprint(byName))
}
