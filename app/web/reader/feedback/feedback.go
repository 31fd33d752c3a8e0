// Package feedback serves the question at the end of a page: whether it helped.
package feedback

import (
	"net/http"

	"github.com/labstack/echo/v4"

	rules "heliograph/app/documentation/feedback"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	view "heliograph/views/reader/feedback"
	"heliograph/views/ui"
)

// Handlers handle the form about a page.
type Handlers struct {
	// Frame returns the frame of a page of readers.
	Frame func() layout.Page
	// Asks reports whether the page at a path asks its readers.
	Asks    func(path string) bool
	Answers *rules.Service
}

// answerForm is what the form sends.
type answerForm struct {
	Page    string `form:"page" query:"page"`
	Helpful string `form:"helpful" query:"helpful"`
	Comment string `form:"comment"`
}

// Show shows the form about the page in the query.
func (h *Handlers) Show(c echo.Context) error {
	f, err := page.Ask[answerForm](c)
	if err != nil {
		return err
	}
	if err := h.check(f); err != nil {
		return err
	}
	return h.render(c, http.StatusOK, f, &page.Problems{})
}

// Save stores an answer.
func (h *Handlers) Save(c echo.Context) error {
	var f answerForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	err := h.check(f)
	if err == nil {
		err = h.Answers.Save(c.Request().Context(), rules.Form{Page: f.Page, Helpful: f.Helpful, Comment: f.Comment}, limit.Client(c.RealIP()))
	}
	switch {
	case err != nil:
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	case page.WantsFragment(c):
		return h.thank(c, f.Page)
	}
	return page.SeeOther(c, formPath+"/thanks?page="+f.Page)
}

// Thank thanks for an answer.
func (h *Handlers) Thank(c echo.Context) error {
	f, err := page.Ask[answerForm](c)
	if err != nil {
		return err
	}
	if err := h.check(f); err != nil {
		return err
	}
	return h.thank(c, f.Page)
}

const formPath = "/feedback"

// check refuses pages that readers cannot be asked about.
func (h *Handlers) check(f answerForm) error {
	if h.Asks(f.Page) {
		return nil
	}
	return fault.New(fault.Invalid, "The form belongs to no page. Open it from the end of a page.")
}

func (h *Handlers) thank(c echo.Context, about string) error {
	p := view.Page{Page: h.Frame(), About: about, Thanks: true}
	p.Title = "Thank you"
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Form(p)})
}

func (h *Handlers) render(c echo.Context, status int, f answerForm, problems *page.Problems) error {
	p := view.Page{
		Page: h.Frame(), CSRF: page.Token(c), About: f.Page, Problem: problems.Form,
		Helpful: ui.Radios{
			Name: "helpful", Label: "Was this page helpful?", Value: f.Helpful, Error: problems.Fields["helpful"],
			Choices: []ui.Radio{{Value: "yes", Label: "Yes"}, {Value: "no", Label: "No"}},
		},
		Comment: ui.TextArea{Name: "comment", Label: "What should we know?", Value: f.Comment, Rows: 3, Error: problems.Fields["comment"]},
	}
	p.Title = "Was this page helpful?"
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Form(p)})
}
