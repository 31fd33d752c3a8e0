package postman

import (
	"cmp"
	"strconv"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// languages are the content types of raw bodies by the language that Postman shows
// them in.
var languages = map[string]string{
	"json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript", "text": "text/plain",
}

// body says where a body is.
type body struct {
	around *scope
	name   string
}

// body reads the body of a request.
func (c *converter) body(s *sent, n *tree.Node, contentType string, where body) {
	if !n.Is(tree.KindObject) || n.True("disabled") {
		return
	}
	media := cmp.Or(mediaType(contentType), languages[n.Get("options").Get("raw").Str("language")])
	switch mode := n.Str("mode"); mode {
	case "raw":
		if text := n.Str("raw"); text != "" {
			s.body, s.contentType = c.value(n.Get("raw"), text, media, where)
			s.schema = schemaOf(s.body, 0)
		}
	case "urlencoded", "formdata":
		s.contentType = "application/x-www-form-urlencoded"
		if mode == "formdata" {
			s.contentType = "multipart/form-data"
		}
		if len(n.List(mode)) == 0 {
			s.contentType = ""
			return
		}
		c.form(s, n.Get(mode), where)
	case "file":
		s.contentType = cmp.Or(media, "application/octet-stream")
		s.schema = binary()
	case "graphql":
		g := n.Get("graphql")
		s.contentType = "application/json"
		s.body = at(n, tree.Object(tree.Member{Key: "query", Value: tree.String(g.Str("query"))}))
		if v := g.Get("variables"); v != nil {
			if v.Is(tree.KindString) {
				v, _ = c.value(v, cmp.Or(v.Text, "{}"), "application/json", where)
			}
			s.body.Append("variables", v)
		}
		s.schema = schemaOf(s.body, 0)
	case "":
	default:
		c.add(finding.Dropped, n, where.name, "The body of %.80q has the unknown mode %.40q. It is left out.", where.name, mode)
	}
}

func binary() *tree.Node {
	return tree.Object(tree.Member{Key: "type", Value: tree.String("string")}, tree.Member{Key: "contentMediaType", Value: tree.String("application/octet-stream")})
}

// form reads the fields of a form.
func (c *converter) form(s *sent, list *tree.Node, where body) {
	properties, values := tree.Object(), tree.Object()
	s.encoding = tree.Object()
	for _, n := range list.Elements() {
		p := read(n, where.around)
		if p.name == "" {
			continue
		}
		field := at(n, tree.Object(tree.Member{Key: "type", Value: tree.String("string")}))
		if p.file {
			field = at(n, binary())
		}
		if p.about != "" {
			field.Append("description", tree.String(p.about))
		}
		if known := properties.Get(p.name); known != nil && known.Str("type") != "array" {
			field = at(n, tree.Object(tree.Member{Key: "type", Value: tree.String("array")}, tree.Member{Key: "items", Value: known}))
			if v := values.Get(p.name); v != nil {
				values.Set(p.name, tree.Array(v))
			}
		}
		if known := properties.Get(p.name); known.Str("type") != "array" {
			properties.Set(p.name, field)
		}
		if p.contentType != "" {
			s.encoding.Set(p.name, tree.Object(tree.Member{Key: "contentType", Value: tree.String(p.contentType)}))
		}
		if p.disabled || p.file && p.value == "" {
			continue
		}
		value := at(n, tree.String(p.value))
		if v := values.Get(p.name); v.Is(tree.KindArray) {
			v.Items = append(v.Items, value)
		} else {
			values.Set(p.name, value)
		}
	}
	s.schema = at(list, tree.Object(tree.Member{Key: "type", Value: tree.String("object")}, tree.Member{Key: "properties", Value: properties}))
	if len(values.Members) > 0 {
		s.body = at(list, values)
	}
}

// mediaType returns a content type without parameters.
func mediaType(text string) string {
	media, _, _ := strings.Cut(text, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	if !strings.Contains(media, "/") || strings.ContainsAny(media, "{} ") {
		return ""
	}
	return media
}

// value reads the text of a body: JSON where it is JSON.
func (c *converter) value(source *tree.Node, text, media string, where body) (*tree.Node, string) {
	isJSON := media == "application/json" || strings.HasSuffix(media, "+json")
	trimmed := strings.TrimSpace(text)
	if isJSON || media == "" && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) {
		if n := readJSON(trimmed); n != nil {
			return placed(n, source), cmp.Or(media, "application/json")
		}
		if n := readJSON(quoted(trimmed)); n != nil {
			c.add(finding.Repaired, source, where.name, "The body of %.80q has variables outside quotes. They are texts of the example.", where.name)
			return placed(n, source), cmp.Or(media, "application/json")
		}
		if isJSON {
			c.add(finding.Kept, source, where.name, "The body of %.80q is not JSON, though it is sent as such. It is kept as text.", where.name)
		}
	}
	return at(source, tree.String(text)), cmp.Or(media, "text/plain")
}

// readJSON reads JSON of any kind, nil when it is none.
func readJSON(text string) *tree.Node {
	if text == "" {
		return nil
	}
	if text[0] == '{' || text[0] == '[' {
		n, err := tree.Read([]byte(text))
		if err != nil {
			return nil
		}
		return n
	}
	// A scalar: read it as the item of a list, since anything else is YAML.
	n, err := tree.Read([]byte("[" + text + "]"))
	if err != nil || len(n.Items) != 1 {
		return nil
	}
	return n.Items[0]
}

// placed gives the values of a text the place of the text.
func placed(n, source *tree.Node) *tree.Node {
	at(source, n)
	for _, item := range n.Items {
		placed(item, source)
	}
	for _, m := range n.Members {
		placed(m.Value, source)
	}
	return n
}

// maxInferred is the depth down to which schemas are made from examples.
const maxInferred = 30

// schemaOf describes the type of an example.
func schemaOf(n *tree.Node, depth int) *tree.Node {
	named := func(name string) *tree.Node {
		return tree.Object(tree.Member{Key: "type", Value: tree.String(name)})
	}
	if n == nil || depth > maxInferred {
		return tree.Object()
	}
	switch n.Kind {
	case tree.KindBool:
		return named("boolean")
	case tree.KindNumber:
		if _, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
			return named("integer")
		}
		return named("number")
	case tree.KindString:
		return named("string")
	case tree.KindArray:
		s := named("array")
		var item *tree.Node
		for _, i := range n.Items {
			item = union(item, schemaOf(i, depth+1))
		}
		if item != nil {
			s.Append("items", item)
		}
		return s
	case tree.KindObject:
		s, properties := named("object"), tree.Object()
		for _, m := range n.Members {
			properties.Append(m.Key, schemaOf(m.Value, depth+1))
		}
		if len(properties.Members) > 0 {
			s.Append("properties", properties)
		}
		return s
	}
	return tree.Object()
}

// union describes the values that either schema describes.
func union(a, b *tree.Node) *tree.Node {
	switch {
	case a == nil || b == nil:
		return cmp.Or(a, b)
	case len(a.Members) == 0 || len(b.Members) == 0: // null, or nothing known
		if len(a.Members) == 0 {
			return b
		}
		return a
	case a.Str("type") != b.Str("type"):
		if n, m := a.Str("type"), b.Str("type"); n+m == "integernumber" || n+m == "numberinteger" {
			return tree.Object(tree.Member{Key: "type", Value: tree.String("number")})
		}
		return tree.Object()
	case a.Str("type") == "array":
		out := tree.Object(tree.Member{Key: "type", Value: tree.String("array")})
		if item := union(a.Get("items"), b.Get("items")); item != nil {
			out.Append("items", item)
		}
		return out
	case a.Str("type") == "object":
		return unionObject(a, b)
	}
	return a
}

func unionObject(a, b *tree.Node) *tree.Node {
	out, properties := tree.Object(tree.Member{Key: "type", Value: tree.String("object")}), tree.Object()
	others := lists.Pairs(b.Entries("properties"), func(m tree.Member) (string, *tree.Node) { return m.Key, m.Value })
	for _, m := range a.Entries("properties") {
		properties.Append(m.Key, union(m.Value, others[m.Key]))
		delete(others, m.Key)
	}
	for _, m := range b.Entries("properties") {
		if others[m.Key] != nil {
			properties.Append(m.Key, m.Value)
		}
	}
	if len(properties.Members) > 0 {
		out.Append("properties", properties)
	}
	return out
}
