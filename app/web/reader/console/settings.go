package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db/models"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// Settings serves the page of the administration that shows or hides the console.
type Settings struct {
	Settings *setting.Settings
	Console  *Handlers // of administrators
}

// Show shows whether readers see the console, and the endpoints to call.
func (h *Settings) Show(c echo.Context) error {
	f := page.AdministrationFrame(c, "API console", StaffPath)
	p := views.StaffPage{Frame: f, Versions: h.Console.versions()}
	v, err := h.Settings.Console(c.Request().Context())
	if err != nil {
		return err
	}
	p.State, p.Tone = "Hidden from readers", ui.Tone("")
	p.Explanation = "The panel is on the page of each endpoint, and only administrators see it. The page /console answers 404."
	change := ui.Post{Action: StaffPath + "/settings", CSRF: f.CSRF, Label: "Show the console to readers", Kind: ui.Primary, Values: []ui.Pair{{Key: "shown", Value: "yes"}}}
	if v.Shown {
		p.State, p.Tone = "Shown to readers", ui.Good
		p.Explanation = "Everybody who reads the documentation can send calls to published servers and to the mock server. They leave from this installation."
		change.Label, change.Kind, change.Values = "Hide the console from readers", "", nil
	}
	if page.User(c).Role == identity.SuperAdmin {
		p.Change = change
	}
	switch c.QueryParam("done") {
	case "shown":
		p.Done = "Readers see the console."
	case "hidden":
		p.Done = "The console is hidden from readers."
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: views.Staff(p)})
}

// Save shows or hides the console.
func (h *Settings) Save(c echo.Context) error {
	var f struct {
		Shown string `form:"shown"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	if err := h.Settings.SaveConsole(c.Request().Context(), models.ConsoleSettings{Shown: f.Shown == "yes"}, page.User(c).Actor()); err != nil {
		return err
	}
	done := "hidden"
	if f.Shown == "yes" {
		done = "shown"
	}
	return page.Done(c, StaffPath, done)
}
