package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/web/page"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// policyDone is the message after the levels were changed.
const policyDone = "The checks are changed. They apply at once to every draft of the product."

// checksPath is the page of the checks of a product.
func checksPath(productID int64) string { return productPath(productID) + "/checks" }

// policy is what the checks do in a product, as its form has it.
type policy struct {
	editing
	levels map[string]checks.Level
}

// Policy shows what the checks do in a product.
func (h *Handlers) Policy(c echo.Context) error {
	e, err := OpenProduct(c, h.DB)
	if err != nil {
		return err
	}
	levels, err := editorial.Policy(c.Request().Context(), h.DB, e.product.ID)
	if err != nil {
		return err
	}
	return h.renderPolicy(c, http.StatusOK, policy{e, levels}, &page.Problems{})
}

// SetPolicy changes what the checks do in a product.
func (h *Handlers) SetPolicy(c echo.Context) error {
	e, err := OpenProduct(c, h.DB)
	if err != nil {
		return err
	}
	if err := page.Bind(c, &struct{}{}); err != nil {
		return err
	}
	typed := policy{e, map[string]checks.Level{}}
	for _, check := range checks.All {
		typed.levels[check.Name] = checks.Level(c.Request().PostForm.Get(check.Name))
	}
	if err := editorial.SetPolicy(c.Request().Context(), h.Documentation, e.actor, e.product.ID, typed.levels); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderPolicy(c, status, typed, problems) })
	}
	h.Signals.Add(editorial.ChecksTopic, 0)
	return page.Done(c, checksPath(e.product.ID), "saved")
}

// levelNames says what a check does.
var levelNames = map[checks.Level]string{checks.Block: "Block review and publishing", checks.Warn: "Warn", checks.Off: "Off"}

func (h *Handlers) renderPolicy(c echo.Context, status int, shown policy, problems *page.Problems) error {
	p := view.FormPage{Frame: frame(c, "Checks", productsPath)}
	p.Lead = "Drafts of " + shown.title + " are checked after each save. Say what happens where a check finds something. A Super Admin may publish in spite of it, with a reason."
	p.Up = ui.Link{Label: shown.title, Href: productPath(shown.product.ID)}
	if c.QueryParam("done") != "" {
		p.Done = policyDone
	}
	options := make([]ui.Option, len(checks.Levels))
	for i, level := range checks.Levels {
		options[i] = ui.Option{Value: string(level), Label: levelNames[level]}
	}
	p.Form = view.Form{Name: "checks", Action: checksPath(shown.product.ID), CSRF: p.CSRF, Submit: "Save the checks", Problem: problems.Form}
	for _, check := range checks.All {
		p.Form.Selects = append(p.Form.Selects, ui.Select{Name: check.Name, Label: check.Label, Hint: check.Hint, Value: string(shown.levels[check.Name]), Options: options, Error: problems.Fields[check.Name]})
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.OneForm(p), Region: current(status)})
}
