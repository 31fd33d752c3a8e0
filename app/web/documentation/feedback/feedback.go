// Package feedback serves what readers said about pages.
package feedback

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/feedback"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB db.Querier // read only
}

// The most pages and comments that the page of feedback shows.
const (
	maxRatedPages = 200
	maxComments   = 100
)

// List shows what readers say about pages of the documentation.
func (h *Handlers) List(c echo.Context) error {
	ctx := c.Request().Context()
	counts, err := queries.FeedbackCountList(ctx, h.DB, maxRatedPages)
	if err != nil {
		return err
	}
	comments, err := queries.FeedbackListCommented(ctx, h.DB, maxComments)
	if err != nil {
		return err
	}
	p := view.FeedbackPage{Frame: page.AdministrationFrame(c, "Feedback", page.FeedbackPath), Pages: ratedPages(counts), Comments: commentTable(comments)}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Feedback(p)})
}

func ratedPages(counts []models.FeedbackCount) ui.Table {
	t := ui.Table{Caption: "Pages", Columns: []ui.Column{{Label: "Page", Lead: true}, {Label: "Helpful"}, {Label: "Not helpful"}, {Label: "Newest answer"}}}
	for _, n := range counts {
		t.Rows = append(t.Rows, []ui.Cell{{Text: n.Page, Href: n.Page}, {Text: strconv.Itoa(n.Helpful)}, {Text: strconv.Itoa(n.NotHelpful)}, ui.Moment(n.Newest)})
	}
	return t
}

func commentTable(comments []models.Feedback) ui.Table {
	t := ui.Table{Caption: "Newest comments", Columns: []ui.Column{{Label: "Comment", Lead: true}, {Label: "Helpful"}, {Label: "Page"}, {Label: "Received"}}}
	for _, f := range comments {
		helpful := ui.Cell{Text: "Yes", Badge: true, Tone: ui.Good}
		if !f.Helpful {
			helpful = ui.Cell{Text: "No", Badge: true, Tone: ui.Warn}
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: f.Comment}, helpful, {Text: f.Page, Href: f.Page}, ui.Moment(f.CreatedAt)})
	}
	return t
}
