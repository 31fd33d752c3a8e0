package model

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// ExampleOf returns the part of the document's own examples that is an instance of
// a named schema, nil where no example of the endpoint has one.
func (e *Endpoint) ExampleOf(schema string) *tree.Node {
	bodies := slices.Clone(e.Bodies)
	for _, r := range e.Responses {
		bodies = append(bodies, r.Bodies...)
	}
	for _, b := range bodies {
		for _, example := range b.Examples {
			if b.Root == nil || example.Generated {
				continue
			}
			if part := cut(b.Root, example.Node, schema); part != nil {
				return part
			}
		}
	}
	return nil
}

// cut returns the first part of a value that is an instance of a named schema.
func cut(f *Field, value *tree.Node, schema string) *tree.Node {
	if value == nil || f == nil {
		return nil
	}
	if value.Is(tree.KindArray) && strings.HasPrefix(f.Type, "array") {
		for _, item := range value.Items {
			if part := cutItem(f, item, schema); part != nil {
				return part
			}
		}
		return nil
	}
	return cutItem(f, value, schema)
}

func cutItem(f *Field, value *tree.Node, schema string) *tree.Node {
	if f.Schema == schema && fits(f, value) {
		return value
	}
	for _, child := range f.Children {
		if part := cut(child, value.Get(child.Name), schema); part != nil {
			return part
		}
	}
	for _, v := range f.Variants {
		if v.Field != nil && fits(v.Field, value) {
			if part := cut(v.Field, value, schema); part != nil {
				return part
			}
		}
	}
	return nil
}

// fits reports whether a value has what a form requires: the members, and those
// with a single value that value.
func fits(f *Field, value *tree.Node) bool {
	for _, child := range f.Children {
		member := value.Get(child.Name)
		if child.Required && !child.ReadOnly && member == nil {
			return false
		}
		if member != nil && len(child.Enum) > 0 && !strings.HasPrefix(child.Type, "array") && !slices.Contains(child.Enum, member.Display()) {
			return false
		}
	}
	return true
}
