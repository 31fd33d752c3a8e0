package login

import (
	"strings"
	"time"

	"heliograph/app/people/identity"
	"heliograph/views/ui"
)

// SessionTable lists the sessions of a user. If there is a path, every session but
// the current one can be ended below it. The second result ends all of them; it is
// nil if there are none.
func SessionTable(open []identity.OpenSession, path, csrf string) (ui.Table, *ui.Post) {
	t := ui.Table{Caption: "Sessions", Quiet: true, Columns: []ui.Column{{Label: "Browser"}, {Label: "Signed in (UTC)"}, {Label: "Last seen (UTC)"}}}
	if path != "" {
		t.Columns = append(t.Columns, ui.Column{Label: "Change"})
	}
	for _, s := range open {
		row := []ui.Cell{{Text: browser(s.UserAgent)}, moment(s.BeganAt), moment(s.SeenAt)}
		switch {
		case path != "" && s.Current:
			row = append(row, ui.Cell{Text: "This one", Badge: true, Tone: ui.Info})
		case path != "":
			row = append(row, ui.Cell{Body: ui.PostButton(ui.Post{Action: path + "/" + s.Handle + "/end", CSRF: csrf, Label: "End", Object: browser(s.UserAgent), Small: true})})
		}
		t.Rows = append(t.Rows, row)
	}
	if path == "" || len(open) < 2 {
		return t, nil
	}
	return t, &ui.Post{Action: path + "/end-others", CSRF: csrf, Label: "End all other sessions"}
}

func moment(t time.Time) ui.Cell {
	return ui.Minute(t)
}

// browsers and systems by their names in user agents. The order matters, because
// most user agents also contain the names of others.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS", "Firefox"}, {"Chrome/", "Chrome"}, {"CriOS", "Chrome"}, {"Safari/", "Safari"}}
	systems  = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"}}
)

// browser returns the name of a browser and its system.
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
