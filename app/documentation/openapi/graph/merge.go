package graph

import (
	"slices"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// Merged is one schema for several that all hold, so that readers see the keywords
// of a value together. It is not part of the document. Schemas that it was made of
// stay as they are.
type Merged struct{ Schema }

// Merge returns a schema without keywords, to which others are added.
func (g *Graph) Merge() Merged { return Merged{schemaOf(Object{g, tree.Object()})} }

// annotations are the keywords that count with their outermost value.
var annotations = []string{"title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"}

// Annotate adds the annotations of a schema that are still missing.
func (m Merged) Annotate(from Schema) {
	for _, key := range annotations {
		if v := from.n.Get(key); v != nil && m.n.Get(key) == nil {
			m.n.Set(key, v)
		}
	}
}

// Add adds a keyword of a schema and returns the number of steps that took.
// Members are joined, required ones too; types and values are those that both
// allow. The first value of any other keyword counts.
func (m Merged) Add(from Schema, keyword string) (steps int) {
	value := from.n.Get(keyword)
	have := m.n.Get(keyword)
	if have == nil {
		m.n.Set(keyword, own(keyword, value))
		return 1
	}
	switch keyword {
	case "properties", "patternProperties":
		return 1 + join(have, value)
	case "required":
		for _, v := range value.Elements() {
			if !tree.Contains(have.Items, v) {
				have.Items = append(have.Items, v)
			}
		}
	case "type", "enum":
		if both := common(have, value); len(both) > 0 {
			m.n.Set(keyword, tree.Array(both...))
		}
	}
	return 1
}

// own copies the values that Add changes later.
func own(keyword string, value *tree.Node) *tree.Node {
	switch keyword {
	case "properties", "patternProperties":
		copied := tree.Object()
		copied.Members = slices.Clone(value.Members)
		return copied
	case "required":
		return tree.Array(slices.Clone(value.Items)...)
	}
	return value
}

// join adds members. Where both have one, both of its schemas hold.
func join(have, more *tree.Node) (steps int) {
	for _, member := range more.Members {
		steps++
		old := have.Get(member.Key)
		switch {
		case old == nil:
			have.Members = append(have.Members, member)
		case old != member.Value:
			have.Set(member.Key, tree.Object(tree.Member{Key: "allOf", Value: tree.Array(old, member.Value)}))
		}
	}
	return steps
}

// common returns the values that two lists share; a single value is a list.
func common(a, b *tree.Node) []*tree.Node {
	return lists.Where(a.Values(), func(v *tree.Node) bool { return tree.Contains(b.Values(), v) })
}

// DropNull removes null from the types and the values, and reports whether it was
// among them.
func (m Merged) DropNull() (dropped bool) {
	if t := m.n.Get("type"); t != nil {
		kept := slices.DeleteFunc(slices.Clone(t.Values()), func(v *tree.Node) bool { return v.Display() == "null" })
		dropped = len(kept) < len(t.Values())
		m.n.Set("type", tree.Array(kept...))
	}
	if e := m.n.Get("enum"); e.Is(tree.KindArray) {
		kept := slices.DeleteFunc(slices.Clone(e.Items), func(v *tree.Node) bool { return v.Kind == tree.KindNull })
		if len(kept) < len(e.Items) {
			dropped = true
			m.n.Set("enum", tree.Array(kept...))
		}
	}
	return dropped
}
