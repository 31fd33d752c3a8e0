package sdk

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	generator "heliograph/app/documentation/sdk"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/reader/sdk"
	"heliograph/views/ui"
)

// AdminPath is the address of the list of builds.
const AdminPath = "/admin/sdks"

var states = map[string]ui.Cell{
	models.SDKBuilt:   {Text: "Built", Badge: true, Tone: ui.Good},
	models.SDKFailed:  {Text: "Failed", Badge: true, Tone: ui.Bad},
	models.SDKWaiting: {Text: "Waiting", Badge: true, Tone: ui.Warn},
}

// List handles GET of the list of builds.
func (h *Handlers) List(c echo.Context) error {
	list, err := h.Builds.List(c.Request().Context())
	if err != nil {
		return err
	}
	t := ui.Table{Caption: "Client libraries", Quiet: true, Columns: []ui.Column{
		{Label: "Version", Lead: true}, {Label: "Release", Numeric: true}, {Label: "Language"}, {Label: "State"}, {Label: "Library"}, {Label: "Size", Numeric: true}, {Label: "Details"}, {Label: "Change"},
	}}
	mayRetry := page.User(c).Role != identity.Viewer
	for _, b := range list {
		t.Rows = append(t.Rows, row(b, page.Token(c), mayRetry))
	}
	frame := page.AdministrationFrame(c, "Client libraries", AdminPath)
	return page.Render(c, http.StatusOK, page.View{Frame: frame.Page, Body: view.List(view.ListPage{Frame: frame, Table: t})})
}

func row(b models.SDKBuildListed, csrf string, mayRetry bool) []ui.Cell {
	title := b.Language
	if l := generator.Find(b.Language); l != nil {
		title = l.Title
	}
	name := b.Product + " " + b.Version
	cells := []ui.Cell{
		{Text: name, Href: "/sdk/" + b.Product + "/" + b.Version}, {Text: strconv.Itoa(b.Number)}, {Text: title}, states[b.State], {Text: b.SDKVersion}, {}, {Text: b.Error}, {},
	}
	if b.State == models.SDKBuilt {
		cells[5].Text = size(b.Size)
	}
	if b.State == models.SDKFailed && mayRetry {
		cells[7].Body = ui.PostButton(ui.Post{
			Action: fmt.Sprintf("%s/%d/%s/retry", AdminPath, b.ReleaseID, b.Language), CSRF: csrf, Label: "Build again", Object: title + " library of " + name, Small: true,
		})
	}
	return cells
}

// Retry handles POST of a build that failed.
func (h *Handlers) Retry(c echo.Context, id int64) error {
	if err := h.Builds.Retry(c.Request().Context(), id, c.Param("language"), page.User(c).Actor()); err != nil {
		return err
	}
	return page.SeeOther(c, AdminPath)
}
