package model

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/spec"
	"heliograph/app/spec/tree"
)

// places are where parameters stand, in the order of a page.
var places = []string{"path", "query", "header", "cookie"}

// reserved are header parameters that OpenAPI tells to ignore: other parts of
// the document describe them.
var reserved = []string{"accept", "content-type", "authorization"}

// input is a parameter with what a sample needs to send it.
type Input struct {
	In, Name string
	Sent     bool       // in samples
	Explode  bool       // each item or member is sent by itself
	Style    string     // simple, form, spaceDelimited, pipeDelimited, deepObject, …
	Value    *tree.Node // example; nil when there is none
	Field    *Field
}

// parameters fills the parameter groups of an endpoint.
func (c *compiler) parameters(e *Endpoint, op spec.Placed) {
	groups := map[string][]*Field{}
	shown := shownNames(op.Route, e.Path)
	for _, p := range op.Node.List("parameters") {
		if p = c.root.Follow(p); p == nil {
			c.warn(e.Slug, "A parameter refers to nothing; it is left out.")
			continue
		}
		In := c.Input(p, shown[p.Str("name")])
		if In.In == "header" && slices.Contains(reserved, strings.ToLower(In.Name)) {
			continue
		}
		e.Inputs = append(e.Inputs, In)
		groups[In.In] = append(groups[In.In], In.Field)
	}
	for _, In := range places {
		if len(groups[In]) > 0 {
			e.Parameters = append(e.Parameters, ParameterGroup{In: In, Fields: groups[In]})
		}
	}
}

// shownNames pairs the parameters of a path with those of the path that
// readers see, by their order.
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

// input reads one parameter; pathName is its name in the path readers see.
func (c *compiler) Input(p *tree.Node, pathName string) Input {
	In := Input{In: p.Str("in"), Name: p.Str("name"), Sent: p.True("required") || p.True("x-sample")}
	shown := cmp.Or(p.Str("x-name"), In.Name)
	if In.In == "path" {
		shown = cmp.Or(p.Str("x-name"), pathName, In.Name)
	}
	In.Field = c.described(shown, In.In+"."+anchor(shown), p)
	In.Style = p.Str("style")
	if In.Style == "" {
		In.Style = "simple"
		if In.In == "query" || In.In == "cookie" {
			In.Style = "form"
		}
	}
	In.Explode = In.Style == "form"
	if v := p.Get("explode"); v.Is(tree.KindBool) {
		In.Explode = v.Text == "true"
	}
	schema, _ := c.schemaOf(p)
	In.Value = c.exampleOf(p)
	if In.Value == nil {
		s := c.fields.flatten(schema)
		In.Value = cmp.Or(sample(s.node), s.node.Get("default"), first(s.node.List("enum")), s.node.Get("const"))
	}
	return In
}

// described makes the field of a parameter or a header, whose own words come
// before those of its schema.
func (c *compiler) described(Name, path string, p *tree.Node) *Field {
	schema, media := c.schemaOf(p)
	Field := c.tree(Name, path, schema)
	Field.Required = p.True("required")
	Field.Deprecated = Field.Deprecated || p.True("deprecated")
	Field.Description = cmp.Or(p.Str("description"), Field.Description)
	if media != "" {
		Field.Format = cmp.Or(Field.Format, media)
	}
	if v := c.exampleOf(p); v != nil {
		Field.Example = v.Display()
	}
	return Field
}

// schemaOf returns the schema of a parameter or header, which may stand within
// a content type.
func (c *compiler) schemaOf(p *tree.Node) (schema *tree.Node, media string) {
	for _, m := range p.Entries("content") {
		return m.Value.Get("schema"), m.Key
	}
	return p.Get("schema"), ""
}

// exampleOf returns the first example of a parameter, header or media type.
func (c *compiler) exampleOf(p *tree.Node) *tree.Node {
	if v := p.Get("example"); v != nil {
		return v
	}
	for _, m := range p.Entries("examples") {
		if v := c.root.Follow(m.Value).Get("value"); v != nil {
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
