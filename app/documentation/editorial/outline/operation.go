package outline

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// The choices of authentication beside the names of schemes.
const (
	inherited = "As the version says"
	open      = "None"
	special   = "Other, see the source"
)

// settings outlines what is said of the operation as a whole.
func (o *Outline) settings() *Row {
	r := &Row{Title: "Settings", IsGroup: true}
	auth := o.auth(inherited)
	options := append([]string{inherited, open}, o.sources.Schemes...)
	o.input(r, "", Input{Name: "security", Label: "Authentication", Type: choiceInput, Value: auth, Options: withOption(options, auth), set: o.setAuth(inherited)})
	deprecated := ""
	if o.Root.True("deprecated") {
		deprecated = "true"
	}
	o.input(r, "", Input{Name: "deprecated", Label: "Deprecated", Type: checkInput, Value: deprecated, set: setCheck(o.Root, "deprecated")})
	return r
}

// auth returns the choice of authentication. None is what it is called where nothing
// is said.
func (o *Outline) auth(none string) string {
	security := o.Root.Get("security")
	switch {
	case security == nil:
		return none
	case security.Is(tree.KindArray) && len(security.Items) == 0:
		return open
	case len(security.Elements()) == 1 && len(security.Items[0].Members) == 1 && len(security.Items[0].Members[0].Value.Items) == 0:
		return security.Items[0].Members[0].Key
	}
	return special
}

func (o *Outline) setAuth(none string) func(string) error {
	return func(choice string) error {
		switch {
		case choice == none:
			o.Root.Remove("security")
		case choice == open:
			o.Root.Set("security", tree.Array())
		case slices.Contains(o.sources.Schemes, choice):
			o.Root.Set("security", tree.Array(tree.Object(tree.Member{Key: choice, Value: tree.Array()})))
		default:
			return fault.New(fault.Invalid, "Choose one of the list.")
		}
		return nil
	}
}

var places = []string{"path", "query", "header", "cookie"}

// setPlace writes the place of a parameter. A part of the path is always there.
func setPlace(n *tree.Node) func(string) error {
	return func(place string) error {
		if place == "path" {
			n.Set("required", tree.Bool(true))
		}
		return setText(n, "in")(place)
	}
}

// setRequired writes whether a parameter is required, which one in the path stays.
func setRequired(n *tree.Node) func(string) error {
	return func(text string) error {
		if n.Str("in") == "path" {
			text = "true"
		}
		return setCheck(n, "required")(text)
	}
}

func (o *Outline) parameters() *Row {
	list := o.Root.Get("parameters")
	r := &Row{At: "/parameters", Title: "Parameters", IsGroup: true}
	for i, n := range list.Elements() {
		row := o.row(below(r.At, itoa(i)), "")
		if row == nil {
			break
		}
		o.parameter(row, n)
		o.itemMoves(row, list, n, func() { o.Root.Remove("parameters") })
		r.Rows = append(r.Rows, row)
	}
	o.action(r, "parameter", "Add a parameter", func() *tree.Node {
		if !list.Is(tree.KindArray) {
			list = tree.Array()
			o.Root.Set("parameters", list)
		}
		name := tree.Object()
		for _, p := range list.Items {
			name.Set(p.Str("name"), p)
		}
		added := newParameter(fresh(name, "parameter"))
		list.Items = append(list.Items, added)
		return added
	})
	for i, shared := range o.sources.Parameters[:min(len(o.sources.Parameters), mostShared)] {
		ref := "#/components/parameters/" + tree.Escape(shared)
		if slices.ContainsFunc(list.Elements(), func(p *tree.Node) bool { return p.Str("$ref") == ref }) {
			continue
		}
		o.action(r, "use"+itoa(i), "Add "+shared, func() *tree.Node {
			if !list.Is(tree.KindArray) {
				list = tree.Array()
				o.Root.Set("parameters", list)
			}
			added := tree.Object(tree.Member{Key: "$ref", Value: tree.String(ref)})
			list.Items = append(list.Items, added)
			return added
		})
	}
	return r
}

// mostShared is the number of shared parameters that a form offers.
const mostShared = 8

func newParameter(name string) *tree.Node {
	return tree.Object(tree.Member{Key: "name", Value: tree.String(name)}, tree.Member{Key: "in", Value: tree.String("query")},
		tree.Member{Key: "schema", Value: tree.Object(tree.Member{Key: "type", Value: tree.String("string")})})
}

func (o *Outline) parameter(r *Row, n *tree.Node) {
	if ref := n.Str("$ref"); ref != "" || !n.Is(tree.KindObject) {
		r.Title, r.Note, r.IsShared = ref[strings.LastIndexByte(ref, '/')+1:], "shared", true
		return
	}
	r.Title, r.Note = n.Str("name"), n.Str("in")
	o.input(r, r.At, Input{Name: "name", Label: "Name", Type: lineInput, Value: r.Title, set: func(text string) error {
		if text == "" {
			return fault.New(fault.Invalid, "Enter a name.")
		}
		return setText(n, "name")(text)
	}})
	o.input(r, r.At, Input{Name: "in", Label: "Place", Type: choiceInput, Value: r.Note, Options: withOption(places, r.Note), set: setPlace(n)})
	required := ""
	if n.True("required") {
		required = "true"
	}
	if n.Str("in") != "path" || required == "" { // which one in the path always is
		o.input(r, r.At, Input{Name: "required", Label: "Required", Type: checkInput, Value: required, set: setRequired(n)})
	}
	schema := n.Get("schema")
	typ := func() string { return single(schema) }
	switch {
	case schema.Is(tree.KindObject) && schema.Get("$ref") == nil:
		r.Note += ", " + typeOf(schema)
		o.typed(r, below(r.At, "schema"), schema)
	case schema.Is(tree.KindObject):
		if name, ok := parseSchemaRef(schema.Str("$ref")); ok {
			r.Refers = name
		}
	}
	o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setText(n, "description")})
	o.input(r, r.At, Input{Name: "example", Label: "Example", Hint: exampleHint, Type: textInput, Value: display(n.Get("example")), set: setValue(n, "example", typ)})
}

func (o *Outline) body() *Row {
	n := o.Root.Get("requestBody")
	r := &Row{At: "/requestBody", Title: "Body", IsGroup: true}
	switch {
	case n == nil:
		o.action(r, "body", "Add a body", func() *tree.Node {
			schema := tree.Object(tree.Member{Key: "type", Value: tree.String("object")})
			media := tree.Object(tree.Member{Key: "schema", Value: schema})
			o.Root.Set("requestBody", tree.Object(tree.Member{Key: "required", Value: tree.Bool(true)},
				tree.Member{Key: "content", Value: tree.Object(tree.Member{Key: "application/json", Value: media})}))
			return media
		})
	case n.Get("$ref") != nil || !n.Is(tree.KindObject):
		r.Note, r.IsShared = "shared", true
	default:
		required := ""
		if n.True("required") {
			required = "true"
		}
		o.input(r, r.At, Input{Name: "required", Label: "A body is required", Type: checkInput, Value: required, set: setCheck(n, "required")})
		o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setText(n, "description")})
		o.contents(r, n)
		o.action(r, "delete", "Delete the body", func() *tree.Node { o.Root.Remove("requestBody"); return nil })
	}
	return r
}

var status = regexp.MustCompile(`^([1-5]([0-9]{2}|XX)|default)$`)

func checkStatus(code string) string {
	if status.MatchString(code) {
		return ""
	}
	return "Enter a status such as 200, 4XX or default."
}

func (o *Outline) responses() *Row {
	list := o.Root.Get("responses")
	r := &Row{At: "/responses", Title: "Responses", IsGroup: true}
	if list.Is(tree.KindObject) {
		for _, v := range list.Members {
			if strings.HasPrefix(v.Key, "x-") {
				continue
			}
			row := o.row(below(r.At, v.Key), v.Key)
			if row == nil {
				break
			}
			o.response(row, &member{list, v.Value, nil})
			r.Rows = append(r.Rows, row)
		}
	}
	o.action(r, "response", "Add a status", func() *tree.Node {
		if !list.Is(tree.KindObject) {
			list = tree.Object()
			o.Root.Set("responses", list)
		}
		code := 200
		for _, next := range []int{200, 400, 401, 403, 404, 409, 422, 429, 500, 503} {
			if code = next; list.Get(itoa(next)) == nil {
				break
			}
		}
		for ; list.Get(itoa(code)) != nil; code++ {
			continue
		}
		added := tree.Object(tree.Member{Key: "description", Value: tree.String(http.StatusText(code))})
		list.Append(itoa(code), added)
		return added
	})
	return r
}

func (o *Outline) response(r *Row, m *member) {
	n := m.value
	if code, err := strconv.Atoi(r.Title); err == nil {
		r.Note = http.StatusText(code)
	}
	o.input(r, r.At, Input{Name: "code", Label: "Status", Type: lineInput, Value: r.Title, set: m.rename(checkStatus)})
	name, isShared := strings.CutPrefix(n.Str("$ref"), responseRef)
	name = tree.Tokens("/" + tree.Unescape(name))[0]
	if isShared || n.Is(tree.KindObject) && n.Get("$ref") == nil && len(o.sources.Responses) > 0 {
		chosen := owned
		if isShared {
			chosen = name
		}
		o.input(r, r.At, Input{Name: "shared", Label: "Answer", Hint: "A shared answer is written once, in the version.", Type: choiceInput, Value: chosen, Options: withOption(append([]string{owned}, o.sources.Responses...), chosen), set: o.setShared(n, r.Note)})
	}
	if n.Get("$ref") != nil || !n.Is(tree.KindObject) {
		r.Note, r.IsShared = strings.TrimSpace(name+", shared"), true
	} else {
		o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setDescription(n)})
		o.contents(r, n)
	}
	o.moves(r, m)
}
