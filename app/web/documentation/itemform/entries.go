package itemform

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/web/documentation/desk"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	itemsview "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// Entries are the fields of a form with their values.
func Entries(ctx context.Context, store db.Querier, icons Drawings, e desk.Editing, t Typed) (list []itemsview.Entry, err error) {
	for _, f := range fields.Of(e.Item.Kind) {
		entry := NewEntry(f, t.Values[f.Name])
		entry.Error = t.Problems.Fields[f.Name]
		if f.Name == "category" || f.Name == "group" {
			if entry.Suggest, err = groupsOf(ctx, store, e); err != nil {
				return nil, err
			}
		}
		list = append(list, entry)
		if f.Name == "icon" && e.Item.ID != 0 {
			choice, err := chooseIcon(ctx, icons, t.Problems.Fields[IconChoice])
			if err != nil {
				return nil, err
			}
			list = append(list, choice...)
		}
	}
	return list, nil
}

// groupsOf lists the groups of the items beside one.
func groupsOf(ctx context.Context, store db.Querier, e desk.Editing) (list []string, err error) {
	items, err := queries.EditItemList(ctx, store, e.Product.ID)
	for _, i := range items {
		if i.ParentID == e.Item.ParentID && i.Kind == e.Item.Kind && i.Group != "" && !slices.Contains(list, i.Group) {
			list = append(list, i.Group)
		}
	}
	return list, err
}

// fewestRows is the number of lines that the field of a text shows at least.
const fewestRows = 4

// NewEntry shows a field with a value.
func NewEntry(f fields.Field, value string) itemsview.Entry {
	entry := itemsview.Entry{Name: f.Name, Label: f.Label, Hint: f.Hint, Value: value, Kind: string(f.Type), Required: f.Required, IsTechnical: f.IsTechnical}
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
	entry.Rows = min(max(fewestRows, wrapped), desk.MostRows)
	return entry
}
