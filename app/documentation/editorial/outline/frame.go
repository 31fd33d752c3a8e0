package outline

import (
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// unsaid is the choice of a version that says nothing of authentication.
const unsaid = "Not said yet"

// Frame outlines what the endpoints of a version share: its title, its servers, the
// ways to authenticate, and the parameters and responses that endpoints refer to.
func Frame(root *tree.Node, sources Sources) *Outline {
	o := start(root, sources)
	if o.Root.Is(tree.KindObject) {
		o.sources.Schemes = nil
		for _, scheme := range o.Root.Get("components").Entries("securitySchemes") {
			o.sources.Schemes = append(o.sources.Schemes, scheme.Key)
		}
		f := frameRows{newContentRows(o)}
		o.Rows = []*Row{f.about(), f.servers(), f.security(), f.sharedResponses(), f.sharedParameters()}
	}
	mark(o.Rows)
	return o
}

// frameRows makes the rows of what endpoints share.
type frameRows struct{ contentRows }

// at returns an object within the root, which it makes when a change needs it.
func (o frameRows) at(keys ...string) *tree.Node {
	n := o.Root
	for _, key := range keys {
		next := n.Get(key)
		if !next.Is(tree.KindObject) {
			next = tree.Object()
			n.Set(key, next)
		}
		n = next
	}
	return n
}

func (o frameRows) about() *Row {
	r := &Row{At: "/info", Title: "In exports", IsGroup: true}
	info := o.Root.Get("info")
	text := func(key, label, hint string) {
		o.input(r, r.At, Input{Name: key, Label: label, Hint: hint, Type: lineInput, Value: info.Str(key), set: func(text string) error {
			return setText(o.at("info"), key)(text)
		}})
	}
	text("title", "Title of the API", "The name of the API in the OpenAPI document and in client libraries.")
	text("version", "Version number", "The number that the OpenAPI document states, for example 1.0.")
	return r
}

func (o frameRows) servers() *Row {
	list := o.Root.Get("servers")
	r := &Row{At: "/servers", Title: "Servers", IsGroup: true, Note: "The base URL of the product comes first. Add the addresses that only this version has."}
	for i, n := range list.Elements() {
		row := o.row(below(r.At, itoa(i)), n.Str("url"))
		if row == nil {
			break
		}
		row.Note = n.Str("description")
		o.input(row, row.At, Input{Name: "url", Label: "Address", Hint: "For example https://api.example.com/v1.", Type: lineInput, Value: n.Str("url"), set: func(text string) error {
			if text == "" {
				return fault.New(fault.Invalid, "Enter an address.")
			}
			return setText(n, "url")(text)
		}})
		o.input(row, row.At, Input{Name: "description", Label: "Description", Hint: "For example Production or Test.", Type: lineInput, Value: row.Note, set: setText(n, "description")})
		o.itemMoves(row, list, n, func() { o.Root.Remove("servers") })
		r.Rows = append(r.Rows, row)
	}
	o.action(r, "server", "Add a server", func() *tree.Node {
		if !list.Is(tree.KindArray) {
			list = tree.Array()
			o.Root.Set("servers", list)
		}
		added := tree.Object(tree.Member{Key: "url", Value: tree.String("https://api.example.com")})
		list.Items = append(list.Items, added)
		return added
	})
	return r
}

// The kinds of security schemes that the form knows.
const (
	keyScheme    = "API key"
	bearerScheme = "Bearer token"
	basicScheme  = "User name and password"
)

var schemeKinds = []string{keyScheme, bearerScheme, basicScheme}

func schemeKind(n *tree.Node) string {
	switch {
	case n.Str("type") == "apiKey":
		return keyScheme
	case n.Str("type") == "http" && strings.EqualFold(n.Str("scheme"), "bearer"):
		return bearerScheme
	case n.Str("type") == "http" && strings.EqualFold(n.Str("scheme"), "basic"):
		return basicScheme
	}
	return special
}

func setSchemeKind(n *tree.Node) func(string) error {
	return func(kind string) error {
		if kind == special {
			return nil
		}
		for _, key := range []string{"type", "scheme", "in", "name", "bearerFormat", "flows", "openIdConnectUrl"} {
			n.Remove(key)
		}
		switch kind {
		case keyScheme:
			n.Set("type", tree.String("apiKey"))
			n.Set("in", tree.String("header"))
			n.Set("name", tree.String("apikey"))
		case bearerScheme:
			n.Set("type", tree.String("http"))
			n.Set("scheme", tree.String("bearer"))
		case basicScheme:
			n.Set("type", tree.String("http"))
			n.Set("scheme", tree.String("basic"))
		default:
			return fault.New(fault.Invalid, "Choose one of the list.")
		}
		return nil
	}
}

func (o frameRows) security() *Row {
	list := o.Root.Get("components").Get("securitySchemes")
	r := &Row{At: "/components/securitySchemes", Title: "Authentication", IsGroup: true}
	chosen := auth(o.Root, unsaid)
	o.input(r, "", Input{Name: "security", Label: "Endpoints need", Hint: "An endpoint can say something else.", Type: choiceInput, Value: chosen,
		Options: withOption(append([]string{unsaid, open}, o.sources.Schemes...), chosen), set: setAuth(o.Root, o.sources.Schemes, unsaid)})
	for _, v := range o.Root.Get("components").Entries("securitySchemes") {
		row := o.row(below(r.At, v.Key), v.Key)
		if row == nil {
			break
		}
		o.scheme(row, &member{list, v.Value, nil})
		r.Rows = append(r.Rows, row)
	}
	o.action(r, "scheme", "Add a way to authenticate", func() *tree.Node {
		schemes := o.at("components", "securitySchemes")
		added := tree.Object(tree.Member{Key: "type", Value: tree.String("apiKey")}, tree.Member{Key: "in", Value: tree.String("header")}, tree.Member{Key: "name", Value: tree.String("apikey")})
		schemes.Append(fresh(schemes, "apiKey"), added)
		return added
	})
	return r
}

func (o frameRows) scheme(r *Row, m *member) {
	n := m.value
	kind := schemeKind(n)
	r.Note = kind
	o.input(r, r.At, Input{Name: "key", Label: "Name", Hint: "What endpoints call it.", Type: lineInput, Value: r.Title, set: func(name string) error {
		before := m.key()
		if err := m.rename(anyName)(name); err != nil {
			return err
		}
		for _, alternative := range o.Root.List("security") {
			for i := range alternative.Members {
				if alternative.Members[i].Key == before {
					alternative.Members[i].Key = name
				}
			}
		}
		return nil
	}})
	if !n.Is(tree.KindObject) || n.Get("$ref") != nil {
		o.moves(r, m)
		return
	}
	o.input(r, r.At, Input{Name: "kind", Label: "Kind", Type: choiceInput, Value: kind, Options: withOption(schemeKinds, kind), set: setSchemeKind(n)})
	if kind == keyScheme {
		r.Note += " in the " + n.Str("in") + " " + n.Str("name")
		o.input(r, r.At, Input{Name: "in", Label: "Place", Type: choiceInput, Value: n.Str("in"), Options: withOption([]string{"header", "query", "cookie"}, n.Str("in")), set: setText(n, "in")})
		o.input(r, r.At, Input{Name: "name", Label: "Field name", Hint: "The header, the query parameter or the cookie, for example apikey.", Type: lineInput, Value: n.Str("name"), set: func(text string) error {
			if text == "" {
				return fault.New(fault.Invalid, "Enter the name of the field.")
			}
			return setText(n, "name")(text)
		}})
	}
	o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setText(n, "description")})
	o.moves(r, m)
}

// sharedResponses outlines the responses that endpoints can refer to.
func (o frameRows) sharedResponses() *Row {
	list := o.Root.Get("components").Get("responses")
	r := &Row{At: "/components/responses", Title: "Shared responses", IsGroup: true, Note: "Write an answer that many endpoints give, such as an error, once. Endpoints choose it by its name."}
	for _, v := range o.Root.Get("components").Entries("responses") {
		row := o.row(below(r.At, v.Key), v.Key)
		if row == nil {
			break
		}
		m := &member{list, v.Value, nil}
		o.input(row, row.At, Input{Name: "key", Label: "Name", Type: lineInput, Value: v.Key, set: m.rename(checkComponent)})
		if n := v.Value; n.Is(tree.KindObject) && n.Get("$ref") == nil {
			row.Note = n.Str("description")
			o.input(row, row.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: row.Note, set: setDescription(n)})
			o.contents(row, n)
		}
		o.moves(row, m)
		r.Rows = append(r.Rows, row)
	}
	o.action(r, "shared", "Add a shared response", func() *tree.Node {
		shared := o.at("components", "responses")
		added := tree.Object(tree.Member{Key: "description", Value: tree.String("Error")})
		shared.Append(fresh(shared, "Error"), added)
		return added
	})
	return r
}

// sharedParameters outlines the parameters that endpoints can refer to.
func (o frameRows) sharedParameters() *Row {
	list := o.Root.Get("components").Get("parameters")
	r := &Row{At: "/components/parameters", Title: "Shared parameters", IsGroup: true}
	for _, v := range o.Root.Get("components").Entries("parameters") {
		row := o.row(below(r.At, v.Key), v.Key)
		if row == nil {
			break
		}
		m := &member{list, v.Value, nil}
		o.input(row, row.At, Input{Name: "key", Label: "Shared as", Type: lineInput, Value: v.Key, set: m.rename(checkComponent)})
		parameterRows{o.schemaRows}.parameter(row, v.Value)
		row.Title = v.Key
		o.moves(row, m)
		r.Rows = append(r.Rows, row)
	}
	o.action(r, "shared", "Add a shared parameter", func() *tree.Node {
		shared := o.at("components", "parameters")
		added := newParameter("parameter")
		shared.Append(fresh(shared, "Parameter"), added)
		return added
	})
	return r
}

// checkComponent says what is wrong with the name of a shared part.
func checkComponent(name string) string {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("._-", c) {
			return "Use letters, digits, dots, hyphens and underscores."
		}
	}
	return ""
}

// setDescription writes the description of a response, which OpenAPI requires.
func setDescription(n *tree.Node) func(string) error {
	return func(text string) error {
		n.Set("description", tree.String(text))
		return nil
	}
}

// owned is the choice of a response that is no shared one.
const owned = "Its own, below"

const responseRef = "#/components/responses/"

// setShared makes a response a shared one, or one of its own that says what it is for.
func setShared(n *tree.Node, status string) func(string) error {
	return func(name string) error {
		if name == owned {
			*n = *tree.Object(tree.Member{Key: "description", Value: tree.String(status)})
			return nil
		}
		*n = *tree.Object(tree.Member{Key: "$ref", Value: tree.String(responseRef + tree.Escape(name))})
		return nil
	}
}
