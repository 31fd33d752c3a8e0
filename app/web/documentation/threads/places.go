package threads

import (
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/web/documentation/desk"
	draftsview "heliograph/views/documentation/drafts"
	"heliograph/views/ui"
)

// pageOfItem says in a form that the page of the item shows it.
const pageOfItem = "item"

// region is where the form of a thread opens: in one place on the page of an item,
// whatever field is chosen there.
func (n newThread) region() ui.Region {
	if n.page == pageOfItem {
		return newThreadRegion(editorial.Subject{ItemID: n.about.ItemID})
	}
	return newThreadRegion(n.about)
}

// itemThreadPath is where the page of an item begins threads.
func itemThreadPath(d desk.Draft, itemID int64) string {
	return newThreadPath(d.Set.ID, editorial.Subject{ItemID: itemID}) + "?page=" + pageOfItem
}

// AskOnItem is the button that begins a thread beside the form of an item, for those
// who may comment on the change set that holds it.
func AskOnItem(e desk.Editing) ui.Ask {
	if !e.Writes || e.Set.ID == 0 || editorial.May(e.Actor, e.Set, nil, editorial.MoveComment) != nil {
		return ui.Ask{}
	}
	about := editorial.Subject{ItemID: e.Item.ID}
	return ui.Ask{Link: ui.Link{Label: "Comment", Href: itemThreadPath(desk.Draft{Set: e.Set}, e.Item.ID)}, Object: "on this item or one of its fields", Region: newThreadRegion(about), Small: true}
}

// fieldSelect offers the fields of a kind.
func fieldSelect(kind, value string) ui.Select {
	s := ui.Select{Name: "field", Label: "Where", Value: value, Options: []ui.Option{{Label: "The whole item"}}}
	for _, f := range fields.Of(kind) {
		s.Options = append(s.Options, ui.Option{Value: f.Name, Label: f.Label})
	}
	return s
}

// DiscussChange puts the threads on a change of a contract beside it, and the button
// that begins another one.
func DiscussChange(d desk.Draft, row *draftsview.ContractChange, i editorial.Impact, c editorial.ContractChange, m desk.Moved) {
	for _, t := range d.Threads {
		if t.VersionID == i.VersionID && t.ContractChange == c.Fingerprint {
			row.Threads = append(row.Threads, Shown(d, t, "", m))
		}
	}
	item := i.ItemOf(c, d.Changes)
	if item == 0 || !d.May(editorial.MoveComment) {
		return
	}
	row.Comment = askComment(d, editorial.Subject{ItemID: item, VersionID: i.VersionID, Change: c.Fingerprint}, "Comment", "on: "+c.Title)
}
