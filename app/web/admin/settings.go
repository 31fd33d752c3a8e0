package admin

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/limit"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// Delivery is a page of settings about how a kind of message is delivered: the
// form, and the test of what it holds.
type Delivery struct {
	handlers    *Handlers
	kind        string // of messages
	path, title string
	// save changes the settings to what a form sent; value gives its fields.
	save func(ctx context.Context, value func(name string) string, actor string) error
	// show fills in what the page says about the settings as they are stored.
	show func(ctx context.Context, p *view.SettingsPage) (stored, error)
}

// stored are settings as they are kept: the values of the fields, never a
// secret, and the groups that the fields stand in.
type stored struct {
	values map[string]string
	groups func(e *entry) []view.SettingsGroup
}

// sent is a form that was sent and could not be carried out: the one of the
// settings, or of a test. The zero sent is none.
type sent struct {
	settings, test *page.Problems
}

// Show shows the settings.
func (d *Delivery) Show(c echo.Context) error { return d.render(c, http.StatusOK, sent{}) }

// Save changes the settings.
func (d *Delivery) Save(c echo.Context) error {
	if err := d.parse(c); err != nil {
		return err
	}
	err := d.save(c.Request().Context(), c.Request().PostFormValue, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return d.render(c, status, sent{settings: problems}) })
	}
	return page.Done(c, d.path, "saved")
}

// trialParameter says in an address which test the form that led there sent.
const trialParameter = "test"

// trials is how often an administrator may send a test: each can cost money.
var trials = limit.Limit{Name: "setting_test", Burst: 20, Period: time.Hour}

// Test sends a test and leads back to the page, which shows what came of it.
func (d *Delivery) Test(c echo.Context) error {
	if err := d.parse(c); err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), page.User(c).Actor()
	err := d.handlers.Limiter.Take(ctx, trials, actor)
	var id uuid.UUID
	if err == nil {
		id, err = d.handlers.Notifications.SendTest(ctx, d.kind, c.Request().PostFormValue("to"), actor)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return d.render(c, status, sent{test: problems}) })
	}
	return page.SeeOther(c, d.path+"?"+trialParameter+"="+id.String()+"#test")
}

// parse reads the form: its fields are asked for by name.
func (d *Delivery) parse(c echo.Context) error { return page.Bind(c, &struct{}{}) }

func (d *Delivery) render(c echo.Context, status int, refused sent) error {
	p := view.SettingsPage{Frame: frame(c, d.title, d.path), Action: d.path, Save: "Save " + d.title}
	kept, err := d.show(c.Request().Context(), &p)
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
		p.Done = "Saved. It holds for every message from now on."
	}
	p.Trial.Action = d.path + "/test"
	if err := d.tried(c, &p.Trial, refused.test); err != nil {
		return err
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Settings(p)})
}

// entry is a form of settings as it is shown: what each field holds, and what
// is wrong with it.
type entry struct {
	value    func(name string) string
	problems *page.Problems
	invalid  []ui.Input
}

// input is a field of the form.
func (e *entry) input(in ui.Input) ui.Input {
	in.Value, in.Error = e.value(in.Name), e.problems.Fields[in.Name]
	if in.Error != "" {
		e.invalid = append(e.invalid, in)
	}
	return in
}

func (e *entry) text(in ui.Input) templ.Component { return ui.TextField(e.input(in)) }

// secret is a field for a key or password, of which there may be one already.
// What is typed there never travels back.
func (e *entry) secret(in ui.Input, kept models.Secret) templ.Component {
	if kept != "" {
		in.Hint = strings.TrimSpace(in.Hint + " One is stored: leave this empty to keep it.")
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
