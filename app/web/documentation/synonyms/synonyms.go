// Package synonyms serves the words that the search takes for each other.
package synonyms

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/search"
	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/synonyms"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB    db.Querier  // read only
	Rules db.Beginner // where the rules write
}

// synonymForm is the form that adds a synonym.
type synonymForm struct {
	Term  string `form:"term"`
	Means string `form:"means"`
}

// shownAtOnce is how many synonyms a page lists.
const shownAtOnce = 100

// List lists the synonyms of search terms.
func (h *Handlers) List(c echo.Context) error {
	return h.renderSynonyms(c, http.StatusOK, synonymForm{}, &page.Problems{})
}

// Add adds a synonym.
func (h *Handlers) Add(c echo.Context, form synonymForm) error {
	err := search.AddSynonym(c.Request().Context(), h.Rules, form.Term, form.Means, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderSynonyms(c, status, form, problems) })
	}
	return page.Done(c, page.SynonymsPath, "added")
}

// Remove removes a synonym.
func (h *Handlers) Remove(c echo.Context, id int64) error {
	if err := search.RemoveSynonym(c.Request().Context(), h.Rules, id, page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, page.SynonymsPath, "removed")
}

// AskRemove asks before a synonym is removed.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	id, err := page.ID(c)
	if err != nil {
		return nil, err
	}
	found, err := queries.SynonymEntryList(c.Request().Context(), h.DB, "")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(found, func(s models.SynonymEntry) bool { return s.ID == id })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "This synonym does not exist.")
	}
	s := found[i]
	f := page.AdministrationFrame(c, "Remove the synonym "+s.Term, page.SynonymsPath).Under("Synonyms", page.SynonymsPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of(listing.Plain(id)),
		Text:   "Searches for “" + s.Term + "” no longer find “" + s.Means + "”.",
		Action: ui.Post{Label: "Remove the synonym", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the synonym"},
	}}, nil
}

func (h *Handlers) renderSynonyms(c echo.Context, status int, form synonymForm, problems *page.Problems) error {
	text := strings.TrimSpace(c.QueryParam("q"))
	found, err := queries.SynonymEntryList(c.Request().Context(), h.DB, text)
	if err != nil {
		return err
	}
	from, _ := strconv.Atoi(c.QueryParam("from")) // what is no number begins at the first one
	from = min(max(from, 0), len(found))
	end := min(from+shownAtOnce, len(found))
	p := view.SynonymsPage{Frame: page.AdministrationFrame(c, "Synonyms", page.SynonymsPath), Lead: "A search for a term also finds pages with its synonym. A synonym works in one direction. Add the other direction as well if you need both."}
	p.Done = map[string]string{"added": "The synonym is added. Searches use it immediately.", "removed": "The synonym is removed."}[c.QueryParam("done")]
	p.Add = forms.Form{
		Name: "synonym", Action: page.SynonymsPath, CSRF: p.CSRF, Problem: problems.Form, Submit: "Add the synonym",
		Inputs: []ui.Input{
			{Name: "term", Label: "Search term", Value: form.Term, Required: true, Placeholder: "dlr", Error: problems.Fields["term"]},
			{Name: "means", Label: "Also finds", Value: form.Means, Required: true, Placeholder: "delivery report", Error: problems.Fields["means"]},
		},
	}
	p.List = ui.Listing{
		Filter: ui.Filter{Inputs: []ui.Input{{Name: "q", Label: "Word", Type: "search", Value: text}}},
		Table:  ui.Table{Caption: "Synonyms", Columns: []ui.Column{{Label: "Search term"}, {Label: "Also finds"}, {Label: "Change"}}},
		Empty:  ui.EmptyState{Title: "No synonyms found", Text: "Add a synonym, so that readers find pages by their own words."},
	}
	for _, s := range found[from:end] {
		region := ui.Confirm.Of(listing.Plain(s.ID))
		remove := ui.Ask{Link: ui.Link{Label: "Remove", Href: page.SynonymsPath + "/" + listing.Plain(s.ID) + "/removal"}, Object: s.Term, Small: true, Region: region}
		p.List.Table.Rows = append(p.List.Table.Rows, []ui.Cell{{Text: s.Term}, {Text: s.Means}, {Body: ui.AskButton(remove), Opens: region}})
	}
	l := listing.List{Path: page.SynonymsPath, Filter: page.Query("q", text), Later: from > 0, One: "synonym", Many: "synonyms"}
	l.Finish(c, &p.List, listing.Rows{Count: end - from, More: end < len(found), Mark: func(v url.Values) { v.Set("from", listing.Plain(int64(end))) }})
	p.Announcement = p.List.Announcement()
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Synonyms(p), Region: page.Current(status), Address: l.Address()})
}
