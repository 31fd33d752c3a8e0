package admin

import (
	"cmp"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/limit"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// trialParameter says in an address which test the form that led there sent.
const trialParameter = "test"

// entry is a form of settings as it is shown: what each field holds, and what
// is wrong with it.
type entry struct {
	values   map[string]string
	problems *page.Problems
	invalid  []ui.Input
}

// input is a field of the form.
func (e *entry) input(in ui.Input) ui.Input {
	in.Value, in.Error = e.values[in.Name], e.problems.Fields[in.Name]
	if in.Error != "" {
		e.invalid = append(e.invalid, in)
	}
	return in
}

func (e *entry) text(in ui.Input) templ.Component { return ui.TextField(e.input(in)) }

// secret is a field for a key or password, of which there may be one already.
func (e *entry) secret(in ui.Input, stored models.Secret) templ.Component {
	if stored != "" {
		in.Hint = strings.TrimSpace(in.Hint + " One is stored: leave this empty to keep it.")
	}
	return ui.SecretField(e.input(in), stored != "")
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

// trial is the form that sends a test: with what is wrong with the one that was
// just sent, or with what came of the one that the address names.
func (h *Handlers) trial(c echo.Context, kind string, t view.Trial, refused *page.Problems) (view.Trial, error) {
	if refused != nil {
		t.To.Value, t.To.Error = c.FormValue("to"), cmp.Or(refused.Fields["to"], refused.Form)
		return t, nil
	}
	id, err := uuid.Parse(c.QueryParam(trialParameter))
	if err != nil {
		return t, nil // the address names none
	}
	to, attempt, err := queries.NotificationTrialGet(c.Request().Context(), h.DB, id, kind)
	if db.IsNoRows(err) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.To.Value, t.Answer = to, attempt.Answer
	switch attempt.Outcome {
	case models.OutcomeAccepted:
		t.Tone, t.Title = ui.Good, "Accepted by "+attempt.Provider
	case models.OutcomeRejected:
		t.Tone, t.Title = ui.Bad, "Refused by "+attempt.Provider
	default:
		t.Tone, t.Title = ui.Warn, "Not accepted just now by "+attempt.Provider
	}
	return t, nil
}

// trials is how often an administrator may send a test: each can cost money.
var trials = limit.Limit{Name: "setting_test", Burst: 20, Period: time.Hour}

// sendTrial sends a test and leads back to the page, which shows what came of
// it. show shows the page with what is in the way of the test.
func (h *Handlers) sendTrial(c echo.Context, kind, path string, show func(status int, refused *page.Problems) error) error {
	ctx, actor := c.Request().Context(), page.User(c).Actor()
	if err := h.Limiter.Take(ctx, trials, actor); err != nil {
		return page.Again(c, err, show)
	}
	id, err := h.Notifications.Try(ctx, kind, c.FormValue("to"), actor)
	if err != nil {
		return page.Again(c, err, show)
	}
	return page.SeeOther(c, path+"?"+trialParameter+"="+id.String()+"#test")
}

// orNone are the problems, or none.
func orNone(p *page.Problems) *page.Problems {
	if p == nil {
		return &page.Problems{}
	}
	return p
}

// saved says that a form was saved, where it led here.
func saved(c echo.Context) string {
	if c.QueryParam("done") == "saved" {
		return "Saved. It holds for every message from now on."
	}
	return ""
}
