package page

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Question is what is asked before an action is done. It stands at the address of the
// action: GET asks, and POST acts. Its answer is posted there, and its way back leads to
// the page above, unless it says otherwise.
type Question struct {
	Frame layout.Frame
	ui.Question
	// Into is what the response to the action replaces where the question opened in place;
	// empty is the main part.
	Into ui.Region
}

// Asker returns the question before an action. It returns nil where it answered the
// request in another way.
type Asker func(c echo.Context) (*Question, error)

// Handler answers with the question.
func (ask Asker) Handler() echo.HandlerFunc {
	return func(c echo.Context) error {
		q, err := ask(c)
		if err != nil || q == nil {
			return err
		}
		return q.Show(c)
	}
}

// Show asks, on a page of its own or in the region with the action.
func (q Question) Show(c echo.Context) error {
	q.Action.Action = cmp.Or(q.Action.Action, c.Request().URL.EscapedPath())
	q.Back.Href = cmp.Or(q.Back.Href, q.Frame.Up.Href)
	q.InPlace, q.Action.CSRF = WantsFragment(c) && Target(c) == q.Region, q.Frame.CSRF
	if q.InPlace {
		q.Action.Into = q.Into
	}
	return Render(c, http.StatusOK, View{Frame: q.Frame.Page, Body: layout.Confirm(q.Frame, q.Question)})
}
