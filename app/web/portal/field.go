package portal

import (
	"fmt"
	"strings"

	"heliograph/app/spec"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// rows maps the fields of one page to rows. Anchors of the model become ids;
// should a document give two fields one anchor, the later row gets a number.
type rows struct {
	api   *spec.API
	taken map[string]bool
	tints map[string]int // place of a path's parameter by its anchor, from 1
	named []string       // schemas that rows refer to, in order of first mention
}

func newRows(e *spec.Endpoint, api *spec.API) *rows {
	r := &rows{api: api, taken: map[string]bool{}, tints: map[string]int{}}
	for _, part := range e.PathParts {
		if part.Anchor != "" && r.tints[part.Anchor] == 0 {
			r.tints[part.Anchor] = len(r.tints) + 1
		}
	}
	return r
}

func (r *rows) path(parts []spec.PathPart) []views.PathPart {
	list := make([]views.PathPart, len(parts))
	for i, part := range parts {
		list[i] = views.PathPart{Text: part.Text, Anchor: part.Anchor, Tint: r.tints[part.Anchor]}
	}
	return list
}

// id returns an anchor that is free on the page.
func (r *rows) id(anchor string) string {
	free := anchor
	for n := 2; r.taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", anchor, n)
	}
	r.taken[free] = true
	return free
}

func (r *rows) fields(list []*spec.Field) []views.Field {
	mapped := make([]views.Field, len(list))
	for i, f := range list {
		mapped[i] = r.field(f)
	}
	return mapped
}

// field maps a field with its own row.
func (r *rows) field(f *spec.Field) views.Field {
	anchor := r.id(f.Path)
	row := r.whole(f)
	row.Anchor = anchor
	return row
}

// whole maps a field whose heading is not a row: a body or a variant.
func (r *rows) whole(f *spec.Field) views.Field {
	row := views.Field{
		Name: f.Name, Type: typeWords(f), Required: f.Required, Deprecated: f.Deprecated,
		Constraints: f.Constraints, Enum: f.Enum, Default: f.Default, Example: f.Example,
		Description: prose(f.Description), Tint: r.tints[f.Path], Truncated: f.Truncated,
		Children: r.fields(f.Children),
	}
	if f.ReadOnly {
		row.Notes = append(row.Notes, "read only")
	}
	if f.WriteOnly {
		row.Notes = append(row.Notes, "write only")
	}
	for _, v := range f.Variants {
		row.Variants = append(row.Variants, views.Variant{ID: r.id(v.Field.Path), Label: v.Name, Form: r.whole(v.Field)})
	}
	row.RecursiveOf = r.recursion(f.Recursive)
	return row
}

// recursion leads to the section of a schema that begins anew.
func (r *rows) recursion(name string) ui.Link {
	schema := r.api.Schemas[name]
	if schema == nil {
		return ui.Link{}
	}
	if !r.mentioned(name) {
		r.named = append(r.named, name)
	}
	return ui.Link{Label: name, Href: "#" + schema.Path}
}

func (r *rows) mentioned(name string) bool {
	for _, other := range r.named {
		if other == name {
			return true
		}
	}
	return false
}

// schemas maps the schemas that the rows so far refer to, and those that these
// refer to in turn.
func (r *rows) schemas() []views.Schema {
	var list []views.Schema
	for i := 0; i < len(r.named); i++ {
		f := r.api.Schemas[r.named[i]]
		list = append(list, views.Schema{ID: r.id(f.Path), Name: r.named[i], Whole: r.whole(f)})
	}
	return list
}

// typeWords adds what goes with a type: "string or null (date-time)".
func typeWords(f *spec.Field) string {
	words := f.Type
	if f.Nullable && !strings.Contains(words, "null") {
		words += " or null"
	}
	if f.Format != "" {
		words += " (" + f.Format + ")"
	}
	return words
}
