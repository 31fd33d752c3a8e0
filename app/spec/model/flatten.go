package model

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/spec/graph"
	"heliograph/app/spec/tree"
)

// flat is a schema whose references are followed and whose allOf is merged.
type flat struct {
	node         *tree.Node // merged keywords, without $ref, allOf, oneOf, anyOf and the type null
	nullable     bool
	never        bool         // the schema false
	name         string       // of the schema that a $ref named first
	variants     []*tree.Node // of oneOf or anyOf
	alternatives [][]string   // members of which one set is required
	conditions   []string     // what conditional keywords demand, in words
	refs         []reference
}

// reference is a schema that was reached through a $ref.
type reference struct {
	target    *tree.Node
	name      string
	direct    bool // the field is that schema, rather than an extension of it
	component bool // it is one of the named schemas of the document
}

// annotations are the keywords whose outermost value counts.
var annotations = []string{"title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"}

// maxConditions is the number of conditions that are shown for one field.
const maxConditions = 20

// maxMerges caps the work of flattening, against documents whose allOf
// multiplies. Real documents stay below a hundred thousand.
const maxMerges = 1_000_000

// flattener flattens schemas of one document and remembers the results.
type flattener struct {
	graph  *graph.Graph
	done   map[*tree.Node]*flat
	open   map[*tree.Node]bool
	merges int
}

func newFlattener(g *graph.Graph) *flattener {
	return &flattener{graph: g, done: map[*tree.Node]*flat{}, open: map[*tree.Node]bool{}}
}

// flatten never fails. References without a target and circular ones accept any
// value.
func (f *flattener) flatten(n *tree.Node) *flat {
	if n.Is(tree.KindBool) && n.Text == "false" {
		return &flat{node: tree.Object(), never: true}
	}
	if !n.Is(tree.KindObject) || f.open[n] || f.merges > maxMerges {
		return &flat{node: tree.Object()}
	}
	if known := f.done[n]; known != nil {
		return known
	}
	f.open[n] = true
	result := f.build(n)
	delete(f.open, n)
	f.done[n] = result
	return result
}

func (f *flattener) build(n *tree.Node) *flat {
	result := &flat{node: tree.Object()}
	f.annotate(result.node, n)
	parts, narrowed := n.List("allOf"), false
	for _, m := range n.Members {
		switch m.Key {
		case "$ref", "$recursiveRef", "$dynamicRef":
			if m.Value.Is(tree.KindString) {
				f.refer(result, m.Value.Text)
			}
		case "allOf":
			for _, part := range parts {
				f.absorb(result, f.flatten(part), len(parts) == 1 && n.Get("properties") == nil)
			}
		case "oneOf", "anyOf":
			f.choose(result, m.Value.Items)
		default:
			if slices.Contains(conditional, m.Key) {
				narrowed = true
				continue
			}
			f.merge(result.node, m)
		}
	}
	if narrowed {
		result.conditions = append(result.conditions, f.conditions(n)...)
	}
	f.split(result)
	return result
}

// annotate takes annotations from the schema itself, then from the inline parts
// of its allOf, because those describe the same field.
func (f *flattener) annotate(to, n *tree.Node) {
	for _, from := range append([]*tree.Node{n}, n.List("allOf")...) {
		if from != n && from.Get("$ref") != nil {
			continue
		}
		for _, key := range annotations {
			if v := from.Get(key); v != nil && to.Get(key) == nil {
				to.Set(key, v)
			}
		}
	}
}

// refer merges the schema that a reference names.
func (f *flattener) refer(result *flat, ref string) {
	to := f.graph.Resolve(ref).Node()
	if ref == "#" || to == nil {
		return
	}
	f.absorb(result, f.flatten(to), true)
	name, isComponent := f.nameOf(ref)
	result.refs = append(result.refs, reference{to, name, true, isComponent})
	result.name = name
}

// nameOf returns the name that a reference gives a schema, and reports whether it
// is one of the named schemas of the document.
func (f *flattener) nameOf(ref string) (name string, isComponent bool) {
	if anchor, isAnchor := strings.CutPrefix(ref, "#"); isAnchor && !strings.HasPrefix(anchor, "/") {
		name = f.graph.SchemaAt(f.graph.Resolve(ref).Node()).Name()
		return cmp.Or(name, anchor), name != ""
	}
	list := tree.Tokens(ref)
	return tree.Unescape(list[len(list)-1]), len(list) == 4 && strings.HasPrefix(ref, "#/components/schemas/")
}

// absorb merges a flat schema into another.
func (f *flattener) absorb(result, part *flat, direct bool) {
	for _, m := range part.node.Members {
		if m.Key == "title" && !direct {
			continue // the title of a base is not the title of what extends it
		}
		f.merge(result.node, m)
	}
	for _, r := range part.refs {
		r.direct = r.direct && direct
		if !slices.ContainsFunc(result.refs, func(o reference) bool { return o.target == r.target }) {
			result.refs = append(result.refs, r)
		}
	}
	result.nullable = result.nullable || part.nullable && direct
	result.alternatives = append(result.alternatives, part.alternatives...)
	for _, c := range part.conditions {
		if !slices.Contains(result.conditions, c) && len(result.conditions) < maxConditions {
			result.conditions = append(result.conditions, c)
		}
	}
	if direct && result.name == "" {
		result.name = part.name
	}
	f.offer(result, part.variants)
}

// offer adds variants. If there are some already, the members of the new ones
// become optional members.
func (f *flattener) offer(result *flat, variants []*tree.Node) {
	if len(result.variants) == 0 {
		result.variants = variants
		return
	}
	for _, v := range variants {
		if p := f.flatten(v).node.Get("properties"); p != nil {
			f.merge(result.node, tree.Member{Key: "properties", Value: p})
		}
	}
}

// choose reads oneOf and anyOf. A null becomes nullable, a single choice is
// merged, and choices that differ only in required become a constraint.
func (f *flattener) choose(result *flat, items []*tree.Node) {
	var choices []*tree.Node
	for _, item := range items {
		if isNull(item) {
			result.nullable = true
			continue
		}
		choices = append(choices, item)
	}
	var sets [][]string
	for _, c := range choices {
		if c.Get("required").Is(tree.KindArray) && len(c.Without("required", "not", "title", "description").Members) == 0 {
			sets = append(sets, tree.Texts(c.List("required")))
		}
	}
	switch {
	case len(choices) == 1:
		f.absorb(result, f.flatten(choices[0]), true)
	case len(sets) > 0 && len(sets) == len(choices):
		result.alternatives = append(result.alternatives, sets...)
	default:
		f.offer(result, choices)
	}
}

func isNull(n *tree.Node) bool {
	c := n.Get("const")
	return n.Str("type") == "null" || c != nil && c.Kind == tree.KindNull
}

// merge adds one keyword to a merged schema.
func (f *flattener) merge(to *tree.Node, m tree.Member) {
	f.merges++
	have := to.Get(m.Key)
	if have == nil {
		switch m.Key {
		case "properties", "patternProperties":
			to.Set(m.Key, tree.Object(m.Value.Members...))
			to.Get(m.Key).Members = slices.Clone(m.Value.Members)
		case "required":
			to.Set(m.Key, tree.Array(slices.Clone(m.Value.Items)...))
		default:
			to.Set(m.Key, m.Value)
		}
		return
	}
	switch m.Key {
	case "properties", "patternProperties":
		f.mergeMembers(have, m.Value)
	case "required":
		for _, v := range m.Value.Items {
			if !tree.Contains(have.Items, v) {
				have.Items = append(have.Items, v)
			}
		}
	case "type", "enum":
		if both := common(have, m.Value); len(both) > 0 {
			to.Set(m.Key, tree.Array(both...))
		}
	}
}

func (f *flattener) mergeMembers(have, more *tree.Node) {
	for _, m := range more.Members {
		f.merges++
		old := have.Get(m.Key)
		switch {
		case old == nil:
			have.Members = append(have.Members, m)
		case old != m.Value:
			have.Set(m.Key, tree.Object(tree.Member{Key: "allOf", Value: tree.Array(old, m.Value)}))
		}
	}
}

// common returns the values that two lists share; a single value is a list.
func common(a, b *tree.Node) []*tree.Node {
	var both []*tree.Node
	for _, v := range a.Values() {
		if tree.Contains(b.Values(), v) {
			both = append(both, v)
		}
	}
	return both
}

// split removes null from the types and the values.
func (f *flattener) split(result *flat) {
	n := result.node
	if t := n.Get("type"); t != nil {
		var kept []*tree.Node
		for _, v := range t.Values() {
			if v.Display() == "null" {
				result.nullable = true
			} else {
				kept = append(kept, v)
			}
		}
		n.Set("type", tree.Array(kept...))
	}
	if e := n.Get("enum"); e.Is(tree.KindArray) {
		kept := slices.DeleteFunc(slices.Clone(e.Items), func(v *tree.Node) bool { return v.Kind == tree.KindNull })
		if len(kept) < len(e.Items) {
			result.nullable = true
			n.Set("enum", tree.Array(kept...))
		}
	}
	result.node = n
}

// types returns the JSON types of a value, without null.
func (s *flat) types() []string {
	if list := tree.Texts(s.node.List("type")); len(list) > 0 {
		return list
	}
	for _, guess := range []struct{ kind, keywords string }{
		{"object", "properties additionalProperties patternProperties minProperties maxProperties"},
		{"array", "items prefixItems minItems maxItems"},
		{"string", "minLength maxLength pattern format contentMediaType contentEncoding"},
		{"number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
	} {
		if slices.ContainsFunc(strings.Fields(guess.keywords), func(k string) bool { return s.node.Get(k) != nil }) {
			return []string{guess.kind}
		}
	}
	var list []string
	for _, v := range append(s.node.List("enum"), s.constant()...) {
		if t := typeOf(v); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// constant returns the value of const, if there is one.
func (s *flat) constant() []*tree.Node {
	if c := s.node.Get("const"); c != nil {
		return []*tree.Node{c}
	}
	return nil
}

// typeOf names the JSON Schema type of a value.
func typeOf(v *tree.Node) string {
	switch v.Kind {
	case tree.KindBool:
		return "boolean"
	case tree.KindNumber:
		if strings.ContainsAny(v.Text, ".eE") {
			return "number"
		}
		return "integer"
	case tree.KindString:
		return "string"
	case tree.KindArray:
		return "array"
	case tree.KindObject:
		return "object"
	}
	return "null"
}
