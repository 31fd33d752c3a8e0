// Package newitem begins items: products, versions, guides, endpoints and schemas.
package newitem

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
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	itemsview "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB    db.Querier  // read only
	Rules db.Beginner // where the rules of editing write
	// Drawings are the drawings of the gallery that can be icons; may be nil.
	Drawings  itemform.Drawings
	PublicURL string
	Signals   *db.Signals // notifies open pages; may be nil
}

// Adding reads what a new item is to be: its kind, and the product or version
// that it belongs to.
func (h *Handlers) Adding(c echo.Context) (e desk.Editing, err error) {
	if c.Param("id") == "" {
		e.Actor, e.Title = desk.Actor(c), "Products"
		e.Item.Kind = content.KindProduct
		return e, nil
	}
	if e, err = desk.OpenProduct(c, h.DB); err != nil {
		return e, err
	}
	if !e.Writes {
		return e, fault.New(fault.Forbidden, "%s", e.Refusal)
	}
	ask := func(name string) string { return cmp.Or(c.Request().PostFormValue(name), c.QueryParam(name)) }
	e.Item.Kind = ask("kind")
	kind, known := content.ParentKind(e.Item.Kind)
	parentID, err := strconv.ParseInt(ask("parent"), 10, 64)
	if err != nil || !known || kind == "" {
		return e, fault.New(fault.NotFound, "There is no form for this.")
	}
	e.Item.ParentID = parentID
	owner, err := queries.ItemProduct(c.Request().Context(), h.DB, parentID)
	if db.IsNoRows(err) || err == nil && owner != e.Product.ID {
		return e, fault.New(fault.NotFound, "There is no form for this.")
	}
	return e, err
}

// Show shows the form of a new item.
func (h *Handlers) Show(c echo.Context, e desk.Editing) error {
	values, err := beginningOf(c.Request().Context(), h.DB, e)
	if err != nil {
		return err
	}
	if original := c.QueryParam("copy"); original != "" {
		if values, err = copiedValues(c.Request().Context(), h.DB, e, original); err != nil {
			return err
		}
	}
	return h.render(c, http.StatusOK, e, itemform.Typed{Values: values, As: itemform.AsRows, Problems: &page.Problems{}})
}

// CopyPath is the form of a new item that begins with the content of another.
func CopyPath(e desk.Editing) string {
	return page.Address(desk.ProductPath(e.Product.ID)+"/new", page.Query("kind", e.Item.Kind, "parent", listing.Plain(e.Item.ParentID), "copy", listing.Plain(e.Item.ID)))
}

// copiedValues returns the values of an item of the same kind and product, for a duplicate.
func copiedValues(ctx context.Context, store db.Querier, e desk.Editing, original string) (map[string]string, error) {
	missing := fault.New(fault.NotFound, "The item to duplicate does not exist.")
	id, err := strconv.ParseInt(original, 10, 64)
	if err != nil {
		return nil, missing
	}
	item, err := queries.ItemGet(ctx, store, id)
	if db.IsNoRows(err) || err == nil && (item.Kind != e.Item.Kind || item.ParentID != e.Item.ParentID) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	head, err := desk.Revision(ctx, store, item.Head())
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

// Add saves the first draft of a new item.
func (h *Handlers) Add(c echo.Context, e desk.Editing) error {
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	slug, unnamed := editorial.SlugOf(e.Item.Kind, t.Slug, t.Values)
	raw, err := fields.Content(e.Item.Kind, nil, t.Values)
	if t.Wrong != nil {
		err = t.Wrong
	}
	t.Slug = slug
	var saved editorial.Saved
	if err = together(unnamed, err); err == nil {
		saved, err = editorial.Save(ctx, h.Rules, e.Actor, editorial.Edit{Address: editorial.Address{Kind: e.Item.Kind, ParentID: e.Item.ParentID, Slug: t.Slug}, Content: raw})
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			t.Problems = problems
			return h.render(c, status, e, t)
		})
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	productID := e.Product.ID
	if e.Item.Kind == content.KindProduct {
		productID = saved.Item.ID
	}
	return page.Done(c, desk.ItemPath(productID, saved.Item.ID), "saved")
}

// together returns a fault with the inputs of several, or the first error that names
// none.
func together(errs ...error) error {
	var wrong fault.Fields
	for _, err := range errs {
		f := fault.As(err)
		if err != nil && (f == nil || len(f.Fields) == 0) {
			return err
		}
		if f != nil {
			wrong = append(wrong, f.Fields...)
		}
	}
	return wrong.Err()
}

func (h *Handlers) render(c echo.Context, status int, e desk.Editing, t itemform.Typed) error {
	word := strings.ToLower(desk.Kinds[e.Item.Kind])
	p := itemsview.ItemPage{Frame: page.AdministrationFrame(c, "New "+word, page.ProductsPath), Mark: ui.Mark{Tone: ui.Warn, Text: "Not saved yet"}}
	action := page.ProductsPath
	p.Up, p.Note = ui.Link{Label: "Products", Href: page.ProductsPath}, "Readers see it when it is reviewed and published."
	if e.Product.ID != 0 {
		p.Up = ui.Link{Label: e.Title, Href: desk.ProductPath(e.Product.ID)}
		action = desk.ProductPath(e.Product.ID) + "/new"
	}
	entries, err := itemform.Entries(c.Request().Context(), h.DB, h.Drawings, e, t)
	if err != nil {
		return err
	}
	entries, o, err := itemform.Outlined(c.Request().Context(), h.DB, e, &t, entries)
	if err != nil {
		return err
	}
	p.Form = itemsview.ItemForm{
		Outline: o,
		Action:  action, CSRF: p.CSRF, Base: "0", Problem: t.Problems.Form, Entries: entries, Submit: "Save the draft", Unsaved: listing.Plain(e.Actor.ID) + "-new-" + e.Item.Kind + "-" + listing.Plain(e.Item.ParentID),
		Hidden: []ui.Pair{{Key: "kind", Value: e.Item.Kind}, {Key: "parent", Value: listing.Plain(e.Item.ParentID)}},
		Slug:   &ui.Input{Name: "slug", Label: slugLabel(e.Item.Kind), Value: t.Slug, Hint: slugHint(e.Item.Kind), Error: t.Problems.Fields["slug"], Required: e.Item.Kind == content.KindVersion},
	}
	if itemform.Rendered(e.Item.Kind) != "" {
		p.Form.Preview = action + "/preview"
		if e.Product.ID == 0 {
			p.Form.Preview = page.ProductsPath + "/new/preview"
		}
		p.Shown = itemform.Preview(h.PublicURL, e.Item.Kind, t.Values)
	}
	if t.Outline != nil {
		p.Announcement = t.Outline.Done
	}
	p.Facts = []ui.Pair{{Key: "Kind", Value: desk.Kinds[e.Item.Kind]}}
	return page.Render(c, status, page.View{Frame: p.Page, Body: itemsview.Item(p), Region: page.Current(status)})
}

// slugLabel returns the label of the field for the last part of an address. A version is
// named by it.
func slugLabel(kind string) string {
	if kind == content.KindVersion {
		return "Version"
	}
	return "Address"
}

func slugHint(kind string) string {
	if kind == content.KindVersion {
		return "The version as its address names it, for example 2.0."
	}
	return "The last part of the public address: small letters, digits and hyphens. Leave it empty to make it from the name."
}

// EditOutline is EditOutline for an item that is not saved yet.
func (h *Handlers) EditOutline(c echo.Context, e desk.Editing) error {
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	if t.Wrong != nil {
		return page.Again(c, t.Wrong, func(status int, problems *page.Problems) error {
			t.Problems = problems
			return h.render(c, status, e, t)
		})
	}
	return h.render(c, http.StatusOK, e, t)
}

// Preview is PreviewItem for an item that is not saved yet.
func (h *Handlers) Preview(c echo.Context, e desk.Editing) error {
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	t.Problems = &page.Problems{}
	return h.render(c, http.StatusOK, e, t)
}
