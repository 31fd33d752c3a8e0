package swagger

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
)

// parameterTarget returns the parameter that a reference of the document names, or
// the parameter itself.
func (c *converter) parameterTarget(p *tree.Node) *tree.Node {
	if ref := p.Str("$ref"); strings.HasPrefix(ref, "#/") {
		return c.root.Target(ref)
	}
	return p
}

// parameterConverter converts parameters and headers.
type parameterConverter struct{ schemaConverter }

// parameters converts all parameters of a list that are not part of a body.
func (c parameterConverter) parameters(list *tree.Node, place string) *tree.Node {
	out := at(list, tree.Array())
	for _, p := range list.Elements() {
		target := c.parameterTarget(p)
		if in := target.Str("in"); in == "body" || in == "formData" {
			continue
		}
		if p.Get("$ref") != nil {
			out.Items = append(out.Items, at(p, tree.Object(tree.Member{Key: "$ref", Value: c.reference(p.Get("$ref"))})))
			continue
		}
		out.Items = append(out.Items, c.parameter(p, place+"/"+p.Str("name")))
	}
	return out
}

// own are the members of a parameter or header beside its schema's.
var own = []string{"name", "in", "description", "required", "allowEmptyValue", "collectionFormat"}

// parameter converts a parameter outside bodies.
func (c parameterConverter) parameter(p *tree.Node, place string) *tree.Node {
	out := at(p, tree.Object())
	for _, key := range []string{"name", "in", "description", "required", "allowEmptyValue"} {
		if v := p.Get(key); v != nil {
			out.Append(key, v)
		}
	}
	if p.Str("in") == "path" && !p.True("required") {
		out.Set("required", tree.Bool(true))
		c.add(finding.Repaired, p, place, "The path parameter %.80q is not marked as required. A path parameter always is.", p.Str("name"))
	}
	if p.Get("allowEmptyValue") != nil && p.Str("in") != "query" {
		out.Remove("allowEmptyValue")
		c.add(finding.Dropped, p, place, "Only a query parameter can allow an empty value. The member allowEmptyValue is left out.")
	}
	c.style(out, p, place)
	out.Append("schema", c.typed(p, place, c.simpleSchema(p, place, out)))
	return out
}

// typed gives the schema of a parameter the type that Swagger demands.
func (c parameterConverter) typed(p *tree.Node, place string, schema *tree.Node) *tree.Node {
	if !schema.Is(tree.KindObject) || p.Get("schema") != nil {
		return schema
	}
	for _, key := range []string{"type", "$ref", "anyOf", "oneOf", "allOf"} {
		if schema.Get(key) != nil {
			return schema
		}
	}
	c.add(finding.Repaired, p, place, "The parameter %.80q has no type. It is read as text.", p.Str("name"))
	schema.Append("type", at(p, tree.String("string")))
	return schema
}

// style says how a list is written, which Swagger calls its collection format.
func (c parameterConverter) style(out, p *tree.Node, place string) {
	format := p.Get("collectionFormat")
	if p.Str("type") != "array" {
		if format != nil {
			c.add(finding.Dropped, format, place, "A collection format belongs to lists alone. It is left out.")
		}
		return
	}
	in, isQuery := p.Str("in"), p.Str("in") == "query" || p.Str("in") == "formData"
	name := cmp.Or(p.Str("collectionFormat"), "csv")
	set := func(style string, explode bool) {
		out.Append("style", at(format, tree.String(style)))
		out.Append("explode", at(format, tree.Bool(explode)))
	}
	switch {
	case name == "csv" && isQuery:
		set("form", false)
	case name == "csv":
		// simple is how lists in paths and headers are written
	case name == "multi" && isQuery:
		set("form", true)
	case name == "ssv" && isQuery:
		set("spaceDelimited", false)
	case name == "pipes" && isQuery:
		set("pipeDelimited", false)
	default:
		out.Append("x-collectionFormat", at(format, tree.String(name)))
		c.add(finding.Kept, format, place, "OpenAPI 3 cannot write a list in %s as %.40s. The name is kept as x-collectionFormat.", in, name)
	}
}

// simpleSchema moves the schema members of a parameter, header or list of items into
// a schema. Extensions that describe the parameter go to out.
func (c parameterConverter) simpleSchema(p *tree.Node, place string, out *tree.Node) *tree.Node {
	if s := p.Get("schema"); s != nil {
		return c.schema(s, place+"/schema")
	}
	schema := at(p, tree.Object())
	for _, m := range p.Members {
		switch {
		case slices.Contains(own, m.Key):
		case m.Key == "x-nullable":
			schema.Append("nullable", m.Value)
		case m.Key == "x-example":
			if out != nil {
				out.Append("example", m.Value)
			}
		case m.Key == "items":
			schema.Append("items", c.items(m.Value, place+"/items"))
		case strings.HasPrefix(m.Key, "x-"):
			if out != nil {
				out.Append(m.Key, m.Value)
			} else {
				schema.Append(m.Key, m.Value)
			}
		case m.Key == "example" && out != nil:
			out.Append("example", m.Value)
		default:
			schema.Append(m.Key, m.Value)
		}
	}
	return c.schema(schema, place)
}

// items converts the items of a list in a parameter.
func (c parameterConverter) items(n *tree.Node, place string) *tree.Node {
	if !n.Is(tree.KindObject) {
		return n
	}
	if f := n.Get("collectionFormat"); f != nil {
		c.add(finding.Kept, f, place, "OpenAPI 3 cannot say how a list within a list is written. The name %.40s is kept as x-collectionFormat.", f.Display())
	}
	out := at(n, tree.Object())
	for _, m := range n.Members {
		switch m.Key {
		case "collectionFormat":
			out.Append("x-collectionFormat", m.Value)
		case "items":
			out.Append("items", c.items(m.Value, place+"/items"))
		default:
			out.Append(m.Key, m.Value)
		}
	}
	return out
}

// header converts a header of a response.
func (c parameterConverter) header(n *tree.Node, place string) *tree.Node {
	out := at(n, tree.Object())
	if d := n.Get("description"); d != nil {
		out.Append("description", d)
	}
	if f := n.Str("collectionFormat"); f != "" && f != "csv" {
		out.Append("x-collectionFormat", n.Get("collectionFormat"))
		c.add(finding.Kept, n.Get("collectionFormat"), place, "OpenAPI 3 cannot write a list in a header as %.40s. The name is kept as x-collectionFormat.", f)
	}
	out.Append("schema", c.simpleSchema(n, place, out))
	return out
}
