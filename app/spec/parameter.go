package spec

import (
	"cmp"
	"slices"

	"heliograph/app/spec/tree"
)

// places are where parameters stand, in the order of a page.
var places = []string{"path", "query", "header", "cookie"}

// reserved are header parameters that OpenAPI tells to ignore: other parts of
// the document describe them.
var reserved = []string{"accept", "content-type", "authorization"}

// input is a parameter with what a sample needs to send it.
type input struct {
	in, name string
	sent     bool       // in samples
	explode  bool       // each item or member is sent by itself
	style    string     // simple, form, spaceDelimited, pipeDelimited, deepObject, …
	value    *tree.Node // example; nil when there is none
	field    *Field
}

// parameters fills the parameter groups of an endpoint.
func (c *compiler) parameters(e *Endpoint, op Placed) {
	groups := map[string][]*Field{}
	shown := shownNames(op.Route, e.Path)
	for _, p := range op.Node.List("parameters") {
		if p = c.root.Follow(p); p == nil {
			c.warn(e.Slug, "A parameter refers to nothing; it is left out.")
			continue
		}
		in := c.input(p, shown[p.Str("name")])
		if in.in == "header" && slices.Contains(reserved, lower(in.name)) {
			continue
		}
		e.inputs = append(e.inputs, in)
		groups[in.in] = append(groups[in.in], in.field)
	}
	for _, in := range places {
		if len(groups[in]) > 0 {
			e.Parameters = append(e.Parameters, ParameterGroup{In: in, Fields: groups[in]})
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
func (c *compiler) input(p *tree.Node, pathName string) input {
	in := input{in: p.Str("in"), name: p.Str("name"), sent: p.True("required") || p.True("x-sample")}
	shown := cmp.Or(p.Str("x-name"), in.name)
	if in.in == "path" {
		shown = cmp.Or(p.Str("x-name"), pathName, in.name)
	}
	in.field = c.described(shown, in.in+"."+anchor(shown), p)
	in.style = p.Str("style")
	if in.style == "" {
		in.style = "simple"
		if in.in == "query" || in.in == "cookie" {
			in.style = "form"
		}
	}
	in.explode = in.style == "form"
	if v := p.Get("explode"); v.Is(tree.KindBool) {
		in.explode = v.Text == "true"
	}
	schema, _ := c.schemaOf(p)
	in.value = c.exampleOf(p)
	if in.value == nil {
		s := c.fields.flatten(schema)
		in.value = cmp.Or(sample(s.node), s.node.Get("default"), first(s.node.List("enum")), s.node.Get("const"))
	}
	return in
}

// described makes the field of a parameter or a header, whose own words come
// before those of its schema.
func (c *compiler) described(name, path string, p *tree.Node) *Field {
	schema, media := c.schemaOf(p)
	field := c.tree(name, path, schema)
	field.Required = p.True("required")
	field.Deprecated = field.Deprecated || p.True("deprecated")
	field.Description = cmp.Or(p.Str("description"), field.Description)
	if media != "" {
		field.Format = cmp.Or(field.Format, media)
	}
	if v := c.exampleOf(p); v != nil {
		field.Example = v.Display()
	}
	return field
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
