package sdk

import (
	"cmp"
	"slices"

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
	case Integer, Number, Boolean:
		return &Type{Kind: f.kind} // named as in JSON Schema
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
