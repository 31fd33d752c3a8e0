package outline

import (
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// variants name the keywords that hold lists of schemas.
var variants = []struct{ key, title string }{{"allOf", "All of"}, {"oneOf", "One of"}, {"anyOf", "Any of"}}

// schemaRows makes the rows of schemas and of what is within them.
type schemaRows struct{ builder }

// schema outlines a schema. It is a property where m is not nil.
func (o schemaRows) schema(at string, n *tree.Node, m *member) *Row {
	r := o.row(at, "")
	if r == nil {
		return nil
	}
	if m != nil {
		r.Title = m.key()
		o.input(r, at, Input{Name: "name", Label: "Name", Type: lineInput, Value: r.Title, set: m.rename(anyName)})
	}
	switch {
	case n.Is(tree.KindBool):
		r.Note = map[string]string{"true": "any value", "false": "no value"}[n.Text]
	case !n.Is(tree.KindObject):
		r.Note = "no schema"
	case n.Get("$ref") != nil:
		o.reference(r, n)
	default:
		o.keywords(r, n)
	}
	if m != nil {
		required := ""
		if m.isRequired() {
			required = "true"
		}
		o.input(r, at, Input{Name: "required", Label: "Required", Type: checkInput, Value: required, set: m.require})
	}
	if n.Is(tree.KindObject) {
		o.inner(r, n)
	}
	if m != nil {
		o.moves(r, m)
	}
	return r
}

// parseSchemaRef returns the name of the schema that a reference is to. Its result
// ok is false for references to something else.
func parseSchemaRef(ref string) (name string, ok bool) {
	name, ok = strings.CutPrefix(ref, "#/components/schemas/")
	if !ok || strings.Contains(name, "/") {
		return "", false
	}
	return tree.Tokens("/" + tree.Unescape(name))[0], true
}

func (o schemaRows) reference(r *Row, n *tree.Node) {
	ref := n.Str("$ref")
	name, ok := parseSchemaRef(ref)
	r.Refers = ref
	if !ok {
		return
	}
	r.Refers, r.Note = name, "schema "+name
	target := o.sources.Schema(name)
	if !target.Is(tree.KindObject) {
		return
	}
	o.action(r, "split", "Make it a copy of its own", func() *tree.Node {
		own := clone(target)
		for _, m := range n.Members {
			if m.Key != "$ref" {
				own.Set(m.Key, m.Value)
			}
		}
		*n = *own
		return n
	})
}

// keywords adds the inputs of a schema that is no reference.
func (o schemaRows) keywords(r *Row, n *tree.Node) {
	typ := typeOf(n)
	r.Note = typ
	for _, v := range variants {
		if n.Get(v.key).Is(tree.KindArray) && typ == "" {
			r.Note = strings.ToLower(v.title) + " several"
		}
	}
	o.typed(r, r.At, n)
	o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setText(n, "description")})
	o.input(r, r.At, Input{Name: "example", Label: "Example", Hint: exampleHint, Type: textInput, Value: display(n.Get("example")), set: setValue(n, "example", func() string { return single(n) })})
}

const exampleHint = "Texts as they are, other values as JSON."

// single is the type of a schema that has one.
func single(n *tree.Node) string {
	if t := n.Get("type"); t.Is(tree.KindString) {
		return t.Text
	}
	return ""
}

// typed adds the inputs of a schema for its type, which parameters have too.
func (o schemaRows) typed(r *Row, at string, n *tree.Node) {
	typ := typeOf(n)
	o.input(r, at, Input{Name: "type", Label: "Type", Type: choiceInput, Value: typ, Options: withOption(types, typ), set: setType(n)})
	o.input(r, at, Input{Name: "format", Label: "Format", Hint: "For example date-time, uri or int64.", Type: lineInput, Value: n.Str("format"), set: setText(n, "format")})
	if text, ok := enum(n); ok {
		o.input(r, at, Input{Name: "enum", Label: "Allowed values", Hint: "One on each line. Empty allows every value of the type.", Type: textInput, Value: text, set: setEnum(n)})
	}
}

// inner adds the rows of the schemas within a schema.
func (o schemaRows) inner(r *Row, n *tree.Node) {
	properties := n.Get("properties")
	if properties.Is(tree.KindObject) {
		for _, v := range properties.Members {
			if row := o.schema(below(below(r.At, "properties"), v.Key), v.Value, &member{properties, v.Value, n}); row != nil {
				r.Rows = append(r.Rows, row)
			}
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if v := n.Get(key); v.Is(tree.KindObject) {
			title := map[string]string{"items": "Each item", "additionalProperties": "Every other field"}[key]
			o.child(r, below(r.At, key), v, title)
		}
	}
	for _, v := range variants {
		for i, item := range n.List(v.key) {
			o.child(r, below(below(r.At, v.key), itoa(i)), item, v.title+": "+itoa(i+1))
		}
	}
	if t := typeOf(n); strings.Contains(t, "object") || properties != nil || t == "" && n.Get("$ref") == nil && len(r.Rows) == 0 && n.Get("enum") == nil {
		o.action(r, "field", "Add a field", func() *tree.Node {
			if !properties.Is(tree.KindObject) {
				properties = tree.Object()
				n.Set("properties", properties)
			}
			value := tree.Object(tree.Member{Key: "type", Value: tree.String("string")})
			properties.Append(fresh(properties, "field"), value)
			return value
		})
	}
}

func (o schemaRows) child(r *Row, at string, n *tree.Node, title string) {
	if row := o.schema(at, n, nil); row != nil {
		row.Title = title
		r.Rows = append(r.Rows, row)
	}
}
