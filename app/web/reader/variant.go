package reader

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/reference"
)

// companions returns the ids of the panels that belong to a body that samples can
// send: its content type, and the variants of the fields that it has.
func companions(e *model.Endpoint, body sample.Choice) (ids []string) {
	for _, b := range e.Bodies {
		if b.ContentType == body.ContentType && b.Root != nil {
			ids = variantsOf(b.Root, body.Example.Node)
			if len(e.Bodies) > 1 {
				ids = append(ids, "body-"+slug(b.ContentType))
			}
		}
	}
	return ids
}

// answerExample is an example of a response, with its title and its content type.
type answerExample struct {
	model.Example
	title, contentType string
}

// examplesOf lists the examples of a response.
func examplesOf(r model.Response) (list []answerExample) {
	for _, b := range r.Bodies {
		for _, example := range b.Examples {
			title := reference.ExampleTitle(example)
			if len(r.Bodies) > 1 {
				title += " · " + b.ContentType
			}
			list = append(list, answerExample{example, title, b.ContentType})
		}
	}
	return list
}

// variantsOf lists the anchors of the variants that a value has, from the outer to
// the inner ones.
func variantsOf(f *model.Field, value *tree.Node) (ids []string) {
	if value.Is(tree.KindArray) {
		for _, v := range f.Variants {
			if strings.HasPrefix(v.Field.Type, "array") {
				return append(append(ids, v.Field.Path), variantsOf(v.Field, value)...)
			}
		}
		// One panel of a row is open at a time, the first item's to begin with.
		if len(value.Items) == 0 {
			return nil
		}
		return variantsOf(f, value.Items[0])
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
		if f.Const != "" {
			return member.Display() != f.Const
		}
		return member.Is(tree.KindString) && len(f.Enum) > 0 && !slices.Contains(f.Enum, member.Text)
	})
}
