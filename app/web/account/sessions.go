package account

import (
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/identity"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// EndSession ends one session of the user.
func (h *Handlers) EndSession(c echo.Context) error {
	if err := h.Directory.EndSession(c.Request().Context(), page.Session(c), c.Param("id")); err != nil {
		return err
	}
	return page.Done(c, profilePath, "session-ended")
}

// EndOtherSessions ends every session of the user but this one.
func (h *Handlers) EndOtherSessions(c echo.Context) error {
	if err := h.Directory.EndOtherSessions(c.Request().Context(), page.Session(c)); err != nil {
		return err
	}
	return page.Done(c, profilePath, "sessions-ended")
}

// sessionTable lists sessions; the second result ends all but this one, where
// there are others.
func sessionTable(open []identity.OpenSession, csrf string) (ui.Table, *ui.Post) {
	t := ui.Table{Caption: "Sessions", Quiet: true, Columns: []ui.Column{
		{Label: "Browser"}, {Label: "Signed in (UTC)"}, {Label: "Last seen (UTC)"}, {Label: "Change"},
	}}
	for _, s := range open {
		change := ui.Cell{Text: "This one", Badge: true, Tone: ui.Info}
		if !s.Current {
			change = ui.Cell{Body: ui.PostButton(ui.Post{Action: profilePath + "/sessions/" + s.Handle + "/end", CSRF: csrf, Label: "End", Small: true})}
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: browser(s.UserAgent)}, when(&s.BeganAt), when(&s.SeenAt), change})
	}
	if len(open) < 2 {
		return t, nil
	}
	return t, &ui.Post{Action: profilePath + "/sessions/end-others", CSRF: csrf, Label: "End all other sessions"}
}

// browsers and systems by what user agents call them. The order matters: most
// name others, too, to be taken for them.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS", "Firefox"}, {"Chrome/", "Chrome"}, {"CriOS", "Chrome"}, {"Safari/", "Safari"}}
	systems  = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"}}
)

// browser names a browser in words, as far as it says what it is.
func browser(agent string) string {
	named := func(list [][2]string) string {
		for _, pair := range list {
			if strings.Contains(agent, pair[0]) {
				return pair[1]
			}
		}
		return ""
	}
	program, system := named(browsers), named(systems)
	switch {
	case program == "" && system == "":
		return "Unknown browser"
	case program == "":
		return "A browser on " + system
	case system == "":
		return program
	}
	return program + " on " + system
}
