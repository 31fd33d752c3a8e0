package items

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/items"
)

// Autosave saves the draft while somebody types, and shows the outcome.
func (h *Handlers) Autosave(c echo.Context, e desk.Editing) error {
	if e.Refusal != "" {
		return fault.New(fault.Forbidden, "%s", e.Refusal)
	}
	t, err := itemform.Read(c, h.DB, e)
	if err != nil {
		return err
	}
	if e, err = h.autosave(c, e, &t); err != nil {
		return err
	}
	if !page.WantsFragment(c) {
		return page.SeeOther(c, e.Path())
	}
	next, err := nextStep(c.Request().Context(), h.DB, e.Set.ID)
	if err != nil {
		return err
	}
	f := view.ItemForm{Next: next, Base: listing.Plain(t.Base), Name: t.Form, Autosave: e.Path() + "/autosave", State: t.State}
	return page.Render(c, http.StatusOK, page.View{Body: view.SavedPart(f)})
}

// autosave saves the draft of a form and words the outcome. The form continues
// from the new head.
func (h *Handlers) autosave(c echo.Context, e desk.Editing, t *itemform.Typed) (desk.Editing, error) {
	saved, err := h.saveDraft(c.Request().Context(), e, *t, true)
	var stale *editorial.Stale
	f := fault.As(err)
	switch {
	case errors.As(err, &stale):
		t.State = "Not saved: somebody else saved this item meanwhile. Save the draft to compare both."
	case f != nil && len(f.Fields) > 0:
		t.State = "Not saved: " + f.Fields[0].Message
	case f != nil && (f.Kind == fault.Conflict || f.Kind == fault.Invalid):
		t.State = "Not saved: " + f.Message
	case err != nil:
		return e, err
	case !saved.Changed && e.Item.DraftRevisionID == 0:
		t.State = "Nothing was changed."
	default:
		t.State = "Saved at " + time.Now().UTC().Format("15:04:05") + " UTC."
	}
	if err != nil || !saved.Changed {
		if err == nil {
			t.Base = e.Item.Head()
		}
		return e, nil
	}
	if e.Head.Form != t.Form { // the first save of this form
		h.Signals.Add(desk.DraftsTopic, 0)
	}
	e.Item, t.Base = saved.Item, saved.Item.DraftRevisionID
	if e.Head, err = desk.Revision(c.Request().Context(), h.DB, t.Base); err != nil {
		return e, err
	}
	e.Set, err = queries.ChangeSetGet(c.Request().Context(), h.DB, saved.ChangeSetID)
	return e, err
}
