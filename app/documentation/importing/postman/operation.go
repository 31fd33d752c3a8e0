package postman

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// operation is an operation while its requests are collected.
type operation struct {
	method, path      string
	names             []string // of the parameters of the path
	name, description string
	tag, server       string
	node              *tree.Node
	security          *tree.Node
	secret            string // lower-case name of the header that has a credential
	parameters        []*input
	media             *tree.Node // contents of the request body by type
	responses         *tree.Node
	keys              map[string]bool // of examples
	repeats           int
}

// input is a parameter of an operation.
type input struct {
	parameter
	in       string
	many     bool // sent more than once
	examples *tree.Node
}

// sent is what one request sends.
type sent struct {
	inputs      []*input
	contentType string
	body        *tree.Node // example of the body, nil without one
	schema      *tree.Node
	encoding    *tree.Node
}

func (s sent) hasBody() bool { return s.contentType != "" }

// sent reads what a request sends.
func (c *converter) sent(r *tree.Node, a *address, around *scope, name string) sent {
	s := sent{}
	add := func(in string, p parameter) {
		if p.name == "" {
			return
		}
		for _, known := range s.inputs {
			if known.in == in && known.name == p.name {
				known.many = true
				known.value += "\x00" + p.value
				return
			}
		}
		s.inputs = append(s.inputs, &input{parameter: p, in: in})
	}
	for _, name := range a.names {
		add("path", a.values[name])
	}
	for _, p := range a.query {
		add("query", p)
	}
	contentType := ""
	for _, p := range headers(r.Get("header"), around) {
		switch strings.ToLower(p.name) {
		case "content-type":
			if contentType = cmp.Or(contentType, p.value); p.disabled {
				contentType = ""
			}
		case "accept", "content-length", "host", "connection":
		case "cookie":
			for pair := range strings.SplitSeq(p.value, ";") {
				key, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
				add("cookie", parameter{name: key, value: value, node: p.node})
			}
		case "authorization":
			// a credential, which security describes
		case "user-agent":
			if !strings.HasPrefix(p.value, "PostmanRuntime/") {
				add("header", p)
			}
		default:
			add("header", p)
		}
	}
	c.body(&s, r.Get("body"), contentType, body{around, name})
	return s
}

// headers reads headers, which are a list of objects or a text.
func headers(n *tree.Node, around *scope) (list []parameter) {
	if n.Is(tree.KindString) {
		for line := range strings.SplitSeq(n.Text, "\n") {
			if key, value, ok := strings.Cut(line, ":"); ok {
				list = append(list, parameter{name: strings.TrimSpace(key), value: around.filled(strings.TrimSpace(value)), node: n})
			}
		}
		return list
	}
	for _, h := range n.Elements() {
		if h.Is(tree.KindObject) {
			list = append(list, read(h, around))
		}
	}
	return list
}

// declare adds what a request sends to the operation without a name: saved responses
// name the examples.
func (o *operation) declare(s sent) {
	for _, in := range s.inputs {
		o.input(in)
	}
	if s.hasBody() {
		o.content(s)
	}
}

// take adds what a request sends as an example.
func (o *operation) take(s sent, key, name, about string) {
	for _, in := range s.inputs {
		known := o.input(in)
		if in.value != "" {
			known.examples.Set(key, example(in.shown(), name, ""))
		}
	}
	if !s.hasBody() {
		return
	}
	media := o.content(s)
	if s.body == nil {
		return
	}
	examples := media.Child("examples")
	if o.repeats == 0 {
		about = "" // it is the operation's own description
	}
	examples.Set(key, example(s.body, name, about))
}

// input finds or adds a parameter.
func (o *operation) input(in *input) *input {
	for _, known := range o.parameters {
		if known.in == in.in && (known.name == in.name || in.in == "header" && strings.EqualFold(known.name, in.name)) {
			known.about = cmp.Or(known.about, in.about)
			known.many = known.many || in.many
			known.value = cmp.Or(known.value, in.value)
			known.disabled = known.disabled || in.disabled
			return known
		}
	}
	added := *in
	added.examples = tree.Object()
	added.disabled = in.disabled || o.repeats > 0
	o.parameters = append(o.parameters, &added)
	return &added
}

// content finds or adds the content of the request body that a request sends.
func (o *operation) content(s sent) *tree.Node {
	media := o.media.Get(s.contentType)
	if media == nil {
		media = at(s.body, tree.Object())
		o.media.Append(s.contentType, media)
	}
	if s.schema != nil {
		if known := media.Get("schema"); known != nil {
			media.Set("schema", union(known, s.schema))
		} else {
			media.Append("schema", s.schema)
		}
	}
	if s.encoding != nil && len(s.encoding.Members) > 0 {
		media.Set("encoding", s.encoding)
	}
	return media
}

// shown returns the value of a parameter as an example.
func (in *input) shown() *tree.Node {
	if !in.many {
		return at(in.node, tree.String(in.value))
	}
	list := tree.Array()
	for v := range strings.SplitSeq(in.value, "\x00") {
		list.Items = append(list.Items, at(in.node, tree.String(v)))
	}
	return list
}

func example(value *tree.Node, name, about string) *tree.Node {
	e := at(value, tree.Object(tree.Member{Key: "summary", Value: tree.String(name)}))
	if about != "" {
		e.Append("description", tree.String(about))
	}
	e.Append("value", value)
	return e
}

// object writes the Operation Object.
func (o *operation) object(c *converter, main string) *tree.Node {
	out := at(o.node, tree.Object())
	if o.tag != "" {
		out.Append("tags", tree.Array(tree.String(o.tag)))
	}
	out.Append("summary", at(o.node.Get("name"), tree.String(o.name)))
	if o.description != "" {
		out.Append("description", at(o.node.Get("description"), tree.String(o.description)))
	}
	if o.server != "" && o.server != main {
		out.Append("servers", tree.Array(c.servers[o.server]))
	}
	if list := o.inputs(); len(list.Items) > 0 {
		out.Append("parameters", list)
	}
	if len(o.media.Members) > 0 {
		out.Append("requestBody", tree.Object(tree.Member{Key: "content", Value: o.media}))
	}
	if len(o.responses.Members) == 0 {
		o.responses.Append("default", tree.Object(tree.Member{Key: "description", Value: tree.String("Not described")}))
	}
	out.Append("responses", o.responses)
	if o.security != nil {
		out.Append("security", o.security)
	}
	return out
}

func (o *operation) inputs() *tree.Node {
	list := tree.Array()
	for _, in := range o.parameters {
		if in.in == "header" && strings.ToLower(in.name) == o.secret {
			continue
		}
		p := at(in.node, tree.Object(tree.Member{Key: "name", Value: at(in.node, tree.String(in.name))}, tree.Member{Key: "in", Value: tree.String(in.in)}))
		if in.about != "" {
			p.Append("description", tree.String(in.about))
		}
		if in.in == "path" {
			p.Append("required", tree.Bool(true))
		}
		schema := tree.Object(tree.Member{Key: "type", Value: tree.String("string")})
		if in.many {
			schema = tree.Object(tree.Member{Key: "type", Value: tree.String("array")}, tree.Member{Key: "items", Value: schema})
			for i := range in.examples.Members { // the others sent it once
				if v := in.examples.Members[i].Value.Get("value"); v.Is(tree.KindString) {
					in.examples.Members[i].Value.Set("value", tree.Array(v))
				}
			}
		}
		p.Append("schema", schema)
		switch {
		case len(in.examples.Members) > 0 && !sameValues(in.examples):
			p.Append("examples", in.examples)
		case len(in.examples.Members) > 0:
			p.Append("example", in.examples.Members[0].Value.Get("value"))
		case in.value != "":
			p.Append("example", in.shown())
		}
		if !in.disabled && in.in != "path" && in.value != "" {
			p.Append("x-sample", tree.Bool(true))
		}
		list.Items = append(list.Items, p)
	}
	return list
}

// sameValues reports whether all examples of a parameter are the same.
func sameValues(examples *tree.Node) bool {
	first := examples.Members[0].Value.Get("value")
	return !slices.ContainsFunc(examples.Members, func(m tree.Member) bool { return !m.Value.Get("value").Equal(first) })
}

// quoted puts variables that stand for whole values in JSON in quotes.
func quoted(text string) string {
	var out strings.Builder
	inside, escaped := false, false
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case escaped:
			escaped = false
		case inside && ch == '\\':
			escaped = true
		case ch == '"':
			inside = !inside
		case !inside && strings.HasPrefix(text[i:], "{{"):
			if end := strings.Index(text[i:], "}}"); end > 0 {
				name, _ := json.Marshal(text[i : i+end+2]) // a text cannot fail
				out.Write(name)
				i += end + 1
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
