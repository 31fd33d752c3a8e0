package validate

import (
	"cmp"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// response is what the document says of one status.
type response struct {
	headers []*parameter
	body    *content // nil: no body
}

// response returns what is documented for a status: the status itself, its
// range, or the default. It returns nil where nothing is.
func (op *operation) response(status int) *response {
	code := text(status)
	for _, key := range []string{code, code[:1] + "XX", "default"} {
		if r := op.responses[key]; r != nil {
			return r
		}
	}
	return nil
}

func text(n int) string { return strconv.Itoa(n) }

// reserved are header parameters that OpenAPI says to ignore: other members of
// the document describe them.
var reserved = []string{"accept", "content-type", "authorization"}

// compile fills an operation. The validator must be locked.
func (v *Validator) compile(op *operation) {
	at := "/" + operationsKey + "/" + tree.Escape(op.placed.ID)
	v.request.operations[op.placed.ID] = op.placed.Node.Plain()
	v.response.operations[op.placed.ID] = op.placed.Node.Plain()
	c := &builder{side: v.request, warnings: &op.warnings}
	list, _ := c.at(at + "/parameters").([]any)
	names := map[string]bool{}
	for i := range list {
		if p := c.parameter(at + "/parameters/" + text(i)); p != nil {
			if p.in == Path {
				p.source = sourceName(op.placed, p.name)
			}
			op.parameters = append(op.parameters, p)
			names[p.name] = names[p.name] || p.in == Query
			p.taken = names
		}
	}
	pointer, body := c.follow(at + "/requestBody")
	op.isRequired, _ = body["required"].(bool)
	op.body = c.content(pointer)
	c = &builder{side: v.response, warnings: &op.warnings}
	op.responses = map[string]*response{}
	for _, status := range keysOf(c.at(at + "/responses")) {
		op.responses[strings.Replace(status, "xx", "XX", 1)] = c.response(at + "/responses/" + tree.Escape(status))
	}
	slices.SortStableFunc(op.warnings, func(a, b Warning) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Message, b.Message))
	})
	op.warnings = slices.Compact(op.warnings)
}

// sourceName returns the name that a path parameter has in the path of the
// document. A variant may name it as in its own path, where it has the same
// position.
func sourceName(op openapi.Placed, name string) string {
	route, own := pathNames(op.Route), pathNames(op.Path)
	if i := slices.Index(own, name); i >= 0 && i < len(route) && !slices.Contains(route, name) {
		return route[i]
	}
	return name
}

// pathNames lists the parameters of a path in order.
func pathNames(path string) (names []string) {
	for part := range strings.SplitSeq(path, "{") {
		if name, _, ok := strings.Cut(part, "}"); ok {
			names = append(names, name)
		}
	}
	return names
}

// builder compiles the parts of one operation for one direction.
type builder struct {
	*side
	warnings *[]Warning
}

// follow returns the object at a pointer, references followed, and where it
// stands.
func (b *builder) follow(pointer string) (string, map[string]any) {
	for range 100 {
		object, _ := b.at(pointer).(map[string]any)
		ref, ok := object["$ref"].(string)
		if !ok {
			return pointer, object
		}
		if pointer, ok = b.target(ref); !ok {
			break
		}
	}
	return pointer, nil
}

// schema compiles the schema at a pointer, nil where there is none. The shape
// is for values that are sent as text.
func (b *builder) schema(pointer string, isText bool) (*checker, *shape) {
	if b.at(pointer) == nil {
		return nil, nil
	}
	c, warnings := b.checker(pointer)
	*b.warnings = append(*b.warnings, warnings...)
	if c.schema == nil || !isText {
		return c, nil
	}
	return c, b.shape(c.node)
}

// parameter compiles a parameter, nil for one that is ignored.
func (b *builder) parameter(pointer string) *parameter {
	at, object := b.follow(pointer)
	in, _ := object["in"].(string)
	name, _ := object["name"].(string)
	if !slices.Contains([]Location{Path, Query, Header, Cookie}, Location(in)) ||
		in == string(Header) && slices.Contains(reserved, strings.ToLower(name)) {
		return nil
	}
	p := b.valued(at, object)
	p.in, p.name, p.source = Location(in), name, name
	p.allowEmpty = object["allowEmptyValue"] == true && p.in == Query
	p.setStyle(object)
	if p.in == Path {
		p.isRequired = true
	}
	return p
}

// header compiles a header of a response or of a part.
func (b *builder) header(pointer, name string) *parameter {
	at, object := b.follow(pointer)
	if object == nil || strings.EqualFold(name, "Content-Type") {
		return nil
	}
	p := b.valued(at, object)
	p.in, p.name, p.source = Header, name, name
	p.setStyle(object)
	return p
}

// valued compiles what parameters and headers have in common.
func (b *builder) valued(at string, object map[string]any) *parameter {
	p := &parameter{}
	p.isRequired, _ = object["required"].(bool)
	schema := at + "/schema"
	for _, media := range keysOf(object["content"]) {
		p.media = media
		schema = at + "/content/" + tree.Escape(media) + "/schema"
	}
	p.schema, p.shape = b.schema(schema, !isJSON(p.media))
	return p
}

// setStyle reads style and explode of a parameter, header or encoding.
func (p *parameter) setStyle(object map[string]any) {
	p.style = "simple"
	if p.in == Query || p.in == Cookie || p.in == Body {
		p.style = "form"
	}
	if style, ok := object["style"].(string); ok {
		p.style = style
	}
	p.explode = p.style == "form"
	if explode, ok := object["explode"].(bool); ok {
		p.explode = explode
	}
}

func (b *builder) response(pointer string) *response {
	at, object := b.follow(pointer)
	r := &response{body: b.content(at)}
	for _, name := range keysOf(object["headers"]) {
		if h := b.header(at+"/headers/"+tree.Escape(name), name); h != nil {
			r.headers = append(r.headers, h)
		}
	}
	return r
}

// content compiles the content of a body, nil where there is none.
func (b *builder) content(pointer string) *content {
	names := keysOf(b.at(pointer + "/content"))
	if len(names) == 0 {
		return nil
	}
	c := &content{types: map[string]*media{}}
	for _, name := range names {
		t, _, err := mime.ParseMediaType(name)
		if err != nil {
			*b.warnings = append(*b.warnings, Warning{pointer + "/content", fmt.Sprintf("The content type %.80q cannot be read. Bodies of it are refused.", name)})
			continue
		}
		at := pointer + "/content/" + tree.Escape(name)
		m := &media{fields: map[string]*field{}}
		m.schema, m.shape = b.schema(at+"/schema", !isJSON(t))
		for _, property := range keysOf(b.at(at + "/encoding")) {
			m.fields[property] = b.field(at+"/encoding/"+tree.Escape(property), property, m.shape)
		}
		c.types[t] = m
		c.names = append(c.names, t)
	}
	return c
}

// field compiles the encoding of a form's member.
func (b *builder) field(pointer, name string, form *shape) *field {
	_, object := b.follow(pointer)
	f := &field{}
	types, _ := object["contentType"].(string)
	for t := range strings.SplitSeq(types, ",") {
		if t = strings.ToLower(strings.TrimSpace(t)); t != "" {
			f.types = append(f.types, t)
		}
	}
	for _, header := range keysOf(object["headers"]) {
		if h := b.header(pointer+"/headers/"+tree.Escape(header), header); h != nil {
			f.headers = append(f.headers, h)
		}
	}
	if object["style"] != nil || object["explode"] != nil {
		f.style = &parameter{in: Body, name: name, source: name, shape: form.member(name)}
		f.style.setStyle(object)
	}
	return f
}
