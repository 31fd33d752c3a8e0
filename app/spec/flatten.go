package spec

import (
	"slices"
	"strings"
)

// flat is a schema with its references followed and its allOf merged, so that
// one look tells what a value may be.
type flat struct {
	node         *node // merged keywords, without $ref, allOf, oneOf, anyOf and the type null
	nullable     bool
	never        bool       // the schema false
	name         string     // of the schema that a $ref named first
	variants     []*node    // of oneOf or anyOf
	alternatives [][]string // members of which one set is required
	refs         []reference
}

// reference is a schema that was reached through a $ref.
type reference struct {
	target    *node
	name      string
	direct    bool // the field is that schema, rather than an extension of it
	component bool // it is one of the named schemas of the document
}

// annotations are the keywords of which the outermost counts.
var annotations = []string{"title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"}

// maxMerges caps the work of flattening, against documents whose allOf
// multiplies. Real documents stay below a hundred thousand.
const maxMerges = 1_000_000

// flattener flattens schemas of one document and remembers the results.
type flattener struct {
	root   *node
	done   map[*node]*flat
	open   map[*node]bool
	merges int
}

func newFlattener(root *node) *flattener {
	return &flattener{root: root, done: map[*node]*flat{}, open: map[*node]bool{}}
}

// flatten never fails: what leads nowhere or around in a circle is anything.
func (f *flattener) flatten(n *node) *flat {
	if n.is(kindBool) && n.text == "false" {
		return &flat{node: object(), never: true}
	}
	if !n.is(kindObject) || f.open[n] || f.merges > maxMerges {
		return &flat{node: object()}
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

func (f *flattener) build(n *node) *flat {
	result := &flat{node: object()}
	f.annotate(result.node, n)
	parts := n.list("allOf")
	for _, m := range n.members {
		switch m.key {
		case "$ref", "$recursiveRef", "$dynamicRef":
			if m.value.is(kindString) {
				f.refer(result, m.value.text)
			}
		case "allOf":
			for _, part := range parts {
				f.absorb(result, f.flatten(part), len(parts) == 1 && n.get("properties") == nil)
			}
		case "oneOf", "anyOf":
			f.choose(result, m.value.items)
		default:
			f.merge(result.node, m)
		}
	}
	f.split(result)
	return result
}

// annotate takes annotations from the schema itself, then from the parts of
// its allOf that are written out in place: those speak of this very field.
func (f *flattener) annotate(to, n *node) {
	for _, from := range append([]*node{n}, n.list("allOf")...) {
		if from != n && from.get("$ref") != nil {
			continue
		}
		for _, key := range annotations {
			if v := from.get(key); v != nil && to.get(key) == nil {
				to.set(key, v)
			}
		}
	}
}

// refer merges what a reference names.
func (f *flattener) refer(result *flat, ref string) {
	to := target(f.root, ref)
	if ref == "#" || to == nil {
		return
	}
	list := tokens(ref)
	name := unescapeFragment(list[len(list)-1])
	f.absorb(result, f.flatten(to), true)
	component := len(list) == 4 && strings.HasPrefix(ref, "#/components/schemas/")
	result.refs = append(result.refs, reference{to, name, true, component})
	result.name = name
}

// absorb merges a flat schema into another.
func (f *flattener) absorb(result, part *flat, direct bool) {
	for _, m := range part.node.members {
		if m.key == "title" && !direct {
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
	if direct && result.name == "" {
		result.name = part.name
	}
	f.offer(result, part.variants)
}

// offer adds variants; where there are some already, the members of the new
// ones become optional members.
func (f *flattener) offer(result *flat, variants []*node) {
	if len(result.variants) == 0 {
		result.variants = variants
		return
	}
	for _, v := range variants {
		if p := f.flatten(v).node.get("properties"); p != nil {
			f.merge(result.node, member{"properties", p})
		}
	}
}

// choose reads oneOf and anyOf: null becomes nullable, a single choice is no
// choice, and choices that differ in required alone become a constraint.
func (f *flattener) choose(result *flat, items []*node) {
	var choices []*node
	for _, item := range items {
		if isNull(item) {
			result.nullable = true
			continue
		}
		choices = append(choices, item)
	}
	var sets [][]string
	for _, c := range choices {
		if c.get("required").is(kindArray) && len(c.without("required", "not", "title", "description").members) == 0 {
			sets = append(sets, texts(c.list("required")))
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

func isNull(n *node) bool {
	c := n.get("const")
	return n.str("type") == "null" || c != nil && c.kind == kindNull
}

func texts(list []*node) []string {
	var s []string
	for _, n := range list {
		s = append(s, n.display())
	}
	return s
}

// merge adds one keyword to a merged schema.
func (f *flattener) merge(to *node, m member) {
	f.merges++
	have := to.get(m.key)
	if have == nil {
		switch m.key {
		case "properties", "patternProperties":
			to.set(m.key, object(m.value.members...))
			to.get(m.key).members = slices.Clone(m.value.members)
		case "required":
			to.set(m.key, array(slices.Clone(m.value.items)...))
		default:
			to.set(m.key, m.value)
		}
		return
	}
	switch m.key {
	case "properties", "patternProperties":
		f.mergeMembers(have, m.value)
	case "required":
		for _, v := range m.value.items {
			if !holds(have.items, v) {
				have.items = append(have.items, v)
			}
		}
	case "type", "enum":
		if both := common(have, m.value); len(both) > 0 {
			to.set(m.key, array(both...))
		}
	}
}

func (f *flattener) mergeMembers(have, more *node) {
	for _, m := range more.members {
		f.merges++
		old := have.get(m.key)
		switch {
		case old == nil:
			have.members = append(have.members, m)
		case old != m.value:
			have.set(m.key, object(member{"allOf", array(old, m.value)}))
		}
	}
}

func holds(list []*node, v *node) bool {
	return slices.ContainsFunc(list, func(o *node) bool { return o.equal(v) })
}

// common returns the values that two lists share; a single value is a list.
func common(a, b *node) []*node {
	var both []*node
	for _, v := range values(a) {
		if holds(values(b), v) {
			both = append(both, v)
		}
	}
	return both
}

func values(n *node) []*node {
	if n.is(kindArray) {
		return n.items
	}
	return []*node{n}
}

// split takes null out of the types and the values.
func (f *flattener) split(result *flat) {
	n := result.node
	if t := n.get("type"); t != nil {
		var kept []*node
		for _, v := range values(t) {
			if v.display() == "null" {
				result.nullable = true
			} else {
				kept = append(kept, v)
			}
		}
		n.set("type", array(kept...))
	}
	if e := n.get("enum"); e.is(kindArray) {
		kept := slices.DeleteFunc(slices.Clone(e.items), func(v *node) bool { return v.kind == kindNull })
		if len(kept) < len(e.items) {
			result.nullable = true
			n.set("enum", array(kept...))
		}
	}
	result.node = n
}

// types returns the JSON types a value may have, null aside.
func (s *flat) types() []string {
	if list := texts(s.node.list("type")); len(list) > 0 {
		return list
	}
	for _, guess := range []struct{ kind, keywords string }{
		{"object", "properties additionalProperties patternProperties minProperties maxProperties"},
		{"array", "items prefixItems minItems maxItems"},
		{"string", "minLength maxLength pattern format contentMediaType contentEncoding"},
		{"number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
	} {
		if slices.ContainsFunc(strings.Fields(guess.keywords), func(k string) bool { return s.node.get(k) != nil }) {
			return []string{guess.kind}
		}
	}
	var list []string
	for _, v := range append(s.node.list("enum"), s.constant()...) {
		if t := typeOf(v); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// constant returns the value of const, if there is one.
func (s *flat) constant() []*node {
	if c := s.node.get("const"); c != nil {
		return []*node{c}
	}
	return nil
}

// typeOf names the JSON Schema type of a value.
func typeOf(v *node) string {
	switch v.kind {
	case kindBool:
		return "boolean"
	case kindNumber:
		if strings.ContainsAny(v.text, ".eE") {
			return "number"
		}
		return "integer"
	case kindString:
		return "string"
	case kindArray:
		return "array"
	case kindObject:
		return "object"
	}
	return "null"
}
