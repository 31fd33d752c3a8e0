package admin

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
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/views/ui"
)

// Item shows an item in its form, or to those who may not edit it as it is.
func (h *Handlers) Item(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	values, err := fields.Values(e.item.Kind, e.head.Content)
	if err != nil {
		return err
	}
	return h.renderItem(c, http.StatusOK, e, typed{values: values, base: e.item.Head(), as: asRows, problems: &page.Problems{}})
}

// Version leads to the page of a version in its product.
func (h *Handlers) Version(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	e, err := productOfVersion(c, h.DB, id)
	if err != nil {
		return err
	}
	return page.SeeOther(c, itemPath(e.product.ID, id))
}

// SaveItem saves a draft. What was typed is shown again when it cannot be saved:
// with what is wrong, or beside what was saved meanwhile.
func (h *Handlers) SaveItem(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	if err := e.guard(); err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if taken := c.Request().PostForm.Get("take"); taken != "" {
		return h.take(c, e, t)
	}
	var saved editorial.Saved
	if err = takeIcon(ctx, h.Drawings, e.item.Kind, c.Request().PostForm.Get(iconChoice), t.values); err == nil {
		saved, err = h.save(ctx, e, t, false)
	}
	var stale *editorial.Stale
	if errors.As(err, &stale) {
		return h.renderStale(c, e, stale)
	}
	if err != nil {
		if e.set.ID != 0 {
			t.more = ui.Link{Label: "Change set " + plain(e.set.ID), Href: draftPath(e.set.ID)}
		}
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			t.problems = problems
			return h.renderItem(c, status, e, t)
		})
	}
	if typed := e.head.Form != "" && e.head.AuthorID == e.actor.ID && e.item.DraftRevisionID != 0; !saved.Changed && !typed {
		return page.Done(c, e.path(), "unchanged")
	}
	h.Signals.Add(draftsTopic, 0)
	return page.Done(c, e.path(), "saved")
}

// save saves the values of a form on the revision that it began with.
func (h *Handlers) save(ctx context.Context, e editing, t typed, auto bool) (editorial.Saved, error) {
	if t.wrong != nil {
		return editorial.Saved{}, t.wrong
	}
	content, err := contentOf(ctx, h.DB, e.item, t)
	if err != nil {
		return editorial.Saved{}, err
	}
	return editorial.Save(ctx, h.Documentation, e.actor, editorial.Edit{ItemID: e.item.ID, Content: content, Base: t.base, Form: t.form, Auto: auto})
}

// contentOf is the content that a form makes of the revision that it began with.
func contentOf(ctx context.Context, store db.Querier, item models.Item, t typed) (json.RawMessage, error) {
	base, err := revisionOf(ctx, store, item, t.base)
	if err != nil {
		return nil, err
	}
	return fields.Content(item.Kind, base.Content, t.values)
}

// revisionOf reads a revision that a form names.
func revisionOf(ctx context.Context, store db.Querier, item models.Item, id int64) (models.Revision, error) {
	r, err := revision(ctx, store, id)
	if err != nil || id != 0 && r.ItemID != item.ID {
		return r, fault.New(fault.Invalid, "The form belongs to another item. Load the page again.")
	}
	return r, nil
}

// productOfVersion reads the product of a version.
func productOfVersion(c echo.Context, store db.Querier, versionID int64) (e editing, err error) {
	ctx := c.Request().Context()
	missing := fault.New(fault.NotFound, "This version does not exist.")
	item, err := queries.ItemGet(ctx, store, versionID)
	if db.IsNoRows(err) || err == nil && (item.Kind != content.KindVersion || item.IsHiddenFrom(page.User(c).ID)) {
		return e, missing
	}
	if err == nil {
		e.product, err = queries.ItemGet(ctx, store, item.ParentID)
	}
	return e, err
}
