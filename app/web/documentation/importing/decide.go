package importing

import (
	"encoding/json"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/views/ui"
)

// Accept makes a change set of what was chosen.
func (h *Handlers) Accept(c echo.Context, i models.Import) error {
	var f struct {
		Take []string `form:"take"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	ctx := c.Request().Context()
	_, raw, err := queries.ImportDetails(ctx, h.DB, i.ID)
	if err != nil {
		return err
	}
	var plan prepare.Plan
	if err := json.Unmarshal(raw, &plan); err != nil {
		return err
	}
	var skip []string
	for _, o := range plan.Operations {
		if o.Class != compare.Unchanged && !slices.Contains(f.Take, o.Slug) {
			skip = append(skip, o.Slug)
		}
	}
	if _, err := h.Rule.Accept(ctx, desk.Actor(c), i.ID, skip); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			if f.Take == nil {
				f.Take = []string{}
			}
			if i, err = h.Find(c); err != nil {
				return err
			}
			return h.render(c, status, i, choice{f.Take, problems})
		})
	}
	return page.SeeOther(c, importPath(i.ID))
}

// Cancel ends an import that is not read yet.
func (h *Handlers) Cancel(c echo.Context, id int64) error {
	if err := h.Rule.Cancel(c.Request().Context(), desk.Actor(c), id); err != nil {
		return err
	}
	return page.Done(c, importPath(id), "cancelled")
}

// AskDiscard asks before an import is discarded.
func (h *Handlers) AskDiscard(c echo.Context) (*page.Question, error) {
	i, err := h.Find(c)
	if err != nil {
		return nil, err
	}
	f := frame(c, "Discard "+nameOf(i))
	f.Up = ui.Link{Label: "Import", Href: importPath(i.ID)}
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm, Text: "Nothing of this import is taken. It stays in the list.",
		Action: ui.Post{Label: "Discard the import", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the import"},
	}}, nil
}

// Discard ends an import that waits for a decision.
func (h *Handlers) Discard(c echo.Context, id int64) error {
	if err := h.Rule.Discard(c.Request().Context(), desk.Actor(c), id); err != nil {
		return err
	}
	return page.Done(c, importPath(id), "discarded")
}
