package compare

import (
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// maxMerges caps the work of flattening one document, against documents with an
// allOf that multiplies.
const maxMerges = 1_000_000

// flat is a schema with its references followed and its allOf merged.
type flat struct {
	never     bool     // the schema false
	name      string   // of the named schema that it is
	types     []string // without null; none is every type
	nullable  bool
	enum      []*tree.Node // with const; nil without one
	words     map[string]*tree.Node
	props     []member
	required  map[string]bool
	patterns  []member // patternProperties
	rest      *tree.Node
	items     *tree.Node
	prefix    []*tree.Node
	groups    []group
	condition []member // not, if, then, else, contains, dependentSchemas, …
}

// member is a schema under a name. A member that several parts of an allOf
// declare has several schemas, which all hold.
type member struct {
	name    string
	schemas []*tree.Node
}

// group is a oneOf or anyOf of more than one form.
type group struct {
	word  string
	forms []form
}

type form struct {
	name string
	node *tree.Node
}

// flattener flattens the schemas of one document and remembers the results.
type flattener struct {
	graph  *graph.Graph
	done   map[*tree.Node]*flat
	joined map[string]*flat
	ids    map[*tree.Node]int
	open   map[*tree.Node]bool
	merges int
}

func newFlattener(g *graph.Graph) *flattener {
	return &flattener{graph: g, done: map[*tree.Node]*flat{}, joined: map[string]*flat{}, ids: map[*tree.Node]int{}, open: map[*tree.Node]bool{}}
}

var anything = &flat{words: map[string]*tree.Node{}}

// flatten never fails. References without a target and circular ones accept any
// value.
func (f *flattener) flatten(n *tree.Node) *flat {
	if known := f.done[n]; known != nil {
		return known
	}
	if n.Is(tree.KindBool) && n.Text == "false" {
		return &flat{never: true}
	}
	if !n.Is(tree.KindObject) || f.open[n] || f.merges > maxMerges {
		return anything
	}
	f.open[n] = true
	if len(n.Members) == 1 && n.Members[0].Key == "$ref" {
		target := f.flatten(f.graph.Resolve(n.Members[0].Value.Text).Node())
		delete(f.open, n)
		return target
	}
	result := &flat{words: map[string]*tree.Node{}, name: f.graph.SchemaAt(n).Name()}
	f.fill(result, n)
	delete(f.open, n)
	f.done[n] = result
	return result
}

// join returns the schema that several schemas make together.
func (f *flattener) join(list []*tree.Node) *flat {
	if len(list) == 1 {
		return f.flatten(list[0])
	}
	var key strings.Builder
	for _, n := range list {
		if f.ids[n] == 0 {
			f.ids[n] = len(f.ids) + 1
		}
		key.WriteString(strconv.Itoa(f.ids[n]) + " ")
	}
	if known := f.joined[key.String()]; known != nil {
		return known
	}
	result := &flat{words: map[string]*tree.Node{}}
	f.joined[key.String()] = result
	for _, n := range list {
		f.absorb(result, f.flatten(n))
	}
	return result
}

func (f *flattener) fill(to *flat, n *tree.Node) {
	alone := true // nothing beside the reference says what the value is
	for _, m := range n.Members {
		alone = alone && (strings.HasPrefix(m.Key, "$") || m.Key == "description" || m.Key == "title" || m.Key == "deprecated")
	}
	for _, m := range n.Members {
		switch m.Key {
		case "$ref", "$dynamicRef", "$recursiveRef", "allOf", "oneOf", "anyOf":
		default:
			to.keyword(m)
		}
	}
	for _, r := range f.graph.SchemaAt(n).References() {
		if target := f.flatten(r.Target.Node()); r.Target.Exists() {
			f.absorb(to, target)
			if alone && to.name == "" {
				to.name = target.name
			}
		}
	}
	for _, part := range n.List("allOf") {
		f.absorb(to, f.flatten(part))
		if len(n.Members) == 1 && len(n.List("allOf")) == 1 && to.name == "" {
			to.name = f.flatten(part).name
		}
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if list := n.List(word); len(list) > 0 {
			f.choose(to, n, word, list)
		}
	}
}

// absorb adds what another schema demands.
func (f *flattener) absorb(to, from *flat) {
	f.merges += 1 + len(from.props) + len(from.words)
	if from.never {
		to.never = true
	}
	bound := len(to.types) > 0 || to.enum != nil
	if len(from.types) > 0 {
		if len(to.types) == 0 {
			to.types = from.types
		} else if both := intersect(to.types, from.types); len(both) > 0 {
			to.types = both
		}
		to.nullable = from.nullable && (!bound || to.nullable)
	}
	if from.enum != nil && to.enum == nil {
		to.enum = from.enum
	}
	for key, v := range from.words {
		to.word(key, v)
	}
	for _, p := range from.props {
		to.props = add(to.props, p.name, p.schemas...)
	}
	for name := range from.required {
		to.require(name)
	}
	for _, p := range from.patterns {
		to.patterns = add(to.patterns, p.name, p.schemas...)
	}
	if to.rest == nil {
		to.rest = from.rest
	}
	if to.items == nil {
		to.items = from.items
	}
	if to.prefix == nil {
		to.prefix = from.prefix
	}
	to.groups = append(slices.Clip(to.groups), from.groups...)
	to.condition = append(slices.Clip(to.condition), from.condition...)
}

func (to *flat) require(name string) {
	if to.required == nil {
		to.required = map[string]bool{}
	}
	to.required[name] = true
}

// add adds schemas to the member of a name, each once.
func add(list []member, name string, schemas ...*tree.Node) []member {
	for i := range list {
		if list[i].name != name {
			continue
		}
		for _, s := range schemas {
			if !slices.Contains(list[i].schemas, s) {
				list[i].schemas = append(slices.Clip(list[i].schemas), s)
			}
		}
		return list
	}
	return append(slices.Clip(list), member{name, schemas})
}

func (to *flat) keyword(m tree.Member) {
	switch m.Key {
	case "type":
		for _, t := range m.Value.Values() {
			if t.Text == "null" {
				to.nullable = true
			} else if !slices.Contains(to.types, t.Text) {
				to.types = append(to.types, t.Text)
			}
		}
		slices.Sort(to.types)
	case "enum":
		to.enum = append([]*tree.Node{}, m.Value.Elements()...)
	case "const":
		to.enum = []*tree.Node{m.Value}
	case "properties":
		for _, p := range m.Value.Members {
			to.props = add(to.props, p.Key, p.Value)
		}
	case "required":
		for _, name := range m.Value.Elements() {
			to.require(name.Text)
		}
	case "patternProperties":
		for _, p := range m.Value.Members {
			to.patterns = add(to.patterns, p.Key, p.Value)
		}
	case "additionalProperties":
		to.rest = m.Value
	case "items":
		to.items = m.Value
	case "prefixItems":
		to.prefix = m.Value.Elements()
	case "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		if m.Key == "unevaluatedProperties" && m.Value.Is(tree.KindBool) && to.rest == nil {
			to.rest = m.Value // the same for an object with all its members listed
			return
		}
		to.condition = append(to.condition, member{m.Key, []*tree.Node{m.Value}})
	case "dependentSchemas":
		for _, p := range m.Value.Members {
			to.condition = append(to.condition, member{m.Key + " " + p.Key, []*tree.Node{p.Value}})
		}
	case "$id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs", "definitions", "$vocabulary":
	default:
		to.word(m.Key, m.Value)
	}
}

// word sets a keyword. The outermost text counts, and of limits the narrower.
func (to *flat) word(key string, v *tree.Node) {
	old := to.words[key]
	if old == nil {
		to.words[key] = v
		return
	}
	if sign := limits[key]; sign != 0 && sign*compareNumbers(v.Text, old.Text) < 0 {
		to.words[key] = v
	}
}

// choose adds a oneOf or anyOf. A form that is only null makes the value
// nullable, a single other form is the value itself, and forms of single values
// are an enum.
func (f *flattener) choose(to *flat, n *tree.Node, word string, list []*tree.Node) {
	var forms []*tree.Node
	null := false
	for _, v := range list {
		if types := tree.Texts(v.Get("type").Values()); len(types) == 1 && types[0] == "null" && v.Is(tree.KindObject) {
			null = true
		} else {
			forms = append(forms, v)
		}
	}
	switch {
	case len(forms) == 1:
		f.absorb(to, f.flatten(forms[0]))
		if to.name == "" && len(n.Members) == 1 {
			to.name = f.flatten(forms[0]).name
		}
	case len(forms) > 1 && f.constants(to, forms):
	case len(forms) > 1:
		to.groups = append(slices.Clip(to.groups), group{word, f.forms(n, forms)})
	}
	to.nullable = to.nullable || null
}

// constants reads forms of single values as an enum.
func (f *flattener) constants(to *flat, forms []*tree.Node) bool {
	var values []*tree.Node
	for _, v := range forms {
		form := f.flatten(v)
		if form.enum == nil || len(form.props) > 0 {
			return false
		}
		values = append(values, form.enum...)
	}
	to.enum = values
	return true
}

func intersect(a, b []string) (both []string) {
	return lists.Where(a, func(t string) bool { return slices.Contains(b, t) })
}

// compareNumbers compares two numbers as documents write them.
func compareNumbers(a, b string) int {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	switch {
	case errA != nil || errB != nil:
		return strings.Compare(a, b)
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
