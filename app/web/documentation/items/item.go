// Package items shows an item in its form, and saves its draft.
package items

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
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

// Show shows an item in its form, or to those who may not edit it as it is.
func (h *Handlers) Show(c echo.Context, e desk.Editing) error {
	values, err := fields.Values(e.Item.Kind, e.Head.Content)
	if err != nil {
		return err
	}
	return h.render(c, http.StatusOK, e, itemform.Typed{Values: values, Base: e.Item.Head(), As: itemform.AsRows, Problems: &page.Problems{}})
}

// Version leads to the page of a version in its product.
func (h *Handlers) Version(c echo.Context, id int64) error {
	e, err := productOfVersion(c, h.DB, id)
	if err != nil {
		return err
	}
	return page.SeeOther(c, desk.ItemPath(e.Product.ID, id))
}

// Save saves a draft. What was typed is shown again when it cannot be saved:
// with what is wrong, or beside what was saved meanwhile.
func (h *Handlers) Save(c echo.Context, e desk.Editing) error {
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if taken := c.Request().PostForm.Get("take"); taken != "" {
		return h.take(c, e, t)
	}
	var saved editorial.Saved
	if err = itemform.TakeIcon(ctx, h.Drawings, e.Item.Kind, c.Request().PostForm.Get(itemform.IconChoice), t.Values); err == nil {
		saved, err = h.saveDraft(ctx, e, t, false)
	}
	var stale *editorial.Stale
	if errors.As(err, &stale) {
		return h.renderStale(c, e, stale)
	}
	if err != nil {
		if e.Set.ID != 0 {
			t.More = ui.Link{Label: "Change set " + listing.Plain(e.Set.ID), Href: desk.DraftPath(e.Set.ID)}
		}
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			t.Problems = problems
			return h.render(c, status, e, t)
		})
	}
	if typed := e.Head.Form != "" && e.Head.AuthorID == e.Actor.ID && e.Item.DraftRevisionID != 0; !saved.Changed && !typed {
		return page.Done(c, e.Path(), "unchanged")
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, e.Path(), "saved")
}

// saveDraft saves the values of a form on the revision that it began with.
func (h *Handlers) saveDraft(ctx context.Context, e desk.Editing, t itemform.Typed, auto bool) (editorial.Saved, error) {
	if t.Wrong != nil {
		return editorial.Saved{}, t.Wrong
	}
	content, err := contentOf(ctx, h.DB, e.Item, t)
	if err != nil {
		return editorial.Saved{}, err
	}
	return editorial.Save(ctx, h.Rules, e.Actor, editorial.Edit{ItemID: e.Item.ID, Content: content, Base: t.Base, Form: t.Form, Auto: auto})
}

// contentOf is the content that a form makes of the revision that it began with.
func contentOf(ctx context.Context, store db.Querier, item models.Item, t itemform.Typed) (json.RawMessage, error) {
	base, err := revisionOf(ctx, store, item, t.Base)
	if err != nil {
		return nil, err
	}
	return fields.Content(item.Kind, base.Content, t.Values)
}

// revisionOf reads a revision that a form names.
func revisionOf(ctx context.Context, store db.Querier, item models.Item, id int64) (models.Revision, error) {
	r, err := desk.Revision(ctx, store, id)
	if err != nil || id != 0 && r.ItemID != item.ID {
		return r, fault.New(fault.Invalid, "The form belongs to another item. Load the page again.")
	}
	return r, nil
}

// productOfVersion reads the product of a version.
func productOfVersion(c echo.Context, store db.Querier, versionID int64) (e desk.Editing, err error) {
	ctx := c.Request().Context()
	missing := fault.New(fault.NotFound, "This version does not exist.")
	item, err := queries.ItemGet(ctx, store, versionID)
	if db.IsNoRows(err) || err == nil && (item.Kind != content.KindVersion || item.IsHiddenFrom(page.User(c).ID)) {
		return e, missing
	}
	if err == nil {
		e.Product, err = queries.ItemGet(ctx, store, item.ParentID)
	}
	return e, err
}
