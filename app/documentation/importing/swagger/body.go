package swagger

import (
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
)

const (
	jsonType      = "application/json"
	formType      = "application/x-www-form-urlencoded"
	multipartType = "multipart/form-data"
	binaryType    = "application/octet-stream"
)

// bodyConverter converts bodies and responses.
type bodyConverter struct{ parameterConverter }

// requestBody makes a request body from the body and form parameters of a list. It
// returns nil when there are none.
func (c bodyConverter) requestBody(list []*tree.Node, consumes []string, place string) *tree.Node {
	var form []*tree.Node
	var body, reference *tree.Node
	for _, p := range list {
		target := c.parameterTarget(p)
		switch target.Str("in") {
		case "body":
			if body != nil && p.Get("$ref") == nil {
				c.add(finding.Noted, p, place, "The operation describes its body twice. The last description counts.")
			}
			body, reference = target, p.Get("$ref")
		case "formData":
			form = append(form, target)
		}
	}
	switch {
	case body != nil && len(form) > 0:
		c.add(finding.Dropped, form[0], place, "The operation describes a body and form fields. A request has one body: the %d form fields are left out.", len(form))
		fallthrough
	case body != nil:
		if reference != nil && slices.Equal(consumes, c.consumes) {
			return at(reference, tree.Object(tree.Member{Key: "$ref", Value: c.reference(reference)}))
		}
		return c.body(body, consumes, place)
	case len(form) > 0:
		return c.form(form, consumes, place)
	}
	return nil
}

// body converts a body parameter.
func (c bodyConverter) body(p *tree.Node, consumes []string, place string) *tree.Node {
	out := at(p, tree.Object())
	if d := p.Get("description"); d != nil {
		out.Append("description", d)
	}
	types := slices.DeleteFunc(slices.Clone(consumes), func(t string) bool { return t == formType || t == multipartType })
	if len(types) == 0 {
		types = []string{jsonType}
	}
	content := at(p, tree.Object())
	for _, t := range types {
		media := at(p, tree.Object())
		if s := p.Get("schema"); s != nil {
			media.Append("schema", c.schema(s, place+"/schema"))
		}
		c.bodyExamples(media, p, t)
		if content.Get(t) == nil {
			content.Append(t, media)
		}
	}
	out.Append("content", content)
	if r := p.Get("required"); r != nil {
		out.Append("required", r)
	}
	if name := p.Get("name"); name != nil {
		out.Append("x-body-name", name)
	}
	for _, m := range p.Members {
		if strings.HasPrefix(m.Key, "x-") && m.Key != "x-examples" && m.Key != "x-example" {
			out.Append(m.Key, m.Value)
		}
	}
	return out
}

// bodyExamples takes over the examples of a body, which Swagger has as extensions
// only.
func (c bodyConverter) bodyExamples(media, p *tree.Node, contentType string) {
	if e := p.Get("x-example"); e != nil {
		media.Append("example", e)
	} else if e := p.Get("x-examples").Get(contentType); e != nil {
		media.Append("example", e)
	}
}

// form converts form fields.
func (c bodyConverter) form(fields []*tree.Node, consumes []string, place string) *tree.Node {
	types := slices.DeleteFunc(slices.Clone(consumes), func(t string) bool { return t != formType && t != multipartType })
	isFile := func(p *tree.Node) bool { return p.Str("type") == "file" }
	if i := slices.IndexFunc(fields, isFile); i >= 0 && !slices.Equal(types, []string{multipartType}) {
		if !slices.Contains(types, multipartType) {
			c.add(finding.Repaired, fields[i], place, "The file %.80q is sent as multipart/form-data, which the operation does not name.", fields[i].Str("name"))
		}
		types = []string{multipartType}
	}
	if len(types) == 0 {
		types = []string{formType}
	}
	schema, encoding, required := at(fields[0], tree.Object(tree.Member{Key: "type", Value: tree.String("object")})), tree.Object(), tree.Array()
	properties := at(fields[0], tree.Object())
	for _, p := range fields {
		name := p.Str("name")
		field := c.typed(p, place+"/"+name, c.simpleSchema(p, place+"/"+name, nil))
		if d := p.Get("description"); d != nil {
			field.Set("description", d)
		}
		if e := p.Get("x-example"); e != nil && field.Get("example") == nil {
			field.Append("example", e)
		}
		if properties.Get(name) != nil {
			c.add(finding.Noted, p, place, "The form field %.80q is described twice. The last description counts.", name)
		}
		properties.Set(name, field)
		if p.True("required") {
			required.Items = append(required.Items, p.Get("name"))
		}
		if style := tree.Object(); p.Str("type") == "array" {
			c.style(style, p, place+"/"+name)
			encoding.Set(name, style)
		}
	}
	schema.Append("properties", properties)
	if len(required.Items) > 0 {
		schema.Append("required", required)
	}
	content := at(fields[0], tree.Object())
	for _, t := range types {
		media := at(fields[0], tree.Object(tree.Member{Key: "schema", Value: schema.Without()}))
		if len(encoding.Members) > 0 {
			media.Append("encoding", encoding)
		}
		if content.Get(t) == nil {
			content.Append(t, media)
		}
	}
	out := at(fields[0], tree.Object(tree.Member{Key: "content", Value: content}))
	if len(required.Items) > 0 {
		out.Append("required", tree.Bool(true))
	}
	return out
}

func (c bodyConverter) responses(n *tree.Node, produces []string, place string) *tree.Node {
	out := at(n, tree.Object())
	for _, m := range n.Members {
		switch {
		case strings.HasPrefix(m.Key, "x-"):
			out.Append(m.Key, m.Value)
		case m.Value.Get("$ref") != nil:
			out.Append(m.Key, at(m.Value, tree.Object(tree.Member{Key: "$ref", Value: c.reference(m.Value.Get("$ref"))})))
		case m.Value.Is(tree.KindObject):
			out.Append(m.Key, c.response(m.Value, produces, place+"/"+m.Key))
		default:
			c.other(out, m, place)
		}
	}
	return out
}

func (c bodyConverter) response(n *tree.Node, produces []string, place string) *tree.Node {
	out := at(n, tree.Object())
	if n.Get("description") == nil {
		out.Append("description", tree.String("Not described"))
		c.add(finding.Repaired, n, place, "The response has no description. One is filled in.")
	}
	for _, m := range n.Members {
		switch m.Key {
		case "description":
			out.Append(m.Key, m.Value)
		case "headers":
			headers := at(m.Value, tree.Object())
			for _, h := range m.Value.Members {
				headers.Append(h.Key, c.header(h.Value, place+"/headers/"+tree.Escape(h.Key)))
			}
			out.Append("headers", headers)
		case "schema", "examples":
			if out.Get("content") == nil {
				out.Append("content", c.content(n, produces, place))
			}
		default:
			c.other(out, m, place)
		}
	}
	return out
}

// content makes the contents of a response from its schema and its examples by
// media type.
func (c bodyConverter) content(n *tree.Node, produces []string, place string) *tree.Node {
	schema, examples := n.Get("schema"), n.Get("examples")
	types := slices.Clone(produces)
	if len(types) == 0 {
		types = []string{jsonType}
		if schema.Str("type") == "file" {
			types = []string{binaryType}
		}
		if schema == nil {
			types = nil
		}
	}
	for _, m := range examples.Elements() {
		c.add(finding.Dropped, m, place, "The examples of a response are a list here instead of being named by media type. They are left out.")
	}
	if examples.Is(tree.KindObject) {
		for _, m := range examples.Members {
			if !slices.Contains(types, m.Key) && strings.Contains(m.Key, "/") {
				types = append(types, m.Key)
			}
		}
	}
	content := at(n, tree.Object())
	for _, t := range types {
		media := at(n, tree.Object())
		if schema != nil {
			media.Append("schema", c.schema(schema, place+"/schema"))
		}
		if e := examples.Get(t); e != nil {
			media.Append("example", e)
		}
		if content.Get(t) == nil {
			content.Append(t, media)
		}
	}
	if !examples.Is(tree.KindObject) {
		return content
	}
	for _, m := range examples.Members {
		if strings.Contains(m.Key, "/") || strings.HasPrefix(m.Key, "x-") {
			continue
		}
		// Many documents name their examples, as OpenAPI 3 does.
		for _, media := range content.Members {
			if media.Value.Get("example") == nil {
				named := media.Value.Get("examples")
				if named == nil {
					named = at(m.Value, tree.Object())
					media.Value.Append("examples", named)
				}
				named.Set(m.Key, at(m.Value, tree.Object(tree.Member{Key: "value", Value: m.Value})))
			}
		}
		c.add(finding.Repaired, m.Value, place, "The example %.80q has a name instead of a media type. It is read as a named example.", m.Key)
	}
	return content
}
