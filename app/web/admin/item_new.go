package admin

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// adding reads what a new item is to be: its kind, and the product or version
// that it belongs to.
func (h *Handlers) adding(c echo.Context) (e editing, err error) {
	if c.Param("id") == "" {
		e.actor, e.title = actor(c), "Products"
		e.item.Kind = content.KindProduct
		return e, nil
	}
	if e, err = OpenProduct(c, h.DB); err != nil {
		return e, err
	}
	if !e.writes {
		return e, fault.New(fault.Forbidden, "%s", e.refusal)
	}
	ask := func(name string) string { return cmp.Or(c.Request().PostFormValue(name), c.QueryParam(name)) }
	e.item.Kind = ask("kind")
	kind, known := content.ParentKind(e.item.Kind)
	parentID, err := strconv.ParseInt(ask("parent"), 10, 64)
	if err != nil || !known || kind == "" {
		return e, fault.New(fault.NotFound, "There is no form for this.")
	}
	e.item.ParentID = parentID
	owner, err := queries.ItemProduct(c.Request().Context(), h.DB, parentID)
	if db.IsNoRows(err) || err == nil && owner != e.product.ID {
		return e, fault.New(fault.NotFound, "There is no form for this.")
	}
	return e, err
}

// ShowNew shows the form of a new item.
func (h *Handlers) ShowNew(c echo.Context) error {
	e, err := h.adding(c)
	if err != nil {
		return err
	}
	values, err := beginningOf(c.Request().Context(), h.DB, e)
	if err != nil {
		return err
	}
	if original := c.QueryParam("copy"); original != "" {
		if values, err = copiedValues(c.Request().Context(), h.DB, e, original); err != nil {
			return err
		}
	}
	return h.renderNew(c, http.StatusOK, e, typed{values: values, as: asRows, problems: &page.Problems{}})
}

// copyPath is the form of a new item that begins with the content of another.
func copyPath(e editing) string {
	return page.Address(productPath(e.product.ID)+"/new", page.Query("kind", e.item.Kind, "parent", plain(e.item.ParentID), "copy", plain(e.item.ID)))
}

// copiedValues returns the values of an item of the same kind and product, for a duplicate.
func copiedValues(ctx context.Context, store db.Querier, e editing, original string) (map[string]string, error) {
	missing := fault.New(fault.NotFound, "The item to duplicate does not exist.")
	id, err := strconv.ParseInt(original, 10, 64)
	if err != nil {
		return nil, missing
	}
	item, err := queries.ItemGet(ctx, store, id)
	if db.IsNoRows(err) || err == nil && (item.Kind != e.item.Kind || item.ParentID != e.item.ParentID) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	head, err := revision(ctx, store, item.Head())
	if err != nil {
		return nil, err
	}
	values, err := fields.Values(item.Kind, head.Content)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"title", "name"} {
		if values[name] != "" {
			values[name] += " (copy)"
		}
	}
	if item.Kind == content.KindSchema {
		values["name"] = strings.ReplaceAll(values["name"], " (copy)", "Copy")
	}
	if _, named := values["operation_id"]; named { // two operations of one id cannot be published
		values["operation_id"] = ""
		raw, err := tree.Read([]byte(values["raw"]))
		if err != nil {
			return nil, err
		}
		raw.Remove("operationId")
		values["raw"] = raw.Pretty()
	}
	return values, nil
}

// AddItem saves the first draft of a new item.
func (h *Handlers) AddItem(c echo.Context) error {
	e, err := h.adding(c)
	if err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	raw, err := fields.Content(e.item.Kind, nil, t.values)
	if t.slug = strings.TrimSpace(t.slug); t.slug == "" {
		t.slug = naming.Slug(cmp.Or(t.values["title"], t.values["name"]))
	}
	var saved editorial.Saved
	if t.wrong != nil {
		err = t.wrong
	}
	if err == nil {
		saved, err = editorial.Save(ctx, h.Documentation, e.actor, editorial.Edit{Address: editorial.Address{Kind: e.item.Kind, ParentID: e.item.ParentID, Slug: t.slug}, Content: raw})
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			t.problems = problems
			return h.renderNew(c, status, e, t)
		})
	}
	h.Signals.Add(draftsTopic, 0)
	productID := e.product.ID
	if e.item.Kind == content.KindProduct {
		productID = saved.Item.ID
	}
	return page.Done(c, itemPath(productID, saved.Item.ID), "saved")
}

func (h *Handlers) renderNew(c echo.Context, status int, e editing, t typed) error {
	word := strings.ToLower(kinds[e.item.Kind])
	p := view.ItemPage{Frame: frame(c, "New "+word, productsPath), Mark: view.Mark{Tone: ui.Warn, Text: "Not saved yet"}}
	action := productsPath
	p.Up, p.Note = ui.Link{Label: "Products", Href: productsPath}, "Readers see it when it is reviewed and published."
	if e.product.ID != 0 {
		p.Up = ui.Link{Label: e.title, Href: productPath(e.product.ID)}
		action = productPath(e.product.ID) + "/new"
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
		Outline: o,
		Action:  action, CSRF: p.CSRF, Base: "0", Problem: t.problems.Form, Entries: entries, Submit: "Save the draft", Unsaved: plain(e.actor.ID) + "-new-" + e.item.Kind + "-" + plain(e.item.ParentID),
		Hidden: []ui.Pair{{Key: "kind", Value: e.item.Kind}, {Key: "parent", Value: plain(e.item.ParentID)}},
		Slug:   &ui.Input{Name: "slug", Label: "Address", Value: t.slug, Hint: slugHint(e.item.Kind), Error: t.problems.Fields["slug"], Required: e.item.Kind == content.KindVersion},
	}
	if rendered(e.item.Kind) != "" {
		p.Form.Preview = action + "/preview"
		if e.product.ID == 0 {
			p.Form.Preview = productsPath + "/new/preview"
		}
		p.Shown = shownOf(h.PublicURL, e.item.Kind, t.values)
	}
	if t.outline != nil {
		p.Announcement = t.outline.Done
	}
	p.Facts = []ui.Pair{{Key: "Kind", Value: kinds[e.item.Kind]}}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Item(p), Region: current(status)})
}

func slugHint(kind string) string {
	if kind == content.KindVersion {
		return "The version as its address names it, for example 2.0."
	}
	return "The last part of the public address: small letters, digits and hyphens. Leave it empty to make it from the name."
}

// EditNewOutline is EditOutline for an item that is not saved yet.
func (h *Handlers) EditNewOutline(c echo.Context) error {
	e, err := h.adding(c)
	if err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	if t.wrong != nil {
		return page.Again(c, t.wrong, func(status int, problems *page.Problems) error {
			t.problems = problems
			return h.renderNew(c, status, e, t)
		})
	}
	return h.renderNew(c, http.StatusOK, e, t)
}

// PreviewNew is PreviewItem for an item that is not saved yet.
func (h *Handlers) PreviewNew(c echo.Context) error {
	e, err := h.adding(c)
	if err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	t.problems = &page.Problems{}
	return h.renderNew(c, http.StatusOK, e, t)
}
