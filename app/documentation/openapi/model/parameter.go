package model

import (
	"cmp"
	"heliograph/app/documentation/openapi/naming"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
)

// places are the places of parameters, in the order of a page.
var places = []string{"path", "query", "header", "cookie"}

// reserved are the header parameters that OpenAPI ignores, because other parts of
// the document describe them.
var reserved = []string{"accept", "content-type", "authorization"}

// Input is a parameter as samples send it.
type Input struct {
	In, Name string
	Sent     bool       // in samples
	Explode  bool       // each item or member is sent by itself
	Style    string     // simple, form, spaceDelimited, pipeDelimited, deepObject, …
	Value    *tree.Node // example; nil when there is none
	Field    *Field
	Media    string // content type of a value that is a document of its own, "" otherwise
	Reserved bool   // reserved characters are sent as they are
}

// parameters fills the parameter groups of an endpoint.
func (c *compiler) parameters(e *Endpoint, op graph.Operation) {
	groups := map[string][]*Field{}
	shown := shownNames(op.Route, e.Path)
	for _, p := range op.Parameters() {
		if !p.Exists() {
			c.warn(e.Slug, "A parameter refers to nothing; it is left out.")
			continue
		}
		in := c.input(p, shown[p.Name()])
		if in.In == "header" && slices.Contains(reserved, strings.ToLower(in.Name)) {
			continue
		}
		e.Inputs = append(e.Inputs, in)
		groups[in.In] = append(groups[in.In], in.Field)
	}
	for _, in := range places {
		if len(groups[in]) > 0 {
			e.Parameters = append(e.Parameters, parameterGroup{In: in, Fields: groups[in]})
		}
	}
}

// shownNames maps the parameters of a path to the parameters of the path that readers see,
// by their order.
func shownNames(real, shown string) map[string]string {
	isLiteral := func(p PathPart) bool { return p.Parameter == "" }
	from := slices.DeleteFunc(splitPath(real), isLiteral)
	to := slices.DeleteFunc(splitPath(shown), isLiteral)
	names := map[string]string{}
	for i := range min(len(from), len(to)) {
		names[from[i].Parameter] = to[i].Parameter
	}
	return names
}

// input reads one parameter. PathName is its name in the path that readers see.
func (c *compiler) input(p graph.Parameter, pathName string) Input {
	in := Input{In: p.In(), Name: p.Name(), Sent: p.Required() || p.Node().True("x-sample"), Style: p.Style(), Explode: p.Explode()}
	shown := cmp.Or(p.Node().Str("x-name"), in.Name)
	if in.In == "path" {
		shown = cmp.Or(p.Node().Str("x-name"), pathName, in.Name)
	}
	in.Field = c.described(shown, in.In+"."+naming.Anchor(shown), p)
	_, in.Media = schemaOf(p)
	in.Reserved = p.Node().True("allowReserved")
	in.Value = firstExample(p.Examples())
	if m, ok := contentOf(p); ok {
		in.Style, in.Explode = "simple", false // the content is one value
		if in.Value = firstExample(m.Value.Examples()); in.Value != nil && media.KindOf(m.Name) == media.JSON {
			in.Value = tree.String(string(in.Value.JSON()))
			in.Field.Example = in.Value.Text
		}
		return in
	}
	if in.Value == nil {
		schema, _ := schemaOf(p)
		s := c.fields.flatten(schema)
		in.Value = cmp.Or(first(s.Examples()), s.Default(), first(s.Enum()), s.Const())
	}
	return in
}

// value is a parameter or a header.
type value interface {
	Required() bool
	Deprecated() bool
	Description() string
	Schema() graph.Schema
	Content() []graph.Named[graph.MediaType]
	Examples() []graph.Named[graph.Example]
}

// described makes the field of a parameter or a header. Its own description comes
// before the one of its schema.
func (c *compiler) described(name, path string, v value) *Field {
	schema, contentType := schemaOf(v)
	field := c.tree(name, path, schema)
	field.Required = v.Required()
	field.Deprecated = field.Deprecated || v.Deprecated()
	field.Description = cmp.Or(v.Description(), field.Description)
	if contentType != "" {
		field.Format = cmp.Or(field.Format, contentType)
	}
	if example := firstExample(v.Examples()); example != nil {
		field.Example = example.Display()
	}
	return field
}

// contentOf returns the content type of a parameter that is written in one.
func contentOf(v value) (graph.Named[graph.MediaType], bool) {
	for _, m := range v.Content() {
		return m, true
	}
	return graph.Named[graph.MediaType]{}, false
}

// schemaOf returns the schema of a parameter or a header, which may be part of a
// content type.
func schemaOf(v value) (schema graph.Schema, contentType string) {
	for _, m := range v.Content() {
		return m.Value.Schema(), m.Name
	}
	return v.Schema(), ""
}

// firstExample returns the first example that has a value.
func firstExample(list []graph.Named[graph.Example]) *tree.Node {
	for _, e := range list {
		if v := e.Value.Value(); v != nil {
			return v
		}
	}
	return nil
}

func first(list []*tree.Node) *tree.Node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
