package drafts

import (
	"context"
	"errors"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/difference"
	"heliograph/app/web/documentation/rebase"
	"heliograph/app/web/listing"
	"heliograph/db"
	"heliograph/db/models"
	view "heliograph/views/documentation/drafts"
	"heliograph/views/ui"
)

// comparedItems is how many items of a change set show their differences on its page.
// The others have a link.
const comparedItems = 40

var actionMarks = map[string]ui.Mark{
	"update": {Tone: ui.Info, Text: "Changed"}, "archive": {Tone: ui.Bad, Text: "Archived"}, "move": {Tone: ui.Warn, Text: "Moved"},
}

// shownItems are the items of a change set with their differences; only one, if
// it is asked for.
func shownItems(ctx context.Context, store db.Querier, d desk.Draft, only string) (list []view.DraftItem, err error) {
	live, err := liveContents(ctx, store, d)
	if err != nil {
		return nil, err
	}
	for n, c := range d.Changes {
		if only != "" && only != listing.Plain(c.Item.ID) {
			continue
		}
		i := shownItem(d, c, live[c.Item.ID] == nil)
		if n < comparedItems || only != "" {
			if c.Action != "archive" {
				if i.Differences, err = difference.Between(c.Item.Kind, live[c.Item.ID], c.Content); err != nil {
					return nil, err
				}
			}
			i.Open = live[c.Item.ID] != nil && len(d.Changes) <= comparedItems/4 || only != ""
		} else {
			i.Reader = ui.Link{Label: "Show the difference", Href: desk.DraftPath(d.Set.ID) + "?item=" + listing.Plain(c.Item.ID)}
		}
		list = append(list, i)
	}
	return list, nil
}

func shownItem(d desk.Draft, c models.Change, isNew bool) view.DraftItem {
	i := view.DraftItem{
		Link:   ui.Link{Label: desk.Label(c.Item, desk.NameOf(c.Content)), Href: desk.ItemPath(d.Set.ProductID, c.Item.ID)},
		Anchor: desk.ItemAnchor(c.Item.ID), Kind: desk.Kinds[c.Item.Kind], Mark: actionMarks[c.Action], Note: c.Item.Slug,
	}
	switch {
	case c.Action == "move":
		i.Note = "The address changes from " + c.Item.Slug + " to " + c.Slug + "."
		if c.ParentID != 0 {
			i.Note = "It moves from version " + d.Items[c.Item.ParentID].Slug + " to " + d.Items[c.ParentID].Slug + ", with the address " + c.Slug + "."
		}
	case c.Action == "archive":
		i.Note = "Readers no longer find it. Its address answers that it is gone."
	case isNew:
		i.Mark = ui.Mark{Tone: ui.Good, Text: "New"}
	}
	if d.IsOpen() && c.Action != "archive" {
		i.Reader = ui.Link{Label: "Preview as a reader", Href: desk.DraftPath(d.Set.ID) + "/items/" + listing.Plain(c.Item.ID) + "/preview"}
	}
	if d.May(editorial.MoveEdit) && d.Set.State != editorial.StateScheduled {
		region := ui.Confirm.Of(listing.Plain(c.Item.ID))
		i.Remove = ui.Ask{Link: ui.Link{Label: "Take out", Href: desk.DraftPath(d.Set.ID) + "/items/" + listing.Plain(c.Item.ID) + "/removal"}, Object: i.Label, Region: region, Small: true}
	}
	return i
}

// checks says whether the change set could be published, and marks the items
// that keep it from that.
func (h *Handlers) checks(ctx context.Context, d desk.Draft, items []view.DraftItem) ([]view.Finding, error) {
	if len(d.Changes) == 0 {
		return []view.Finding{{Tone: ui.Info, Text: "The change set is empty. Edit an item of the product."}}, nil
	}
	wrong, err := editorial.Check(ctx, h.Rules, d.Set.ID)
	if err != nil {
		return nil, err
	}
	broken, err := h.compile(ctx, d)
	if err != nil {
		return nil, err
	}
	diverged, err := rebase.Fields(ctx, h.DB, d)
	if err != nil {
		return nil, err
	}
	var found []view.Finding
	for _, c := range d.Changes {
		text := broken[c.Item.ID]
		if f := wrong[c.Item.ID]; f != nil {
			text = f.Message + diverged[c.Item.ID]
		}
		if text == "" {
			continue
		}
		found = append(found, view.Finding{Tone: ui.Bad, Text: text, Link: ui.Link{Label: desk.Label(c.Item, desk.NameOf(c.Content)), Href: "#item-" + listing.Plain(c.Item.ID)}})
		for n := range items {
			if items[n].Anchor == "item-"+listing.Plain(c.Item.ID) {
				items[n].Problem = text
			}
		}
	}
	if len(found) == 0 && len(d.Quality.Blocking()) == 0 {
		found = append(found, view.Finding{Tone: ui.Good, Text: "Every page compiles and nothing blocks the release."})
	}
	return append(found, newerDrafts(d)...), nil
}

// newerDrafts names the items that were edited after the change set was scheduled.
func newerDrafts(d desk.Draft) (list []view.Finding) {
	for _, c := range d.Changes {
		if newer := c.Item.DraftRevisionID; c.Action == "archive" || newer == 0 || newer == c.RevisionID {
			continue
		}
		name := desk.Label(c.Item, desk.NameOf(c.Content))
		text := name + " has a newer draft, which is not part of this release. It becomes a change set of its own when this one is published."
		if d.Set.State != editorial.StateScheduled {
			text = name + " has a newer draft, which is not part of this change set. Take the change set back to draft to include it."
		}
		list = append(list, view.Finding{Tone: ui.Warn, Text: text, Link: ui.Link{Label: "Open the draft", Href: desk.ItemPath(d.Set.ProductID, c.Item.ID)}})
	}
	return list
}

// compile makes every page that the change set touches and returns why those
// that cannot be made cannot, by item.
func (h *Handlers) compile(ctx context.Context, d desk.Draft) (map[int64]string, error) {
	now, err := h.Documentation.Preview(ctx, d.Changes)
	if err != nil {
		return nil, err
	}
	broken := map[int64]string{}
	for _, c := range d.Changes {
		if c.Action == "archive" {
			continue
		}
		err := compileItem(ctx, d, now, c)
		var part *fault.Error
		switch {
		case err == nil:
		case published.IsBroken(err) || errors.As(err, &part):
			broken[c.Item.ID] = "It does not compile: " + err.Error()
		default:
			return nil, err
		}
	}
	return broken, nil
}

// compileItem makes the page of an item.
func compileItem(ctx context.Context, d desk.Draft, now *published.Snapshot, c models.Change) error {
	product := now.Product(d.SlugOf(d.Product.ID))
	if product == nil {
		if b := now.Broken(d.SlugOf(d.Product.ID)); b != nil {
			return fault.New(fault.Invalid, "%v", b.Err)
		}
		return nil // the product itself is not public yet
	}
	versionID := c.Item.ID
	if c.Item.Kind != content.KindVersion {
		versionID = d.ParentOf(c)
	}
	if b := product.Broken(d.SlugOf(versionID)); b != nil {
		return fault.New(fault.Invalid, "%v", b.Err)
	}
	version := product.Version(d.SlugOf(versionID))
	if version == nil {
		return nil
	}
	var err error
	switch c.Item.Kind {
	case content.KindEndpoint, content.KindCallback:
		if op := version.Operation(d.SlugOf(c.Item.ID)); op != nil {
			_, err = version.Endpoint(ctx, op)
		}
	case content.KindSchema:
		if name := desk.NameOf(c.Content); version.HasSchema(name) {
			_, err = version.Schema(ctx, name)
		}
	}
	return err
}
