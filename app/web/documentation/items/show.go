package items

import (
	"cmp"
	"crypto/rand"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/documentation/newitem"
	"heliograph/app/web/documentation/previews"
	"heliograph/app/web/documentation/quality"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	view "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// render shows an item with what its form holds.
func (h *Handlers) render(c echo.Context, status int, e desk.Editing, t itemform.Typed) error {
	name := desk.Label(e.Item, desk.NameOf(e.Head.Content))
	p := view.ItemPage{Frame: page.AdministrationFrame(c, name, page.ProductsPath), Mark: desk.MarkOf(e.Item, e.Set.State), Note: desk.Kinds[e.Item.Kind]}
	if e.Item.ID != e.Product.ID {
		p.Note += " of " + e.Title
	}
	if e.Item.Archived && e.Item.DraftRevisionID == 0 && content.IsUnpublished(e.Item.Kind, e.Head.Content) {
		p.Mark = ui.Mark{Text: "Not public"}
	}
	p.Up, p.Done = ui.Link{Label: e.Title, Href: desk.ProductPath(e.Product.ID)}, desk.ItemDone[c.QueryParam("done")]
	p.Links, p.Presence = itemLinks(e), desk.PresencePath(e.Path())
	if path, err := desk.PublicPath(c.Request().Context(), h.DB, e); err != nil {
		return err
	} else if path != "" {
		p.Links = append(p.Links, ui.Link{Label: "Public page", Href: path})
	}
	p.Facts = itemFacts(e)
	if t.Outline != nil {
		p.Announcement = t.Outline.Done
	}
	if err := h.fillForm(c, &p, e, t); err != nil {
		return err
	}
	if err := fillNext(c.Request().Context(), h.DB, &p, e); err != nil {
		return err
	}
	var err error
	if p.Threads, err = threads.OfItem(c, h.DB, e); err != nil {
		return err
	}
	if p.Quality, err = quality.OfItem(c.Request().Context(), h.DB, e); err != nil {
		return err
	}
	p.Comment = threads.AskOnItem(e)
	if p.Users, err = itemform.UsersOf(c.Request().Context(), h.DB, e); err != nil {
		return err
	}
	for _, problem := range content.Check(e.Item.Kind, e.Head.Content) {
		if e.Head.ID != 0 {
			p.Lacks = append(p.Lacks, problem.Message)
		}
	}
	if e.Writes {
		p.Actions = itemActions(e)
		if e.Refusal == "" && e.Item.DraftRevisionID != 0 {
			p.Undo = ui.Post{Action: e.Path() + "/undo", CSRF: p.CSRF, Label: "Undo the last save", Small: true}
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Item(p), Region: page.Current(status)})
}

// fillForm shows the form, or the content to those who may not edit it.
func (h *Handlers) fillForm(c echo.Context, p *view.ItemPage, e desk.Editing, t itemform.Typed) error {
	again := t.Problems.Form != "" || len(t.Problems.Fields) > 0 || t.Conflict != nil || t.Shown
	if e.Refusal != "" && !again {
		p.Reason, p.Read = e.Refusal, readEntries(e.Item.Kind, t.Values)
		if itemform.Rendered(e.Item.Kind) != "" {
			p.Shown = itemform.Preview(h.PublicURL, e.Item.Kind, t.Values)
		}
		return nil
	}
	entries, err := itemform.Entries(c.Request().Context(), h.DB, h.Drawings, e, t)
	if err != nil {
		return err
	}
	entries, o, err := itemform.Outlined(c.Request().Context(), h.DB, e, &t, entries)
	if err != nil {
		return err
	}
	p.Form = view.ItemForm{
		Outline: o, Autosave: e.Path() + "/autosave", Name: cmp.Or(t.Form, rand.Text()), State: t.State,
		Action: e.Path(), CSRF: p.CSRF, Base: listing.Plain(t.Base), Problem: t.Problems.Form, More: t.More, Entries: entries, Submit: "Save the draft",
		Unsaved: listing.Plain(e.Actor.ID) + "-item-" + listing.Plain(e.Item.ID),
	}
	if itemform.Rendered(e.Item.Kind) != "" {
		p.Form.Preview = e.Path() + "/preview"
		p.Shown = itemform.Preview(h.PublicURL, e.Item.Kind, t.Values)
	}
	if itemform.IsChecked(e.Item.Kind) {
		p.Form.Checks = e.Path() + "/checks"
		if len(t.Problems.Fields) > 0 || c.QueryParam("done") != "" { // without script, nothing asks for them
			if p.Checks, err = itemform.Check(c.Request().Context(), h.DB, e, t); err != nil {
				return err
			}
		}
	}
	if t.Conflict != nil {
		p.Form.Autosave = ""
		p.Conflict = t.Conflict.View()
		p.Form.Unsaved = ""
	}
	return nil
}

// readEntries are the fields of a content as they are read.
func readEntries(kind string, values map[string]string) (list []view.Entry) {
	for _, f := range fields.Of(kind) {
		if f.Name == itemform.Rendered(kind) {
			continue // which stands above them
		}
		entry := itemform.NewEntry(f, values[f.Name])
		switch {
		case f.Type == fields.Check:
			entry.Value = map[string]string{"true": "Yes", "": "No"}[entry.Value]
		case f.Type == fields.Markdown:
			entry.Text = ui.HTML(markdown.Render(entry.Value))
		}
		if entry.Value != "" {
			list = append(list, entry)
		}
	}
	return list
}

// itemLinks are the other pages of an item.
func itemLinks(e desk.Editing) (links []ui.Link) {
	if e.Item.DraftRevisionID != 0 && e.Set.ID != 0 {
		links = append(links, ui.Link{Label: "Preview as a reader", Href: desk.DraftPath(e.Set.ID) + "/items/" + listing.Plain(e.Item.ID) + "/preview"})
	}
	if e.Set.ID != 0 {
		links = append(links, ui.Link{Label: "Difference to what is live", Href: desk.DraftPath(e.Set.ID) + "#item-" + listing.Plain(e.Item.ID)})
	}
	if e.Head.ID != 0 {
		links = append(links, ui.Link{Label: "Preview links", Href: previews.Path(e)})
	}
	return append(links, ui.Link{Label: "History", Href: e.Path() + "/history"})
}

func itemFacts(e desk.Editing) []ui.Pair {
	facts := []ui.Pair{{Key: "Address", Value: e.Item.Slug, Mono: true}}
	if e.Head.ID != 0 {
		facts = append(facts, ui.Pair{Key: "Revision", Value: listing.Plain(int64(e.Head.Number))}, ui.Pair{Key: "Saved", Value: ui.Moment(e.Head.CreatedAt).Text + " UTC"})
	}
	if e.Set.ID != 0 {
		facts = append(facts, ui.Pair{Key: "Change set", Value: listing.Plain(e.Set.ID) + ", " + strings.ToLower(desk.StateNames[e.Set.State]), Href: desk.DraftPath(e.Set.ID)})
	}
	return facts
}

// itemActions link to what can be done with an item beside editing.
func itemActions(e desk.Editing) (links []ui.Link) {
	add := func(label, path string) { links = append(links, ui.Link{Label: label, Href: e.Path() + path}) }
	switch {
	case e.Item.Trashed:
		add("Take it out of the trash", "/untrash")
	case e.Refusal != "":
	default:
		if e.Item.Kind != content.KindProduct && e.Item.Kind != content.KindVersion && e.Item.Head() != 0 {
			links = append(links, ui.Link{Label: "Duplicate", Href: newitem.CopyPath(e)})
			add("Change the order", "/order")
		}
		if e.Item.Head() != 0 && !e.Item.Archived {
			add("Change the address", "/move")
		}
		if e.Item.Public() {
			add("Archive", "/archive")
		} else if e.Set.ID == 0 {
			add("Move to the trash", "/trash")
		}
	}
	if editorial.MayRestore(e.Actor, e.Product) && e.Head.Number > 1 {
		add("Restore an earlier revision", "/history")
	}
	return links
}
