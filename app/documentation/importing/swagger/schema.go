package swagger

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
)

// schemaConverter converts schemas.
type schemaConverter struct{ *converter }

// schema converts a Schema Object.
func (c schemaConverter) schema(n *tree.Node, place string) *tree.Node {
	if c.schemas++; !n.Is(tree.KindObject) || c.schemas > maxSchemas {
		return n
	}
	if ref := n.Get("$ref"); ref.Is(tree.KindString) {
		out := at(n, tree.Object(tree.Member{Key: "$ref", Value: c.reference(ref)}))
		c.beside(out, n, place)
		return out
	}
	out := at(n, tree.Object())
	for _, m := range n.Members {
		switch m.Key {
		case "items", "additionalProperties", "not":
			if m.Value.Is(tree.KindArray) {
				c.tuple(out, m, place)
				continue
			}
			out.Set(m.Key, c.schema(m.Value, place+"/"+m.Key))
		case "properties", "patternProperties", "definitions":
			list := at(m.Value, tree.Object())
			for _, p := range m.Value.Members {
				list.Append(p.Key, c.schema(p.Value, place+"/"+m.Key+"/"+tree.Escape(p.Key)))
			}
			if m.Key == "properties" {
				out.Append(m.Key, list)
			} else {
				out.Append("x-"+m.Key, list)
				c.add(finding.Kept, m.Value, place, "A Swagger schema has no %s. It is kept as x-%s.", m.Key, m.Key)
			}
		case "allOf", "anyOf", "oneOf":
			list := at(m.Value, tree.Array())
			for _, s := range m.Value.Elements() {
				list.Items = append(list.Items, c.schema(s, place+"/"+m.Key))
			}
			out.Append(m.Key, list)
		case "type":
			c.types(out, m.Value, place)
		case "x-nullable":
			out.Set("nullable", m.Value)
		case "discriminator":
			if m.Value.Is(tree.KindString) {
				out.Append(m.Key, at(m.Value, tree.Object(tree.Member{Key: "propertyName", Value: m.Value})))
				continue
			}
			out.Append(m.Key, m.Value)
		default:
			out.Set(m.Key, m.Value)
		}
	}
	return out
}

// tuple keeps a list of item schemas, which neither version has.
func (c schemaConverter) tuple(out *tree.Node, m tree.Member, place string) {
	list := at(m.Value, tree.Array())
	for _, s := range m.Value.Items {
		list.Items = append(list.Items, c.schema(s, place+"/"+m.Key))
	}
	choice := tree.Object()
	if len(list.Items) > 0 {
		choice.Append("anyOf", list)
	}
	out.Set(m.Key, choice)
	c.add(finding.Repaired, m.Value, place, "The member %s is a list of schemas. It is read as a choice between them.", m.Key)
}

// beside takes over what stands beside a reference. In 3.1, where this ends, a reference
// may have texts of its own, and that null is allowed is what writers mean. Swagger
// ignores the rest.
func (c schemaConverter) beside(out, n *tree.Node, place string) {
	for _, m := range n.Members {
		switch m.Key {
		case "$ref", "type":
		case "description", "title", "readOnly", "example", "default", "externalDocs":
			out.Append(m.Key, m.Value)
		case "x-nullable":
			out.Append("nullable", m.Value)
		default:
			c.other(out, m, place)
		}
	}
}

// types converts the type of a schema.
func (c schemaConverter) types(out, t *tree.Node, place string) {
	if t.Is(tree.KindString) && t.Text == "file" {
		out.Set("type", at(t, tree.String("string")))
		out.Set("format", at(t, tree.String("binary")))
		return
	}
	if !t.Is(tree.KindArray) {
		out.Append("type", t)
		return
	}
	names := slices.DeleteFunc(slices.Clone(t.Items), func(n *tree.Node) bool { return n.Display() == "null" })
	if len(names) < len(t.Items) {
		out.Set("nullable", at(t, tree.Bool(true)))
	}
	switch len(names) {
	case 0:
	case 1:
		out.Append("type", names[0])
	default:
		choice := at(t, tree.Array())
		for _, name := range names {
			choice.Items = append(choice.Items, at(name, tree.Object(tree.Member{Key: "type", Value: name})))
		}
		out.Append("anyOf", choice)
	}
	c.add(finding.Repaired, t, place, "A Swagger schema has one type, and this one has %d. They are read as a choice.", len(t.Items))
}

// homes are the containers of Swagger's components and of OpenAPI's.
var homes = map[string]string{
	"definitions": "schemas", "parameters": "parameters", "responses": "responses", "securityDefinitions": "securitySchemes",
}

// reference converts the text of a $ref within the document.
func (c *converter) reference(ref *tree.Node) *tree.Node {
	for from, to := range homes {
		rest, ok := strings.CutPrefix(ref.Text, "#/"+from+"/")
		if !ok {
			continue
		}
		name, below, isBelow := strings.Cut(rest, "/")
		known := tree.Tokens("/" + name)[0]
		if from == "parameters" {
			if in := c.root.Target(ref.Text).Str("in"); in == "body" {
				to = "requestBodies"
			}
		}
		text := "#/components/" + to + "/" + tree.Escape(c.named(from, known))
		if isBelow {
			text += "/" + below
		}
		return at(ref, tree.String(text))
	}
	return ref
}

// named returns the new name of a component.
func (c *converter) named(home, name string) string {
	if free, ok := c.names[home][name]; ok {
		return free
	}
	return name
}

// name finds names of components that OpenAPI 3 allows: letters, digits, dots,
// hyphens and underscores.
func (c *converter) name() {
	c.names = map[string]map[string]string{}
	for home := range homes {
		taken := map[string]bool{}
		c.names[home] = map[string]string{}
		for _, m := range c.root.Entries(home) {
			if legal(m.Key) == m.Key {
				taken[m.Key] = true
			}
		}
		for _, m := range c.root.Entries(home) {
			if legal(m.Key) == m.Key {
				continue
			}
			free := legal(m.Key)
			for n := 2; taken[free]; n++ {
				free = legal(m.Key) + "_" + strings.Repeat("x", n-1)
			}
			taken[free], c.names[home][m.Key] = true, free
			c.add(finding.Repaired, m.Value, "/"+home+"/"+tree.Escape(m.Key), "OpenAPI 3 does not allow the name %.80q. It is now %.80q.", m.Key, free)
		}
	}
}

// legal replaces characters that names of components cannot have.
func legal(name string) string {
	made := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)) {
			return r
		}
		return '_'
	}, name)
	return cmp.Or(made, "_")
}

// components converts definitions, parameters, responses and security schemes.
func (c documentConverter) components() *tree.Node {
	out := tree.Object()
	add := func(to, name string, value *tree.Node) {
		out.Child(to).Append(name, value)
	}
	for _, m := range c.root.Entries("definitions") {
		add("schemas", c.named("definitions", m.Key), c.schema(m.Value, "/definitions/"+tree.Escape(m.Key)))
	}
	for _, m := range c.root.Entries("responses") {
		add("responses", c.named("responses", m.Key), c.response(m.Value, c.produces, "/responses/"+tree.Escape(m.Key)))
	}
	for _, m := range c.root.Entries("parameters") {
		name, place := c.named("parameters", m.Key), "/parameters/"+tree.Escape(m.Key)
		switch m.Value.Str("in") {
		case "body":
			add("requestBodies", name, c.body(m.Value, c.consumes, place))
		case "formData": // part of the body of each operation that uses it
		default:
			add("parameters", name, c.parameter(m.Value, place))
		}
	}
	for _, m := range c.root.Entries("securityDefinitions") {
		add("securitySchemes", c.named("securityDefinitions", m.Key), c.scheme(m.Value, "/securityDefinitions/"+tree.Escape(m.Key)))
	}
	return out
}
