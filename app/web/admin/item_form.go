package admin

import (
	"cmp"
	"crypto/rand"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/web/page"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// renderItem shows an item with what its form holds.
func (h *Handlers) renderItem(c echo.Context, status int, e editing, t typed) error {
	name := label(e.item, nameOf(e.head.Content))
	p := view.ItemPage{Frame: frame(c, name, productsPath), Mark: markOf(e.item, e.set.State), Note: kinds[e.item.Kind] + " of " + e.title}
	if e.item.Archived && e.item.DraftRevisionID == 0 && content.IsUnpublished(e.item.Kind, e.head.Content) {
		p.Mark = view.Mark{Text: "Not public"}
	}
	p.Up, p.Done = ui.Link{Label: e.title, Href: productPath(e.product.ID)}, itemDone[c.QueryParam("done")]
	p.Links, p.Presence = itemLinks(e), presencePath(e.path())
	if path, err := publicPath(c.Request().Context(), h.DB, e); err != nil {
		return err
	} else if path != "" {
		p.Links = append(p.Links, ui.Link{Label: "Public page", Href: path})
	}
	p.Facts = itemFacts(e)
	if t.outline != nil {
		p.Announcement = t.outline.Done
	}
	if err := h.fillForm(c, &p, e, t); err != nil {
		return err
	}
	if err := fillNext(c.Request().Context(), h.DB, &p, e); err != nil {
		return err
	}
	var err error
	if p.Threads, err = threadsOfItem(c, h.DB, e); err != nil {
		return err
	}
	if p.Quality, err = qualityOfItem(c.Request().Context(), h.DB, e); err != nil {
		return err
	}
	p.Comment = askOnItem(e)
	if p.Users, err = usersOf(c.Request().Context(), h.DB, e); err != nil {
		return err
	}
	for _, problem := range content.Check(e.item.Kind, e.head.Content) {
		if e.head.ID != 0 {
			p.Lacks = append(p.Lacks, problem.Message)
		}
	}
	if e.writes {
		p.Actions = itemActions(e)
		if e.refusal == "" && e.item.DraftRevisionID != 0 {
			p.Undo = ui.Post{Action: e.path() + "/undo", CSRF: p.CSRF, Label: "Undo the last save", Small: true}
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Item(p), Region: current(status)})
}

// fillForm shows the form, or the content to those who may not edit it.
func (h *Handlers) fillForm(c echo.Context, p *view.ItemPage, e editing, t typed) error {
	again := t.problems.Form != "" || len(t.problems.Fields) > 0 || t.clash != nil || t.shown
	if e.refusal != "" && !again {
		p.Reason, p.Read = e.refusal, readEntries(e.item.Kind, t.values)
		if rendered(e.item.Kind) != "" {
			p.Shown = shownOf(h.PublicURL, e.item.Kind, t.values)
		}
		return nil
	}
	entries, err := formEntries(c.Request().Context(), h.DB, h.Drawings, e, t)
	if err != nil {
		return err
	}
	entries, o, err := outlineForm(c.Request().Context(), h.DB, e, &t, entries)
	if err != nil {
		return err
	}
	p.Form = view.ItemForm{
		Outline: o, Autosave: e.path() + "/autosave", Name: cmp.Or(t.form, rand.Text()), State: t.state,
		Action: e.path(), CSRF: p.CSRF, Base: plain(t.base), Problem: t.problems.Form, More: t.more, Entries: entries, Submit: "Save the draft",
		Unsaved: plain(e.actor.ID) + "-item-" + plain(e.item.ID),
	}
	if rendered(e.item.Kind) != "" {
		p.Form.Preview = e.path() + "/preview"
		p.Shown = shownOf(h.PublicURL, e.item.Kind, t.values)
	}
	if isChecked(e.item.Kind) {
		p.Form.Checks = e.path() + "/checks"
		if len(t.problems.Fields) > 0 || c.QueryParam("done") != "" { // without script, nothing asks for them
			if p.Checks, err = checkForm(c.Request().Context(), h.DB, e, t); err != nil {
				return err
			}
		}
	}
	if t.clash != nil {
		p.Form.Autosave = ""
		p.Clash = t.clash.view()
		p.Form.Unsaved = ""
	}
	return nil
}

// readEntries are the fields of a content as they are read.
func readEntries(kind string, values map[string]string) (list []view.Entry) {
	for _, f := range fields.Of(kind) {
		if f.Name == rendered(kind) {
			continue // which stands above them
		}
		entry := newEntry(f, values[f.Name])
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
func itemLinks(e editing) (links []ui.Link) {
	if e.item.DraftRevisionID != 0 && e.set.ID != 0 {
		links = append(links, ui.Link{Label: "Preview as a reader", Href: draftPath(e.set.ID) + "/items/" + plain(e.item.ID) + "/preview"})
	}
	if e.set.ID != 0 {
		links = append(links, ui.Link{Label: "Difference to what is live", Href: draftPath(e.set.ID) + "#item-" + plain(e.item.ID)})
	}
	if e.head.ID != 0 {
		links = append(links, ui.Link{Label: "Preview links", Href: linksPath(e)})
	}
	return append(links, ui.Link{Label: "History", Href: e.path() + "/history"})
}

func itemFacts(e editing) []ui.Pair {
	facts := []ui.Pair{{Key: "Address", Value: e.item.Slug, Mono: true}}
	if e.head.ID != 0 {
		facts = append(facts, ui.Pair{Key: "Revision", Value: plain(int64(e.head.Number))}, ui.Pair{Key: "Saved", Value: ui.Moment(e.head.CreatedAt).Text + " UTC"})
	}
	if e.set.ID != 0 {
		facts = append(facts, ui.Pair{Key: "Change set", Value: plain(e.set.ID) + ", " + strings.ToLower(stateNames[e.set.State]), Href: draftPath(e.set.ID)})
	}
	return facts
}

// itemActions link to what can be done with an item beside editing.
func itemActions(e editing) (links []ui.Link) {
	add := func(label, path string) { links = append(links, ui.Link{Label: label, Href: e.path() + path}) }
	switch {
	case e.item.Trashed:
		add("Take it out of the trash", "/untrash")
	case e.refusal != "":
	default:
		if e.item.Kind != content.KindProduct && e.item.Kind != content.KindVersion && e.item.Head() != 0 {
			links = append(links, ui.Link{Label: "Duplicate", Href: copyPath(e)})
			add("Change the order", "/order")
		}
		if e.item.Head() != 0 && !e.item.Archived {
			add("Change the address", "/move")
		}
		if e.item.Public() {
			add("Archive", "/archive")
		} else if e.set.ID == 0 {
			add("Move to the trash", "/trash")
		}
	}
	if editorial.MayRestore(e.actor, e.product) && e.head.Number > 1 {
		add("Restore an earlier revision", "/history")
	}
	return links
}
