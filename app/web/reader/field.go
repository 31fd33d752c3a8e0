package reader

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Pages with more than wholePage fields fold what is below the level deepest: a
// link shows it. A branch of up to smallBranch fields is shown at once. A page
// with all 850 fields of a message costs a phone half a second before it answers.
const (
	wholePage   = 500
	deepest     = 3
	smallBranch = 8
)

// rows maps the fields of one page to rows. Anchors of the model become ids. If
// a document gives two fields one anchor, the later row gets a number.
type rows struct {
	at     place
	schema string // the schema that the page shows, "" on an endpoint's
	asked  string // anchor of the field to be shown, "" for none
	lazy   bool   // the page leads to deep branches
	taken  map[string]bool
	tints  map[string]int // place of a path's parameter by its anchor, from 1
	since  map[string]views.Since
	hrefs  map[string]string // what choosing a panel shows beside it, by its id
	open   []string          // ids of the panels that belong to the choice of the page
}

// panel returns the state of a panel, one of several of which one is open.
func (r *rows) panel(id string) views.Panel {
	return views.Panel{Href: r.hrefs[id], Open: slices.Contains(r.open, id), Asked: id == r.asked || within(r.asked, id)}
}

func newRows(at place, asked string, fields int) *rows {
	return &rows{at: at, asked: asked, lazy: fields > wholePage, taken: map[string]bool{}, tints: map[string]int{}}
}

func (r *rows) path(parts []model.PathPart) []views.PathPart {
	list := make([]views.PathPart, len(parts))
	for i, part := range parts {
		if part.Anchor != "" && r.tints[part.Anchor] == 0 {
			r.tints[part.Anchor] = len(r.tints) + 1
		}
		list[i] = views.PathPart{Text: part.Text, Anchor: part.Anchor, Tint: r.tints[part.Anchor]}
	}
	return list
}

// id returns an anchor that no other row of the page has.
func (r *rows) id(anchor string) string {
	free := anchor
	for n := 2; r.taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", anchor, n)
	}
	r.taken[free] = true
	return free
}

func (r *rows) fields(list []*model.Field, level int) []views.Field {
	mapped := make([]views.Field, len(list))
	for i, f := range list {
		mapped[i] = r.field(f, level)
	}
	return mapped
}

// field maps a field to a row of its own.
func (r *rows) field(f *model.Field, level int) views.Field {
	anchor := r.id(f.Path)
	row := r.whole(f, level)
	row.Anchor, row.Since = anchor, r.since[f.Path]
	row.Open = row.Asked || within(r.asked, f.Path)
	return row
}

// whole maps a field that has no row of its own: a body or a variant.
func (r *rows) whole(f *model.Field, level int) views.Field {
	row := views.Field{
		Name: f.Name, Type: reference.TypeWords(f), Required: f.Required, Deprecated: f.Deprecated,
		Constraints: f.Constraints, Enum: f.Enum, Default: f.Default, Example: f.Example,
		Description: r.at.prose(f.Description), Tint: r.tints[f.Path], Truncated: f.Truncated, Asked: r.asked != "" && f.Path == r.asked,
	}
	if f.ReadOnly {
		row.Notes = append(row.Notes, "read only")
	}
	if f.WriteOnly {
		row.Notes = append(row.Notes, "write only")
	}
	if f.Schema != r.schema && r.at.version.HasSchema(f.Schema) {
		row.Schema = ui.Link{Label: f.Schema, Href: r.at.schema(f.Schema)}
	}
	if f.Recursive != "" {
		row.RecursiveOf = ui.Link{Label: f.Recursive}
		if r.at.version.HasSchema(f.Recursive) {
			row.RecursiveOf.Href = r.at.schema(f.Recursive)
		}
		row.Schema = ui.Link{}
	}
	switch {
	case f.Path == r.asked:
		level = 1
	case r.lazy && level > deepest && size(f) > 1+smallBranch && !within(r.asked, f.Path):
		row.Path = f.Path
		row.Branch = ui.Link{Label: "Show " + ui.Counted(size(f)-1, "field", "fields"), Href: askField(f.Path)}
		return row
	}
	row.Children = r.fields(f.Children, level+1)
	for _, v := range f.Variants {
		row.Variants = append(row.Variants, views.Variant{ID: r.id(v.Field.Path), Label: v.Name, Form: r.whole(v.Field, level+1), Panel: r.panel(v.Field.Path)})
	}
	return row
}

// size counts a field and the fields within it.
func size(f *model.Field) (n int) {
	for range f.Fields() {
		n++
	}
	return n
}

// fieldHref returns the address of a field on a page. Where the page may fold the
// field, the server is asked to show it, so that a reader without script finds it.
func fieldHref(page, anchor string) string {
	if strings.Count(anchor, ".")+strings.Count(anchor, ":") <= deepest {
		return page + "#" + anchor
	}
	return page + askField(anchor)
}

// askField returns the query and the fragment that show a field, wherever it is.
func askField(anchor string) string {
	return "?" + fieldName + "=" + url.QueryEscape(anchor) + "#" + anchor
}

// within reports whether an anchor is inside another one.
func within(anchor, outer string) bool {
	rest, inside := strings.CutPrefix(anchor, outer)
	return inside && rest != "" && (rest[0] == '.' || rest[0] == ':')
}
