package admin

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

const synonymsPath = "/admin/synonyms"

// synonymForm is what adding a synonym sends.
type synonymForm struct {
	Term  string `form:"term"`
	Means string `form:"means"`
}

// Synonyms lists what the search knows terms by.
func (h *Handlers) Synonyms(c echo.Context) error {
	return h.renderSynonyms(c, http.StatusOK, synonymForm{}, &page.Problems{})
}

// AddSynonym adds one.
func (h *Handlers) AddSynonym(c echo.Context) error {
	var form synonymForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	err := h.Words.Add(c.Request().Context(), form.Term, form.Means, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderSynonyms(c, status, form, problems) })
	}
	return page.Done(c, synonymsPath, "added")
}

// RemoveSynonym takes one away.
func (h *Handlers) RemoveSynonym(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	if err := h.Words.Remove(c.Request().Context(), id, page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, synonymsPath, "removed")
}

func (h *Handlers) renderSynonyms(c echo.Context, status int, form synonymForm, problems *page.Problems) error {
	text := strings.TrimSpace(c.QueryParam("q"))
	found, err := queries.SynonymEntryList(c.Request().Context(), h.DB, text)
	if err != nil {
		return err
	}
	p := view.SynonymsPage{Frame: frame(c, "Synonyms", synonymsPath), Lead: "Who looks for a term also finds what is said with the other words. It works one way: add the other way as well where both are meant."}
	p.Done = map[string]string{"added": "The synonym is added. Searches know it at once.", "removed": "The synonym is removed."}[c.QueryParam("done")]
	p.Add = view.Form{
		Action: synonymsPath, CSRF: p.CSRF, Problem: problems.Form, Submit: "Add the synonym",
		Inputs: []ui.Input{
			{Name: "term", Label: "Who looks for", Value: form.Term, Required: true, Placeholder: "dlr", Error: problems.Fields["term"]},
			{Name: "means", Label: "Also finds", Value: form.Means, Required: true, Placeholder: "delivery report", Error: problems.Fields["means"]},
		},
	}
	p.List = view.List{
		Filter: ui.Filter{Action: synonymsPath, Inputs: []ui.Input{{Name: "q", Label: "Word", Type: "search", Value: text}}, Clear: page.ShowAll(synonymsPath, page.Query("q", text))},
		Table:  ui.Table{Caption: "Synonyms", Quiet: true, Columns: []ui.Column{{Label: "Who looks for"}, {Label: "Also finds"}, {Label: "Change"}}},
		Empty:  view.Empty{Title: "No synonym found", Text: "Add one, so that readers find things by the words that they know."},
	}
	for _, s := range found {
		remove := ui.Post{Action: synonymsPath + "/" + plain(s.ID) + "/removal", CSRF: p.CSRF, Label: "Remove", Object: s.Term, Small: true}
		p.List.Table.Rows = append(p.List.Table.Rows, []ui.Cell{{Text: s.Term}, {Text: s.Means}, {Body: ui.PostButton(remove)}})
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Synonyms(p)})
}
