package admin

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/content"
	"heliograph/app/editorial/examples"
	"heliograph/app/editorial/fields"
	"heliograph/app/web/page"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// CheckItem checks the examples of a form against their schemas while somebody
// types. Nothing is saved.
func (h *Handlers) CheckItem(c echo.Context) error {
	e, err := h.editing(c)
	if err != nil {
		return err
	}
	t, err := h.readTyped(c, e)
	if err != nil {
		return err
	}
	if !page.WantsFragment(c) {
		return page.SeeOther(c, e.path())
	}
	list, err := h.checkExamples(c.Request().Context(), e, t)
	if err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.ExampleChecks(list, e.path()+"/checks")})
}

// checkExamples lists what is wrong with the examples of an operation.
func (h *Handlers) checkExamples(ctx context.Context, e editing, t typed) ([]view.Finding, error) {
	list := []view.Finding{} // checked
	if t.outline == nil || e.item.Kind != content.KindEndpoint && e.item.Kind != content.KindCallback {
		return list, nil
	}
	raw, err := fields.Content(e.item.Kind, e.head.Content, t.values)
	if err != nil {
		return list, nil //nolint:nilerr // the form says what is wrong with it
	}
	var op content.Endpoint
	if err := json.Unmarshal(raw, &op); err != nil {
		return nil, err
	}
	items, err := queries.HeadItemList(ctx, h.DB, e.item.ParentID, []string{content.KindVersion, content.KindSchema})
	if err != nil {
		return nil, err
	}
	found, checked, err := examples.Check(items, e.item.Kind, op, t.outline)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		list = append(list, view.Finding{Tone: ui.Warn, Text: p.Message, Link: ui.Link{Label: examples.Title(p.Input), Href: "#field-" + rowID(p.Input.Name)}})
	}
	if len(found) == 0 && checked > 0 {
		list = append(list, view.Finding{Tone: ui.Good, Text: "Every example matches its schema."})
	}
	return list, nil
}
