package sdk

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// maxFields is the number of members, values and variants of all models of an API.
const maxFields = 60_000

// maxMembers is the number of members, values or variants of one model. Some compilers
// refuse files of types that are larger.
const maxMembers = 2_000

// maxDepth is how deep schemas written in place may stand within each other.
const maxDepth = 24

// schemas turns schemas into types.
type schemas struct {
	g      *graph.Graph
	names  *names
	done   map[*tree.Node]*Type
	open   map[*tree.Node]bool
	models []*Model
	count  int
	depth  int
}

func newSchemas(g *graph.Graph) *schemas {
	return &schemas{g: g, names: newNames(typeNames), done: map[*tree.Node]*Type{}, open: map[*tree.Node]bool{}}
}

// typeOf returns the type of a schema. hint names models of schemas without a name.
func (s *schemas) typeOf(schema graph.Schema, hint Name) *Type {
	n := schema.Node()
	if n == nil || !schema.IsObject() || s.depth > maxDepth || s.count > maxFields {
		return &Type{Kind: Any}
	}
	if known := s.done[n]; known != nil {
		return known
	}
	if s.open[n] {
		return &Type{Kind: Any} // an array or a map of itself
	}
	s.open[n] = true
	s.depth++
	made := s.build(schema, hint)
	s.depth--
	delete(s.open, n)
	s.done[n] = made
	return made
}

func (s *schemas) build(schema graph.Schema, hint Name) *Type {
	if name := schema.Name(); name != "" {
		hint = newName(name, "model")
	}
	if to := target(schema); to.Exists() {
		made := *s.typeOf(to, hint)
		made.Nullable = made.Nullable || isNullable(schema)
		return &made
	}
	f := s.flatten(schema)
	made := s.form(schema, f, hint)
	if f.nullable && !made.Nullable {
		c := *made
		c.Nullable = true
		made = &c
	}
	return made
}

// target returns the schema that a schema refers to and adds nothing to.
func target(schema graph.Schema) graph.Schema {
	if schema.Has("properties") || schema.Has("allOf") || schema.Has("oneOf") || schema.Has("anyOf") {
		return graph.Schema{}
	}
	for _, r := range schema.References() {
		if r.Target.Exists() && r.Text != "#" {
			return r.Target
		}
	}
	return graph.Schema{}
}

func isNullable(schema graph.Schema) bool {
	return slices.Contains(schema.Types(), "null") && len(schema.Types()) > 1 || schema.Node().True("nullable")
}

// form returns the type of a flattened schema.
func (s *schemas) form(schema graph.Schema, f *flat, hint Name) *Type {
	switch {
	case len(f.fields) > 0:
		return s.object(schema, f, hint)
	case len(f.choices) > 1:
		return s.union(schema, f, hint)
	case len(f.choices) == 1:
		return s.typeOf(f.choices[0], hint)
	case len(f.values) > 0:
		return s.enum(schema, f, hint)
	}
	switch f.kind {
	case "object":
		if f.values == nil && f.extra.Exists() && f.extra.IsObject() {
			return &Type{Kind: Map, Elem: s.typeOf(f.extra, hint.plus("value"))}
		}
		return &Type{Kind: Map, Elem: &Type{Kind: Any}}
	case "array":
		return &Type{Kind: Array, Elem: s.typeOf(f.items, hint.plus("item"))}
	case "string":
		if f.binary {
			return &Type{Kind: Binary}
		}
		return &Type{Kind: String}
	case "integer":
		return &Type{Kind: Integer}
	case "number":
		return &Type{Kind: Number}
	case "boolean":
		return &Type{Kind: Boolean}
	}
	return &Type{Kind: Any}
}

// model adds a model for a schema before its parts are known, so that they can refer
// to it.
func (s *schemas) model(schema graph.Schema, f *flat, kind string, hint Name) (*Model, *Type) {
	m := &Model{Name: s.names.unique(hint, "model"), Kind: kind, Doc: cmp.Or(schema.Description(), f.doc, schema.Title())}
	s.models = append(s.models, m)
	t := &Type{Kind: Ref, Model: m, Nullable: f.nullable}
	s.done[schema.Node()] = t
	return m, t
}

func (s *schemas) object(schema graph.Schema, f *flat, hint Name) *Type {
	m, t := s.model(schema, f, Object, hint)
	own := newNames(fieldWords)
	for i, p := range f.fields {
		if i >= maxMembers || s.count > maxFields {
			break // the rest stays reachable by name
		}
		s.count++
		name := own.unique(newName(p.Name, "field"), "field")
		m.Fields = append(m.Fields, &Field{
			Name: name, Wire: p.Name, Required: f.required[p.Name],
			ReadOnly: p.Value.ReadOnly(), Deprecated: p.Value.Deprecated(), Doc: describe(p.Value),
			Type: s.typeOf(p.Value, join(hint, name)),
		})
	}
	return t
}

// describe returns the description of a member, or the one of the schema it refers to.
func describe(schema graph.Schema) string {
	for range 4 {
		if text := cmp.Or(schema.Description(), schema.Title()); text != "" {
			return text
		}
		to := target(schema)
		if !to.Exists() {
			return ""
		}
		schema = to
	}
	return ""
}

// join makes the name of a model within another.
func join(outer, inner Name) Name {
	if len(outer.Pascal) > maxName {
		return inner
	}
	return Name{outer.Pascal + inner.Pascal, outer.Camel + inner.Pascal, outer.Snake + "_" + inner.Snake, outer.Upper + "_" + inner.Upper}
}

func (s *schemas) enum(schema graph.Schema, f *flat, hint Name) *Type {
	m, t := s.model(schema, f, Enum, hint)
	own := newNames(keywords)
	seen := map[string]bool{}
	for _, v := range f.values {
		if seen[v] || len(m.Values) >= maxMembers || s.count > maxFields {
			continue
		}
		seen[v] = true
		s.count++
		text := strings.NewReplacer("+", " plus ", "-", " ", "*", " any ", "<", " less ", ">", " more ", "=", " equal ").Replace(v)
		m.Values = append(m.Values, Value{own.unique(newName(text, "value"), "value"), v})
	}
	return t
}

func (s *schemas) union(schema graph.Schema, f *flat, hint Name) *Type {
	if simple := s.sameKind(f, hint); simple != nil {
		return simple
	}
	m, t := s.model(schema, f, Union, hint)
	m.Property = schema.Discriminator().Property
	own := newNames(fieldWords)
	seen := map[string]bool{}
	for i, c := range f.choices {
		if i >= maxMembers || s.count > maxFields {
			break
		}
		s.count++
		label := newName(cmp.Or(c.Title(), "form"), "form")
		v := s.typeOf(c, join(hint, label))
		if v.Nullable {
			t.Nullable = true
		}
		name := variantName(v)
		if seen[name.Pascal] && v.Kind != Ref {
			continue
		}
		seen[name.Pascal] = true
		m.Variants = append(m.Variants, Variant{own.unique(name, "form"), v})
	}
	return t
}

// sameKind returns the type of choices that are all the same simple type, nil for
// others. A text that is one of some values or any other is a text.
func (s *schemas) sameKind(f *flat, hint Name) *Type {
	kind := ""
	for _, c := range f.choices {
		t := target(c)
		for range 8 {
			next := target(t)
			if !next.Exists() {
				break
			}
			t = next
		}
		if !t.Exists() {
			t = c
		}
		if len(t.OneOf())+len(t.AnyOf())+len(t.AllOf())+len(t.Properties()) > 0 {
			return nil
		}
		types := t.Types()
		if len(types) == 0 && t.Const() != nil {
			types = []string{typeOfValue(t.Const())}
		}
		if len(types) != 1 || types[0] == "object" || types[0] == "array" || kind != "" && kind != types[0] {
			return nil
		}
		kind = types[0]
	}
	switch kind {
	case "string":
		return &Type{Kind: String}
	case "integer":
		return &Type{Kind: Integer}
	case "number":
		return &Type{Kind: Number}
	case "boolean":
		return &Type{Kind: Boolean}
	}
	return nil
}

// variantName names a form of a union after its type.
func variantName(t *Type) Name {
	switch t.Kind {
	case Ref:
		return t.Model.Name
	case Array:
		inner := variantName(t.Elem)
		return fromWords([]string{"list"}).of(inner)
	case Map:
		return fromWords([]string{"map"})
	case String:
		return fromWords([]string{"text"})
	case Integer:
		return fromWords([]string{"integer"})
	case Number:
		return fromWords([]string{"number"})
	case Boolean:
		return fromWords([]string{"boolean"})
	}
	return fromWords([]string{"other"})
}

func (n Name) of(inner Name) Name { return join(n, inner) }

// flat is a schema with its allOf joined.
type flat struct {
	kind     string
	fields   []graph.Named[graph.Schema]
	required map[string]bool
	choices  []graph.Schema
	values   []string // of an enum of texts
	items    graph.Schema
	extra    graph.Schema // of additionalProperties
	nullable bool
	binary   bool
	doc      string
}

// flatten joins the parts of a schema. References that form a cycle end it.
func (s *schemas) flatten(schema graph.Schema) *flat {
	f := &flat{required: map[string]bool{}}
	f.take(schema, map[*tree.Node]bool{}, 0, false)
	if len(f.fields) > 0 && len(f.choices) > 1 {
		// Members that all forms share beside members of the forms: one object has
		// them all, the latter optional.
		choices := f.choices
		f.choices = nil
		for _, c := range choices {
			form := &flat{required: map[string]bool{}}
			form.take(c, map[*tree.Node]bool{}, 0, false)
			f.fields = append(f.fields, form.fields...)
		}
	}
	f.once()
	if len(f.choices) > 1 && !slices.ContainsFunc(f.choices, hasShape) {
		f.choices = nil // they only say which members are required together
	}
	return f
}

// hasShape reports whether a choice says more than which members are required.
func hasShape(c graph.Schema) bool {
	return !c.HasOnly("required", "not", "title", "description", "properties") || c.Has("properties") || c.Has("$ref")
}

// once keeps the first member of each name.
func (f *flat) once() {
	seen := map[string]bool{}
	f.fields = slices.DeleteFunc(f.fields, func(p graph.Named[graph.Schema]) bool {
		was := seen[p.Name]
		seen[p.Name] = true
		return was
	})
}

// maxParts bounds the parts of an allOf, with their parts.
const maxParts = 400

func (f *flat) take(schema graph.Schema, seen map[*tree.Node]bool, depth int, optional bool) {
	n := schema.Node()
	if n == nil || seen[n] || depth > maxDepth || len(seen) > maxParts {
		return
	}
	seen[n] = true
	f.types(schema)
	if depth == 0 || f.doc == "" {
		f.doc = cmp.Or(f.doc, schema.Description())
	}
	if depth > 0 || schema.Has("properties") || schema.Has("allOf") || schema.Has("oneOf") || schema.Has("anyOf") {
		for _, r := range schema.References() {
			if r.Text != "#" {
				f.take(r.Target, seen, depth+1, optional)
			}
		}
	}
	for _, part := range schema.AllOf() {
		f.take(part, seen, depth+1, optional)
	}
	f.fields = append(f.fields, schema.Properties()...)
	for _, name := range schema.Required() {
		f.required[name] = true
	}
	f.offer(schema)
	if x := schema.Items(); x.Exists() && len(schema.PrefixItems()) == 0 {
		f.items = x
	}
	if x := schema.AdditionalProperties(); x.Exists() {
		f.extra = x
	}
}

// offer takes the choices of a schema without null.
func (f *flat) offer(schema graph.Schema) {
	var choices []graph.Schema
	for _, c := range slices.Concat(schema.OneOf(), schema.AnyOf()) {
		switch {
		case slices.Equal(c.Types(), []string{"null"}) || c.Const().Is(tree.KindNull):
			f.nullable = true
		case c.Exists():
			choices = append(choices, c)
		}
	}
	if len(choices) == 0 {
		return
	}
	if len(f.choices) == 0 {
		f.choices = choices
	} else {
		f.choices = append(f.choices, choices...)
	}
}

// types reads the simple keywords of a schema.
func (f *flat) types(schema graph.Schema) {
	types := schema.Types()
	kept := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	if len(kept) < len(types) || schema.Node().True("nullable") {
		f.nullable = f.nullable || len(kept) > 0 || schema.Node().True("nullable")
	}
	if len(kept) == 1 && f.kind == "" {
		f.kind = kept[0]
	}
	if len(kept) == 0 && f.kind == "" {
		f.kind = guess(schema)
	}
	if schema.Format() == "binary" || schema.ContentMediaType() != "" && schema.ContentEncoding() == "" && f.kind == "string" && schema.ContentMediaType() != "application/json" {
		f.binary = true
	}
	values := schema.Enum()
	if c := schema.Const(); c != nil {
		values = []*tree.Node{c}
	}
	for _, v := range values {
		switch {
		case v.Is(tree.KindNull):
			f.nullable = true
		case v.Is(tree.KindString) && (f.kind == "string" || f.kind == ""):
			f.values = append(f.values, v.Text)
		case f.kind == "":
			f.kind = typeOfValue(v)
		}
	}
}

func guess(schema graph.Schema) string {
	switch {
	case schema.Has("properties"), schema.Has("additionalProperties"), schema.Has("patternProperties"):
		return "object"
	case schema.Has("items"), schema.Has("prefixItems"):
		return "array"
	}
	return ""
}

func typeOfValue(v *tree.Node) string {
	switch {
	case v.Is(tree.KindBool):
		return "boolean"
	case v.Is(tree.KindNumber):
		if strings.ContainsAny(v.Text, ".eE") {
			return "number"
		}
		return "integer"
	case v.Is(tree.KindString):
		return "string"
	case v.Is(tree.KindArray):
		return "array"
	case v.Is(tree.KindObject):
		return "object"
	}
	return ""
}
