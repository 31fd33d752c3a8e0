package admin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"heliograph/app/documentation/editorial/fields"
	"heliograph/db"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// formEntries are the fields of a form with their values.
func formEntries(ctx context.Context, store db.Querier, icons drawings, e editing, t typed) (list []view.Entry, err error) {
	for _, f := range fields.Of(e.item.Kind) {
		entry := newEntry(f, t.values[f.Name])
		entry.Error = t.problems.Fields[f.Name]
		if f.Name == "category" || f.Name == "group" {
			if entry.Suggest, err = groupsOf(ctx, store, e); err != nil {
				return nil, err
			}
		}
		list = append(list, entry)
		if f.Name == "icon" && e.item.ID != 0 {
			choice, err := chooseIcon(ctx, icons, t.problems.Fields[iconChoice])
			if err != nil {
				return nil, err
			}
			list = append(list, choice...)
		}
	}
	return list, nil
}

// groupsOf lists the groups of the items beside one.
func groupsOf(ctx context.Context, store db.Querier, e editing) (list []string, err error) {
	items, err := queries.EditItemList(ctx, store, e.product.ID)
	for _, i := range items {
		if i.ParentID == e.item.ParentID && i.Kind == e.item.Kind && i.Group != "" && !slices.Contains(list, i.Group) {
			list = append(list, i.Group)
		}
	}
	return list, err
}

// fewestRows is the number of lines that the field of a text shows at least.
const fewestRows = 4

// newEntry shows a field with a value.
func newEntry(f fields.Field, value string) view.Entry {
	entry := view.Entry{Name: f.Name, Label: f.Label, Hint: f.Hint, Value: value, Kind: string(f.Type), Required: f.Required, IsTechnical: f.IsTechnical}
	for _, o := range f.Options {
		entry.Options = append(entry.Options, ui.Option{Value: o, Label: cmp.Or(o, "None")})
	}
	if f.Type == fields.Choice && !slices.Contains(f.Options, value) {
		entry.Options = slices.Insert(entry.Options, 0, ui.Option{Value: value, Label: cmp.Or(value, "Choose")})
	}
	wrapped := strings.Count(value, "\n") + 2
	if f.Type == fields.Markdown || f.Type == fields.Phrases {
		wrapped += len(value) / 90
	}
	entry.Code = map[fields.Type]string{fields.Markdown: "markdown", fields.Code: "data"}[f.Type]
	entry.Rows = min(max(fewestRows, wrapped), mostRows)
	return entry
}
