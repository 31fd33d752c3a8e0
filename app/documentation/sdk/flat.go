package sdk

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

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
	media := schema.ContentMediaType()
	isRaw := media != "" && media != "application/json" && schema.ContentEncoding() == "" && f.kind == "string"
	if isRaw || schema.Format() == "binary" {
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
