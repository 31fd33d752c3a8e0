package outline

import (
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

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

// parameterRows makes the rows of parameters.
type parameterRows struct{ schemaRows }

func (o parameterRows) parameters() *Row {
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
		if missing := o.missingInPath(name); missing != "" {
			added.Set("name", tree.String(missing))
			added.Set("in", tree.String("path"))
			added.Set("required", tree.Bool(true))
		}
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

// missingInPath returns the first name in the braces of the path that no parameter has.
func (o parameterRows) missingInPath(known *tree.Node) string {
	for _, found := range inBraces.FindAllStringSubmatch(o.sources.Path, -1) {
		if known.Get(found[1]) == nil {
			return found[1]
		}
	}
	return ""
}

var inBraces = regexp.MustCompile(`\{([^{}/]{1,100})\}`)

// mostShared is the number of shared parameters that a form offers.
const mostShared = 8

func newParameter(name string) *tree.Node {
	return tree.Object(tree.Member{Key: "name", Value: tree.String(name)}, tree.Member{Key: "in", Value: tree.String("query")},
		tree.Member{Key: "schema", Value: tree.Object(tree.Member{Key: "type", Value: tree.String("string")})})
}

func (o parameterRows) parameter(r *Row, n *tree.Node) {
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
