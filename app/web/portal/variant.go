package portal

import (
	"fmt"
	"slices"
	"strings"

	"heliograph/app/spec/model"
	"heliograph/app/spec/sample"
	"heliograph/app/spec/tree"
)

// companions returns the ids of the panels that belong to a body that samples can
// send: the variants of the fields that it has, and the example of the first
// response that shows its answer.
func companions(e *model.Endpoint, body sample.Choice) (ids []string) {
	for _, b := range e.Bodies {
		if b.ContentType == body.ContentType && b.Root != nil {
			ids = variantsOf(b.Root, body.Example.Node)
			if len(e.Bodies) > 1 {
				ids = append(ids, "body-"+slug(b.ContentType))
			}
		}
	}
	if id := answerOf(e, body.Example.Name); id != "" {
		ids = append(ids, id)
	}
	return ids
}

// answerOf returns the id of the panel with the response to an example: the one of
// its name, or else the first success.
func answerOf(e *model.Endpoint, name string) (id string) {
	for _, r := range e.Responses {
		if !strings.HasPrefix(r.Status, "2") {
			continue
		}
		all := examplesOf(r)
		named := slices.IndexFunc(all, func(x model.Example) bool { return x.Name == name })
		if named >= 0 {
			return panelOf(r, named)
		}
		if id == "" && len(all) > 0 {
			id = panelOf(r, 0)
		}
	}
	return id
}

// examplesOf lists the examples of a response.
func examplesOf(r model.Response) (list []model.Example) {
	for _, b := range r.Bodies {
		list = append(list, b.Examples...)
	}
	return list
}

// panelOf returns the id of the panel with an example of a response, which is that
// of the status where there is one.
func panelOf(r model.Response, i int) string {
	id := "example-" + strings.ToLower(r.Status)
	if len(examplesOf(r)) > 1 {
		id = fmt.Sprintf("%s-%d", id, i+1)
	}
	return id
}

// variantsOf lists the anchors of the variants that a value has, from the outer to
// the inner ones.
func variantsOf(f *model.Field, value *tree.Node) (ids []string) {
	if value.Is(tree.KindArray) {
		for _, item := range value.Items {
			ids = append(ids, variantsOf(f, item)...)
		}
		return slices.Compact(ids)
	}
	if !value.Is(tree.KindObject) {
		return nil
	}
	for _, v := range f.Variants {
		if fits(v.Field, value) {
			ids = append(append(ids, v.Field.Path), variantsOf(v.Field, value)...)
			break
		}
	}
	for _, child := range f.Children {
		ids = append(ids, variantsOf(child, value.Get(child.Name))...)
	}
	return ids
}

// fits reports whether an object has what a variant requires, with the values that
// it allows.
func fits(variant *model.Field, value *tree.Node) bool {
	return !slices.ContainsFunc(variant.Children, func(f *model.Field) bool {
		member := value.Get(f.Name)
		if member == nil {
			return f.Required
		}
		return member.Is(tree.KindString) && len(f.Enum) > 0 && !slices.Contains(f.Enum, member.Text)
	})
}
