package reader

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/feedback"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Feedback handles the form about a page.
type Feedback struct {
	Pages   *Pages
	Answers *feedback.Service
}

// feedbackForm is what the form sends.
type feedbackForm struct {
	Page    string `form:"page" query:"page"`
	Helpful string `form:"helpful" query:"helpful"`
	Comment string `form:"comment"`
}

// Show shows the form about the page in the query.
func (h *Feedback) Show(c echo.Context) error {
	f, err := page.Ask[feedbackForm](c)
	if err != nil {
		return err
	}
	if err := h.check(f); err != nil {
		return err
	}
	return h.render(c, http.StatusOK, f, &page.Problems{})
}

// Save stores an answer.
func (h *Feedback) Save(c echo.Context) error {
	var f feedbackForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	err := h.check(f)
	if err == nil {
		err = h.Answers.Save(c.Request().Context(), feedback.Form{Page: f.Page, Helpful: f.Helpful, Comment: f.Comment}, limit.Client(c.RealIP()))
	}
	switch {
	case err != nil:
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	case page.WantsFragment(c):
		return h.thank(c, f.Page)
	}
	return page.SeeOther(c, feedbackPath+"/thanks?page="+f.Page)
}

// Thank thanks for an answer.
func (h *Feedback) Thank(c echo.Context) error {
	f, err := page.Ask[feedbackForm](c)
	if err != nil {
		return err
	}
	if err := h.check(f); err != nil {
		return err
	}
	return h.thank(c, f.Page)
}

const feedbackPath = "/feedback"

// check refuses pages that readers cannot be asked about.
func (h *Feedback) check(f feedbackForm) error {
	if found, ok := h.Pages.site().find(f.Page); ok && !found.text {
		switch found.source.(type) {
		case guideSource, operationSource:
			return nil
		}
	}
	return fault.New(fault.Invalid, "The form belongs to no page. Open it from the end of a page.")
}

func (h *Feedback) thank(c echo.Context, about string) error {
	p := views.FeedbackPage{Page: h.Pages.Frame(), About: about, Thanks: true}
	p.Title = "Thank you"
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: views.Feedback(p)})
}

func (h *Feedback) render(c echo.Context, status int, f feedbackForm, problems *page.Problems) error {
	p := views.FeedbackPage{
		Page: h.Pages.Frame(), CSRF: page.Token(c), About: f.Page, Problem: problems.Form,
		Helpful: ui.Radios{Name: "helpful", Label: "Was this page helpful?", Value: f.Helpful, Error: problems.Fields["helpful"], Choices: []ui.Radio{{Value: "yes", Label: "Yes"}, {Value: "no", Label: "No"}}},
		Comment: ui.TextArea{Name: "comment", Label: "What should we know?", Value: f.Comment, Rows: 3, Error: problems.Fields["comment"]},
	}
	p.Title = "Was this page helpful?"
	return page.Render(c, status, page.View{Frame: p.Page, Body: views.Feedback(p)})
}
