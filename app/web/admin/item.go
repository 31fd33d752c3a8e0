package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// itemDone holds the messages after a change of an item.
var itemDone = map[string]string{
	"saved": "The draft is saved.", "unchanged": "Nothing was changed.", "archive": "The item is in the change set: it is archived when that is published.",
	"moved": "The move is in the change set. The address changes when that is published.", "trashed": "The item is in the trash.",
	"thread": "The comment is added.", "reply": "The reply is added.", "resolve": "The comments are resolved.", "reopen": "The comments are open again.",
	"placed": "The item is moved. Readers see the new order when the change set is published.",
	"undone": "The last save is taken back.", "untrashed": "The item is out of the trash.", "restored": "The revision is restored as a draft.",
}

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

// typed is what a form of an item holds.
type typed struct {
	values   map[string]string
	slug     string
	base     int64 // the revision that the form began with
	problems *page.Problems
	more     ui.Link // beside what is wrong as a whole
	clash    *clash
	shown    bool   // whether the preview was asked for
	form     string // names the open form, so that it continues from what it saved by itself
	as       string // how the parts of an operation or a schema are edited: asRows or asSource
	outline  *outline.Outline
	rows     *outline.Outline // as they were sent: their inputs have what was typed, under the names of the page
	opened   []string         // the rows that are open, by their pointers
	state    string           // the outcome of the last save
	wrong    *fault.Error
}

// readTyped reads the form of an item.
func readTyped(c echo.Context, store db.Querier, e editing) (t typed, err error) {
	var form struct {
		Base string `form:"base"`
		Slug string `form:"slug"`
		Form string `form:"form"`
		As   string `form:"as"`
		Open string `form:"open"`
	}
	if err := page.Bind(c, &form); err != nil {
		return t, err
	}
	t.values, t.slug, t.as, t.problems = map[string]string{}, form.Slug, form.As, &page.Problems{}
	t.opened = strings.Split(form.Open, "\n")
	if formName.MatchString(form.Form) {
		t.form = form.Form
	}
	for _, f := range fields.Of(e.item.Kind) {
		t.values[f.Name] = c.Request().PostForm.Get(f.Name)
	}
	if t.base, err = strconv.ParseInt(form.Base, 10, 64); form.Base != "" && err != nil {
		return t, fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	foldRows(c, store, e, &t)
	return t, nil
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
