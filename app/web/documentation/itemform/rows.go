package itemform

import (
	"cmp"
	"context"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/web/documentation/desk"
	"heliograph/db"
	itemsview "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// rowID names the control of a row in a page, by the name of its field.
func rowID(name string) string { return outline.ID(name) }

// Outlined shows the parts of an item as rows in place of its source, where they
// can be read.
func Outlined(ctx context.Context, store db.Querier, e desk.Editing, t *Typed, entries []itemsview.Entry) (list []itemsview.Entry, o *itemsview.Outline, err error) {
	outlined, field := outliner(e.Item.Kind), sourceField(e.Item.Kind)
	if outlined == nil {
		return entries, nil, nil
	}
	if t.Outline == nil && t.As == AsRows {
		root, broken := tree.Read([]byte(t.Values[field]))
		if broken != nil {
			t.As = asSource
		} else {
			t.Outline = outlined(root, SourcesOf(ctx, store, e))
		}
	}
	o = &itemsview.Outline{Field: field, IsSource: t.As != AsRows, As: cmp.Or(t.As, asSource), Action: e.Path() + "/outline"}
	if e.Item.ID == 0 {
		o.Action = desk.ProductPath(e.Product.ID) + "/new/outline"
	}
	if o.IsSource {
		return entries, o, nil
	}
	u, err := readUsage(ctx, store, versionOf(e))
	if err != nil {
		return nil, nil, err
	}
	s := shaper{Editing: e, Typed: *t, usage: u}
	for _, entry := range entries {
		if entry.Name != field {
			list = append(list, entry)
		}
	}
	o.Raw, o.IsCut, o.Open = t.Values[field], t.Outline.IsCut, strings.Join(t.opened, "\n")
	o.Rows = s.rows(t.Outline.Rows)
	return list, o, nil
}

// shaper shows rows.
type shaper struct {
	desk.Editing
	Typed
	usage
}

func (s shaper) rows(rows []*outline.Row) (list []itemsview.OutlineRow) {
	for _, r := range rows {
		row := itemsview.OutlineRow{At: r.At, Title: r.Title, Note: r.Note, IsGroup: r.IsGroup, Open: r.At == "" || s.isOpen(r), List: r.List, Rows: s.rows(r.Rows)}
		for i, in := range r.Inputs {
			entry := itemsview.Entry{Name: in.Name, ID: rowID(in.Name), Label: in.Label, Hint: in.Hint, Error: in.Error, Value: in.Value, Kind: in.Type, Required: true, Focus: r.IsNew && i == 0}
			switch {
			case in.Type == outline.Markdown:
				entry.Code = "markdown"
			case in.IsJSON():
				entry.Code = "json"
			}
			for _, o := range in.Options {
				entry.Options = append(entry.Options, ui.Option{Value: o, Label: cmp.Or(o, "Any")})
			}
			entry.Rows = min(max(2, strings.Count(in.Value, "\n")+1+len(in.Value)/90), desk.MostRows)
			row.Entries = append(row.Entries, entry)
			if in.Label == "Required" && in.Value == "true" {
				row.Marks = append(row.Marks, "required")
			}
		}
		if r.Refers != "" {
			row.Refers = ui.Link{Label: r.Refers}
			if id := s.schema(r.Refers); id != 0 {
				row.Refers.Href = desk.ItemPath(s.Product.ID, id)
				row.Used = "Used by " + ui.Counted(len(s.endpoints(r.Refers)), "endpoint", "endpoints")
			}
		}
		if r.IsShared {
			row.Shared = ui.Link{Label: "Edit it in the version", Href: desk.ItemPath(s.Product.ID, versionOf(s.Editing))}
		}
		for _, a := range r.Actions {
			row.Actions = append(row.Actions, itemsview.OutlineAction{Do: a.Do, Label: a.Label})
		}
		focus(&row, r.Follows)
		list = append(list, row)
	}
	return list
}

// focus leaves the focus of somebody who moved a row on the button that they pressed,
// or at the end of the list on the one beside it.
func focus(row *itemsview.OutlineRow, verb string) {
	row.Focus = verb == "place" || verb == "delete"
	if verb != "up" && verb != "down" {
		return
	}
	row.Open = true
	for _, like := range []string{verb + ":", "up:", "down:"} {
		for i := range row.Actions {
			if strings.HasPrefix(row.Actions[i].Do, like) {
				row.Actions[i].Focus = true
				return
			}
		}
	}
}

// UsersOf are the endpoints that use a schema, for its page.
func UsersOf(ctx context.Context, store db.Querier, e desk.Editing) (list []ui.Link, err error) {
	if e.Item.Kind != content.KindSchema || e.Item.ID == 0 {
		return nil, nil
	}
	u, err := readUsage(ctx, store, e.Item.ParentID)
	if err != nil {
		return nil, err
	}
	for _, part := range u.endpoints(desk.NameOf(e.Head.Content)) {
		list = append(list, ui.Link{Label: part.Name, Href: desk.ItemPath(e.Product.ID, part.ID)})
	}
	return list, nil
}
