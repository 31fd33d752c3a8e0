package model

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// flat is a schema with its references followed and its allOf merged. It has
// no $ref, allOf, oneOf, anyOf and no type null.
type flat struct {
	graph.Schema
	nullable     bool
	never        bool           // the schema false
	name         string         // of the schema that a $ref named first
	variants     []graph.Schema // of oneOf or anyOf
	alternatives [][]string     // members of which one set is required
	conditions   []string       // what conditional keywords demand, in words
	refs         []reference
}

// reference is a schema that was reached through a $ref.
type reference struct {
	target    graph.Schema
	name      string
	direct    bool // the field is that schema, rather than an extension of it
	component bool // it is one of the named schemas of the document
}

// maxConditions is the number of conditions that are shown for one field.
const maxConditions = 20

// maxMerges caps the work of flattening, against documents with an allOf that
// multiplies. Real documents stay below a hundred thousand.
const maxMerges = 1_000_000

// flattener flattens schemas of one document and remembers the results.
type flattener struct {
	graph  *graph.Graph
	done   map[graph.Schema]*flat
	open   map[graph.Schema]bool
	merges int
}

func newFlattener(g *graph.Graph) *flattener {
	return &flattener{graph: g, done: map[graph.Schema]*flat{}, open: map[graph.Schema]bool{}}
}

// flatten never fails. References without a target and circular ones accept any
// value.
func (f *flattener) flatten(s graph.Schema) *flat {
	if isFalse(s) {
		return &flat{Schema: f.graph.Merge().Schema, never: true}
	}
	if !s.IsObject() || f.open[s] || f.merges > maxMerges {
		return &flat{Schema: f.graph.Merge().Schema}
	}
	if known := f.done[s]; known != nil {
		return known
	}
	f.open[s] = true
	result := f.build(s)
	delete(f.open, s)
	f.done[s] = result
	return result
}

// merger is a flat schema under construction.
type merger struct {
	*flattener
	*flat
	merged graph.Merged
}

// build adds the keywords in the order of the document, which is the order of the
// fields.
func (f *flattener) build(s graph.Schema) *flat {
	merged := f.graph.Merge()
	m := merger{f, &flat{Schema: merged.Schema}, merged}
	references, parts, narrowed := s.References(), s.AllOf(), false
	m.annotate(s, parts)
	for keyword := range s.Keywords() {
		switch keyword {
		case "$ref", "$recursiveRef", "$dynamicRef":
			for _, r := range references {
				if r.Keyword == keyword {
					m.refer(r)
				}
			}
		case "allOf":
			for _, part := range parts {
				m.absorb(f.flatten(part), len(parts) == 1 && !s.Has("properties"))
			}
		case "oneOf":
			m.choose(s.OneOf())
		case "anyOf":
			m.choose(s.AnyOf())
		default:
			if slices.Contains(conditional, keyword) {
				narrowed = true
				continue
			}
			m.add(s, keyword)
		}
	}
	if narrowed {
		m.conditions = append(m.conditions, f.describeConditions(s)...)
	}
	if merged.DropNull() {
		m.nullable = true
	}
	return m.flat
}

func (m merger) add(from graph.Schema, keyword string) { m.merges += m.merged.Add(from, keyword) }

// annotate takes annotations from the schema itself, then from the inline parts
// of its allOf, because those describe the same field.
func (m merger) annotate(s graph.Schema, parts []graph.Schema) {
	m.merged.Annotate(s)
	for _, part := range parts {
		if !part.Has("$ref") {
			m.merged.Annotate(part)
		}
	}
}

// refer merges the schema that a reference names.
func (m merger) refer(r graph.Reference) {
	if r.Text == "#" || !r.Target.Exists() {
		return
	}
	m.absorb(m.flatten(r.Target), true)
	name, isComponent := nameOf(r)
	m.refs = append(m.refs, reference{r.Target, name, true, isComponent})
	m.name = name
}

// nameOf returns the name that a reference gives a schema, and reports whether it
// is one of the named schemas of the document.
func nameOf(r graph.Reference) (name string, isComponent bool) {
	if anchor, isAnchor := strings.CutPrefix(r.Text, "#"); isAnchor && !strings.HasPrefix(anchor, "/") {
		name = r.Target.Name()
		return cmp.Or(name, anchor), name != ""
	}
	list := tree.Tokens(r.Text)
	return tree.Unescape(list[len(list)-1]), len(list) == 4 && strings.HasPrefix(r.Text, "#/components/schemas/")
}

// absorb merges a flat schema into another.
func (m merger) absorb(part *flat, direct bool) {
	for keyword := range part.Keywords() {
		if keyword == "title" && !direct {
			continue // the title of a base is not the title of what extends it
		}
		m.add(part.Schema, keyword)
	}
	for _, r := range part.refs {
		r.direct = r.direct && direct
		if !slices.ContainsFunc(m.refs, func(o reference) bool { return o.target == r.target }) {
			m.refs = append(m.refs, r)
		}
	}
	m.nullable = m.nullable || part.nullable && direct
	m.alternatives = append(m.alternatives, part.alternatives...)
	for _, c := range part.conditions {
		if !slices.Contains(m.conditions, c) && len(m.conditions) < maxConditions {
			m.conditions = append(m.conditions, c)
		}
	}
	if direct && m.name == "" {
		m.name = part.name
	}
	m.offer(part.variants)
}

// offer adds variants. If there are some already, the members of the new ones
// become optional members.
func (m merger) offer(variants []graph.Schema) {
	if len(m.variants) == 0 {
		m.variants = variants
		return
	}
	for _, v := range variants {
		if form := m.flatten(v); form.Has("properties") {
			m.add(form.Schema, "properties")
		}
	}
}

// choose reads oneOf and anyOf. A null becomes nullable, a single choice is
// merged, and choices that differ only in required become a constraint.
func (m merger) choose(items []graph.Schema) {
	var choices []graph.Schema
	for _, item := range items {
		if isNull(item) {
			m.nullable = true
			continue
		}
		choices = append(choices, item)
	}
	var sets [][]string
	for _, c := range choices {
		if c.Has("required") && c.HasOnly("required", "not", "title", "description") {
			sets = append(sets, c.Required())
		}
	}
	switch {
	case len(choices) == 1:
		m.absorb(m.flatten(choices[0]), true)
	case len(sets) > 0 && len(sets) == len(choices):
		m.alternatives = append(m.alternatives, sets...)
	default:
		m.offer(choices)
	}
}

func isNull(s graph.Schema) bool {
	return slices.Equal(s.Types(), []string{"null"}) || s.Const().Is(tree.KindNull)
}

// types returns the JSON types of a value, without null.
func (s *flat) types() []string {
	if list := s.Types(); len(list) > 0 {
		return list
	}
	for _, guess := range []struct{ kind, keywords string }{
		{"object", "properties additionalProperties patternProperties minProperties maxProperties"},
		{"array", "items prefixItems minItems maxItems"},
		{"string", "minLength maxLength pattern format contentMediaType contentEncoding"},
		{"number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
	} {
		if slices.ContainsFunc(strings.Fields(guess.keywords), s.Has) {
			return []string{guess.kind}
		}
	}
	var list []string
	values := s.Enum()
	if c := s.Const(); c != nil {
		values = []*tree.Node{c}
	}
	for _, v := range values {
		if t := typeOf(v); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
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
