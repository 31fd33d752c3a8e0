// Package settings serves the settings by which SMS and emails are sent, and tries them.
package settings

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	view "heliograph/views/operation/settings"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB            db.Querier // read only
	Limiter       *limit.Limiter
	Notifications *notification.Service
	// Settings configures how Notifications sends SMS and emails.
	Settings *setting.Settings
}

// Sending handles the settings of how a kind of message is sent: the form, and
// the form that tests them.
type Sending struct {
	handlers    *Handlers
	kind        string // of messages
	path, title string
	// save stores the values of a form; value returns a field.
	save func(ctx context.Context, value func(name string) string, actor string) error
	// show fills in the texts of the page and returns the stored settings.
	show func(ctx context.Context, p *view.SettingsPage) (stored, error)
}

// stored holds the stored settings: the values of the fields, without secrets,
// and the groups of the fields.
type stored struct {
	values map[string]string
	groups func(e *entry) []view.SettingsGroup
}

// sent is the form that a request has sent: its problems, or the id of a test.
// The zero sent is no form.
type sent struct {
	settings, test *page.Problems
	testID         string
}

// Show shows the settings.
func (s *Sending) Show(c echo.Context) error { return s.render(c, http.StatusOK, sent{}) }

// Save changes the settings.
func (s *Sending) Save(c echo.Context) error {
	if err := s.parse(c); err != nil {
		return err
	}
	err := s.save(c.Request().Context(), c.Request().PostFormValue, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return s.render(c, status, sent{settings: problems}) })
	}
	return page.Done(c, s.path, "saved")
}

// trialParameter is the query parameter with the id of the last test.
const trialParameter = "test"

// trials limits the tests of an administrator. A test can cost money.
var trials = limit.Limit{Name: "setting_test", Burst: 20, Period: time.Hour}

// Test sends a test. The page shows the result.
func (s *Sending) Test(c echo.Context) error {
	if err := s.parse(c); err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), page.User(c).Actor()
	err := s.handlers.Limiter.Take(ctx, trials, actor)
	var id uuid.UUID
	if err == nil {
		id, err = s.handlers.Notifications.SendTest(ctx, s.kind, c.Request().PostFormValue("to"), actor)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return s.render(c, status, sent{test: problems}) })
	}
	if page.WantsFragment(c) && page.Target(c) != ui.Main {
		return s.render(c, http.StatusOK, sent{testID: id.String()})
	}
	return page.SeeOther(c, s.path+"?"+trialParameter+"="+id.String()+"#test")
}

// parse parses the form. Its fields are read by name.
func (s *Sending) parse(c echo.Context) error { return page.Bind(c, &struct{}{}) }

func (s *Sending) render(c echo.Context, status int, refused sent) error {
	p := view.SettingsPage{Frame: page.AdministrationFrame(c, s.title, s.path), Action: s.path, Save: "Save " + s.title}
	kept, err := s.show(c.Request().Context(), &p)
	if err != nil {
		return err
	}
	e := &entry{value: func(name string) string { return kept.values[name] }, problems: &page.Problems{}}
	if refused.settings != nil {
		e.value, e.problems = c.Request().PostFormValue, refused.settings
	}
	p.Groups, p.Problem = kept.groups(e), e.problems.Form
	p.Invalid = e.invalid
	if c.QueryParam("done") == "saved" {
		p.Done = "Saved. New messages use these settings."
	}
	p.Trial.Action = s.path + "/test"
	if err := s.tried(c, &p.Trial, refused); err != nil {
		return err
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Settings(p), Region: page.Current(status)})
}

// entry builds the fields of a form with their values and problems.
type entry struct {
	value    func(name string) string
	problems *page.Problems
	invalid  []ui.Input
}

// input completes a field of the form.
func (e *entry) input(in ui.Input) ui.Input {
	in.Value, in.Error = e.value(in.Name), e.problems.Fields[in.Name]
	if in.Error != "" {
		e.invalid = append(e.invalid, in)
	}
	return in
}

func (e *entry) text(in ui.Input) templ.Component { return ui.TextField(e.input(in)) }

// secret returns a field for a key or password, of which one may be stored
// already. Its value is never sent to the browser.
func (e *entry) secret(in ui.Input, kept models.Secret) templ.Component {
	if kept != "" {
		in.Hint = strings.TrimSpace(in.Hint + " A value is stored. Leave this empty to keep it.")
	}
	in = e.input(in)
	in.Value = ""
	return ui.SecretField(in, kept != "")
}

func (e *entry) radios(r ui.Radios) templ.Component {
	in := e.input(ui.Input{Name: r.Name, Label: r.Label})
	r.Value, r.Error = in.Value, in.Error
	return ui.RadioField(r)
}

func (e *entry) choice(s ui.Select) templ.Component {
	in := e.input(ui.Input{Name: s.Name, Label: s.Label})
	s.Value, s.Error = in.Value, in.Error
	return ui.SelectField(s)
}
