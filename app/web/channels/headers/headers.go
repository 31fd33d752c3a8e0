// Package headers serves the desk at which administrators decide who owns an SMS
// header.
package headers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/sms"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/headers"
	"heliograph/views/ui"
)

// Path is the address of the desk.
const Path = "/admin/sms-headers"

// Handlers answers the routes of the desk.
type Handlers struct{ Desk sms.HeaderDesk }

// form is a decision about a header.
type form struct {
	Decision string `form:"decision"`
	Reason   string `form:"reason"`
}

// stateWords names the states for administrators.
var stateWords = map[string]string{
	models.HeaderRequested: "Requested", models.HeaderGranted: "Granted", models.HeaderContested: "Contested", models.HeaderDeclined: "Declined", models.HeaderReleased: "Given back",
}

// StateWord returns the name of a state of a header.
func StateWord(state string) string { return stateWords[state] }

// tone returns the tone of a state of a header.
func tone(state string) ui.Tone {
	switch state {
	case models.HeaderGranted:
		return ui.Good
	case models.HeaderDeclined:
		return ui.Bad
	case models.HeaderContested:
		return ui.Warn
	}
	return ui.Info
}

var kindWords = map[string]string{
	string(sms.Transactional): "India, transactional", string(sms.Promotional): "India, promotional", string(sms.International): "Other countries",
}

// List lists the headers of all organisations, with the ones to decide apart.
func (h *Handlers) List(c echo.Context) error {
	all, err := h.Desk.Headers(c.Request().Context())
	if err != nil {
		return err
	}
	p := view.ListPage{Frame: page.AdministrationFrame(c, "SMS headers", Path)}
	p.Waiting, p.Decided = table("Headers that wait for a decision", "Asked for (UTC)"), table("Decided headers", "Decided (UTC)")
	for _, header := range all {
		row := []ui.Cell{
			{Text: header.Header, Mono: true, Href: address(header.ID)}, {Text: header.Organisation, Href: h.organisation(header.OrganisationID)},
			{Text: kindWords[header.Kind]}, {Text: StateWord(header.State), Badge: true, Tone: tone(header.State)},
		}
		if header.IsUndecided() {
			p.Waiting.Rows = append(p.Waiting.Rows, append(row, when(&header.CreatedAt)))
		} else {
			p.Decided.Rows = append(p.Decided.Rows, append(row, when(header.DecidedAt)))
		}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.List(p)})
}

func table(caption, at string) ui.Table {
	return ui.Table{Caption: caption, Quiet: true, Columns: []ui.Column{{Label: "Header", Lead: true}, {Label: "Organisation", Plain: true}, {Label: "Kind", Plain: true}, {Label: "State"}, {Label: at}}}
}

func when(t *time.Time) ui.Cell {
	if t == nil {
		return ui.Cell{}
	}
	return ui.Minute(*t)
}

func address(id int64) string { return Path + "/" + strconv.FormatInt(id, 10) }

func (h *Handlers) organisation(id int64) string {
	return page.OrganisationsPath + "/" + strconv.FormatInt(id, 10)
}

// Show shows a header, the other organisations that use it, and what can be decided.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, form{}, &page.Problems{})
}

// Decide stores a decision.
func (h *Handlers) Decide(c echo.Context, id int64) error {
	var f form
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	err := h.Desk.Decide(c.Request().Context(), sms.HeaderDecision{ID: id, Decision: f.Decision, Reason: f.Reason, Actor: page.User(c).Actor()})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	}
	return page.Done(c, address(id), "decided")
}

func (h *Handlers) render(c echo.Context, status int, f form, problems *page.Problems) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	d, err := h.Desk.Header(c.Request().Context(), id)
	if err != nil {
		return err
	}
	p := view.ShowPage{Frame: page.AdministrationFrame(c, d.SMSHeader.Header, Path).Under("SMS headers", Path), Problem: problems.Form}
	if c.QueryParam("done") == "decided" {
		p.Done = "The decision is stored. The owners of the organisation get an email."
	}
	p.Facts = h.facts(d)
	p.Others = ui.Table{
		Caption: "Other organisations with this header or a look-alike", Quiet: true,
		Columns: []ui.Column{{Label: "Organisation", Lead: true}, {Label: "Header"}, {Label: "State"}, {Label: "Messages in 30 days", Numeric: true}, {Label: "Last sent (UTC)"}},
	}
	for _, other := range d.Others {
		p.Others.Rows = append(p.Others.Rows, []ui.Cell{
			{Text: other.Organisation, Href: address(other.ID)}, {Text: strings.ReplaceAll(other.Header, " ", "\u00a0"), Mono: true}, {Text: StateWord(other.State), Badge: true, Tone: tone(other.State)}, {Text: messages(other.Usage.Messages)}, when(other.Usage.LastAt),
		})
	}
	if d.State == models.HeaderContested {
		p.Warning = "More than one organisation uses this header. Nobody receives the replies to it until you grant it to one of them. The others lose it."
	}
	if decisions := sms.Decisions(d.State); page.IsSuperAdmin(c) && len(decisions) > 0 {
		p.Decision = decisionForm(d, f, problems)
		p.Decision.Action, p.Decision.CSRF = address(id), p.CSRF
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Show(p)})
}

func (h *Handlers) facts(d sms.HeaderDetails) []ui.Pair {
	facts := []ui.Pair{
		{Key: "Organisation", Value: d.Organisation, Href: h.organisation(d.OrganisationID)},
		{Key: "State", Value: StateWord(d.State)}, {Key: "Kind", Value: kindWords[d.Kind]},
		{Key: "Asked for (UTC)", Value: when(&d.CreatedAt).Text, At: d.CreatedAt},
	}
	for _, fact := range []ui.Pair{{Key: "Decided (UTC)", Value: when(d.DecidedAt).Text, At: when(d.DecidedAt).At}, {Key: "Reason", Value: d.Reason}} {
		if fact.Value != "" {
			facts = append(facts, fact)
		}
	}
	facts = append(facts, ui.Pair{Key: "Messages in 30 days", Value: messages(d.Usage.Messages)})
	if d.NumberOwner != 0 {
		facts = append(facts, ui.Pair{Key: "Number of", Value: "another organisation, which receives SMS here", Href: h.organisation(d.NumberOwner) + "/sms"})
	}
	return facts
}

// mostMessages is the count at which the usage stops.
const mostMessages = 1000

func messages(n int64) string {
	if n >= mostMessages {
		return "1,000 or more"
	}
	return strconv.FormatInt(n, 10)
}

var decisionWords = map[string]string{
	sms.GrantHeader: "Grant it to the organisation", sms.DeclineHeader: "Decline it, with a reason", sms.WithdrawHeader: "Withdraw it, with a reason",
}

func decisionForm(d sms.HeaderDetails, f form, problems *page.Problems) *view.DecisionForm {
	decision := ui.Select{Name: "decision", Label: "Decision", Value: f.Decision, Error: problems.Fields["decision"]}
	for _, word := range sms.Decisions(d.State) {
		decision.Options = append(decision.Options, ui.Option{Value: word, Label: decisionWords[word]})
	}
	reason := ui.TextArea{Name: "reason", Label: "Reason", Hint: "The organisation reads it.", Value: f.Reason, Rows: 3, Error: problems.Fields["reason"]}
	return &view.DecisionForm{Decision: decision, Reason: reason, Reasoned: !slices.Equal(sms.Decisions(d.State), []string{sms.GrantHeader})}
}
