package outline

import (
	"regexp"

	"heliograph/app/documentation/openapi/tree"
)

var mediaType = regexp.MustCompile(`^[^/\s]+/[^/\s;]+(\s*;.*)?$`)

func checkMediaType(text string) string {
	if mediaType.MatchString(text) {
		return ""
	}
	return "Enter a content type such as application/json."
}

// contentRows makes the rows of content types and their examples.
type contentRows struct{ schemaRows }

// contents adds the content types of a body or a response.
func (o contentRows) contents(r *Row, n *tree.Node) {
	list := n.Get("content")
	if list.Is(tree.KindObject) {
		for _, v := range list.Members {
			row := o.row(below(below(r.At, "content"), v.Key), v.Key)
			if row == nil {
				break
			}
			o.media(row, &member{list, v.Value, nil})
			r.Rows = append(r.Rows, row)
		}
	}
	o.action(r, "content", "Add a content type", func() *tree.Node {
		if !list.Is(tree.KindObject) {
			list = tree.Object()
			n.Set("content", list)
		}
		key := "application/json"
		if list.Get(key) != nil {
			key = fresh(list, "text/plain")
		}
		added := tree.Object(tree.Member{Key: "schema", Value: tree.Object(tree.Member{Key: "type", Value: tree.String("object")})})
		list.Append(key, added)
		return added
	})
}

func (o contentRows) media(r *Row, m *member) {
	n := m.value
	o.input(r, r.At, Input{Name: "type", Label: "Content type", Type: lineInput, Value: r.Title, set: m.rename(checkMediaType)})
	if n.Is(tree.KindObject) {
		if n.Get("schema") != nil {
			o.child(r, below(r.At, "schema"), n.Get("schema"), "Schema")
		}
		o.examples(r, n)
	}
	o.moves(r, m)
}

// examples adds the examples of a content type: one without a name, or named
// ones.
func (o contentRows) examples(r *Row, n *tree.Node) {
	typ := func() string { return anything }
	if one := n.Get("example"); one != nil {
		if row := o.row(below(r.At, "example"), "Example"); row != nil {
			o.input(row, row.At, Input{Name: "value", Label: "Value", Hint: "JSON.", Type: codeInput, Value: display(one), CheckedBy: r.At, set: setValue(n, "example", typ)})
			o.action(row, "delete", "Delete", func() *tree.Node { n.Remove("example"); return nil })
			r.Rows = append(r.Rows, row)
		}
		return
	}
	list := n.Get("examples")
	if list.Is(tree.KindObject) {
		for _, v := range list.Members {
			row := o.row(below(below(r.At, "examples"), v.Key), "Example: "+v.Key)
			if row == nil {
				break
			}
			o.example(row, &member{list, v.Value, nil}, r.At)
			r.Rows = append(r.Rows, row)
		}
	}
	o.action(r, "example", "Add an example", func() *tree.Node {
		if !list.Is(tree.KindObject) {
			list = tree.Object()
			n.Set("examples", list)
		}
		added := tree.Object(tree.Member{Key: "value", Value: tree.Object()})
		list.Append(fresh(list, "example"), added)
		return added
	})
}

func (o contentRows) example(r *Row, m *member, media string) {
	n := m.value
	o.input(r, r.At, Input{Name: "name", Label: "Name", Type: lineInput, Value: m.key(), set: m.rename(anyName)})
	if n.Is(tree.KindObject) && n.Get("$ref") == nil {
		o.input(r, r.At, Input{Name: "summary", Label: "Summary", Type: lineInput, Value: n.Str("summary"), set: setText(n, "summary")})
		if n.Get("externalValue") == nil {
			o.input(r, r.At, Input{
				Name: "value", Label: "Value", Hint: "JSON.", Type: codeInput, Value: display(n.Get("value")), CheckedBy: media,
				set: setValue(n, "value", func() string { return anything }),
			})
		}
	}
	o.moves(r, m)
}
