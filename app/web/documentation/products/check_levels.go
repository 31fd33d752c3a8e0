package products

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/lists"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// CheckLevels serves the page that says what the checks of drafts do in a product.
type CheckLevels struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
}

// policyDone is the message after the levels were changed.
const policyDone = "The checks are changed. They apply at once to every draft of the product."

// checksPath is the page of the checks of a product.
func checksPath(productID int64) string { return desk.ProductPath(productID) + "/checks" }

// policy is what the checks do in a product, as its form has it.
type policy struct {
	desk.Editing
	levels map[string]checks.Level
}

// Show shows what the checks do in a product.
func (h *CheckLevels) Show(c echo.Context, e desk.Editing) error {
	levels, err := editorial.Policy(c.Request().Context(), h.DB, e.Product.ID)
	if err != nil {
		return err
	}
	return h.render(c, http.StatusOK, policy{e, levels}, &page.Problems{})
}

// Set changes what the checks do in a product.
func (h *CheckLevels) Set(c echo.Context, e desk.Editing) error {
	if err := page.Bind(c, &struct{}{}); err != nil {
		return err
	}
	typed := policy{e, map[string]checks.Level{}}
	for _, check := range checks.All {
		typed.levels[check.Name] = checks.Level(c.Request().PostForm.Get(check.Name))
	}
	if err := editorial.SetPolicy(c.Request().Context(), h.Rules, e.Actor, e.Product.ID, typed.levels); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, typed, problems) })
	}
	h.Signals.Add(editorial.ChecksTopic, 0)
	return page.Done(c, checksPath(e.Product.ID), "saved")
}

// levelNames says what a check does.
var levelNames = map[checks.Level]string{checks.Block: "Block review and publishing", checks.Warn: "Warn", checks.Off: "Off"}

func (h *CheckLevels) render(c echo.Context, status int, shown policy, problems *page.Problems) error {
	p := forms.FormPage{Frame: page.AdministrationFrame(c, "Checks", page.ProductsPath)}
	p.Lead = "Drafts of " + shown.Title + " are checked after each save. Say what happens where a check finds something. A Super Admin may publish in spite of it, with a reason."
	p.Up = ui.Link{Label: shown.Title, Href: desk.ProductPath(shown.Product.ID)}
	if c.QueryParam("done") != "" {
		p.Done = policyDone
	}
	options := lists.Map(checks.Levels, func(level checks.Level) ui.Option { return ui.Option{Value: string(level), Label: levelNames[level]} })
	p.Form = forms.Form{Name: "checks", Action: checksPath(shown.Product.ID), CSRF: p.CSRF, Submit: "Save the checks", Problem: problems.Form}
	for _, check := range checks.All {
		p.Form.Selects = append(p.Form.Selects, ui.Select{
			Name: check.Name, Label: check.Label, Hint: check.Hint, Value: string(shown.levels[check.Name]), Options: options,
			Error: problems.Fields[check.Name],
		})
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: forms.OneForm(p), Region: page.Current(status)})
}
