package admin

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/queries"
	view "heliograph/views/admin"
)

// Autosave saves the draft while somebody types, and shows the outcome.
func (h *Handlers) Autosave(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	if e.refusal != "" {
		return fault.New(fault.Forbidden, "%s", e.refusal)
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	if e, err = h.autosave(c, e, &t); err != nil {
		return err
	}
	if !page.WantsFragment(c) {
		return page.SeeOther(c, e.path())
	}
	next, err := nextStep(c.Request().Context(), h.DB, e.set.ID)
	if err != nil {
		return err
	}
	f := view.ItemForm{Next: next, Base: plain(t.base), Name: t.form, Autosave: e.path() + "/autosave", State: t.state}
	return page.Render(c, http.StatusOK, page.View{Body: view.SavedPart(f)})
}

// autosave saves the draft of a form and words the outcome. The form continues
// from the new head.
func (h *Handlers) autosave(c echo.Context, e editing, t *typed) (editing, error) {
	saved, err := h.save(c.Request().Context(), e, *t, true)
	var stale *editorial.Stale
	f := fault.As(err)
	switch {
	case errors.As(err, &stale):
		t.state = "Not saved: somebody else saved this item meanwhile. Save the draft to compare both."
	case f != nil && len(f.Fields) > 0:
		t.state = "Not saved: " + f.Fields[0].Message
	case f != nil && (f.Kind == fault.Conflict || f.Kind == fault.Invalid):
		t.state = "Not saved: " + f.Message
	case err != nil:
		return e, err
	case !saved.Changed && e.item.DraftRevisionID == 0:
		t.state = "Nothing was changed."
	default:
		t.state = "Saved at " + time.Now().UTC().Format("15:04:05") + " UTC."
	}
	if err != nil || !saved.Changed {
		if err == nil {
			t.base = e.item.Head()
		}
		return e, nil
	}
	if e.head.Form != t.form { // the first save of this form
		h.Signals.Add(draftsTopic, 0)
	}
	e.item, t.base = saved.Item, saved.Item.DraftRevisionID
	if e.head, err = revision(c.Request().Context(), h.DB, t.base); err != nil {
		return e, err
	}
	e.set, err = queries.ChangeSetGet(c.Request().Context(), h.DB, saved.ChangeSetID)
	return e, err
}
