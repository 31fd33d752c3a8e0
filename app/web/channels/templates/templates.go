// Package templates serves the desk at which administrators review the templates of live
// organisations.
package templates

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/templates"
	"heliograph/views/ui"
)

// Path is the address of the desk.
const Path = "/admin/message-templates"

// Handlers answers the routes of the desk.
type Handlers struct{ Desk templates.Desk }

// form is a decision about a template.
type form struct {
	Decision string `form:"decision"`
	Reason   string `form:"reason"`
	Category string `form:"category"`
	Revision int    `form:"revision"`
}

var reasonWords = map[string]string{
	"INVALID_FORMAT": "Its format is wrong", "INCORRECT_CATEGORY": "Its category is wrong", "TAG_CONTENT_MISMATCH": "Its language or content does not fit",
	"PROMOTIONAL": "It promotes where it must not", "ABUSIVE_CONTENT": "Its content is abusive", "SCAM": "It deceives people",
}

var categories = []ui.Option{{Value: "UTILITY", Label: "Utility"}, {Value: "MARKETING", Label: "Marketing"}, {Value: "AUTHENTICATION", Label: "Authentication"}}

// List lists the templates that wait for a review.
func (h *Handlers) List(c echo.Context) error {
	waiting, err := h.Desk.Waiting(c.Request().Context())
	if err != nil {
		return err
	}
	p := view.ListPage{Frame: page.AdministrationFrame(c, "Message templates", Path)}
	if c.QueryParam("done") == "decided" {
		p.Done = "The decision is stored, and the webhooks of the account get the status."
	}
	p.Waiting = ui.Table{Caption: "Templates that wait for a review", Quiet: true, Columns: []ui.Column{
		{Label: "Template", Lead: true}, {Label: "Language", Plain: true}, {Label: "Category", Plain: true}, {Label: "Organisation", Plain: true}, {Label: "Created (UTC)"},
	}}
	for _, t := range waiting {
		p.Waiting.Rows = append(p.Waiting.Rows, []ui.Cell{
			{Text: t.Name, Mono: true, Href: address(t.ID)}, {Text: t.Language}, {Text: t.Category}, {Text: t.Organisation, Href: h.organisation(t)}, when(t.CreatedAt),
		})
	}
	away, err := h.Desk.Away(c.Request().Context())
	if err != nil {
		return err
	}
	p.Away = awayTable(away)
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.List(p)})
}

// awayTable lists the templates that live at upstreams, with their states there.
func awayTable(away []models.ListedUpstreamTemplate) ui.Table {
	t := ui.Table{Caption: "Templates at carriers", Quiet: true, Columns: []ui.Column{
		{Label: "Template", Lead: true}, {Label: "Language", Plain: true}, {Label: "Organisation", Plain: true}, {Label: "Carrier", Plain: true}, {Label: "Here"}, {Label: "There", Plain: true}, {Label: "Last seen (UTC)"}, {Label: "Problem", Plain: true},
	}}
	for _, u := range away {
		seen, there := ui.Cell{Text: "Not yet"}, u.Status
		if u.ObservedAt != nil {
			seen = when(*u.ObservedAt)
		}
		if u.Reason != "" && u.Reason != "NONE" {
			there += " (" + u.Reason + ")"
		}
		t.Rows = append(t.Rows, []ui.Cell{
			{Text: u.Name, Mono: true, Href: address(u.TemplateID)}, {Text: u.Language}, {Text: u.Organisation}, {Text: u.Carrier}, {Text: u.OurStatus, Badge: true}, {Text: there}, seen, {Text: strings.TrimPrefix(u.Error, "carrier: ")},
		})
	}
	return t
}

func when(t time.Time) ui.Cell { return ui.Minute(t) }

func address(id int64) string { return Path + "/" + strconv.FormatInt(id, 10) }

func (h *Handlers) organisation(t models.DeskTemplate) string {
	return page.OrganisationsPath + "/" + strconv.FormatInt(t.OrganisationID, 10)
}

// Show shows a template, and the form of a review for one that waits.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, form{}, &page.Problems{})
}

// Decide stores a review.
func (h *Handlers) Decide(c echo.Context, id int64) error {
	var f form
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	err := h.Desk.Decide(c.Request().Context(), templates.Decision{
		ID: id, Revision: f.Revision, Decision: f.Decision, Reason: f.Reason, Category: f.Category, Actor: page.User(c).Actor(),
	})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	}
	return page.Done(c, Path, "decided")
}

func (h *Handlers) render(c echo.Context, status int, f form, problems *page.Problems) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	t, parts, err := h.Desk.Template(c.Request().Context(), id)
	if err != nil {
		return err
	}
	p := view.ShowPage{Frame: page.AdministrationFrame(c, t.Name, Path).Under("Message templates", Path), Problem: problems.Form}
	p.Facts = []ui.Pair{
		{Key: "Organisation", Value: t.Organisation, Href: h.organisation(t)}, {Key: "State", Value: t.Status}, {Key: "Category", Value: t.Category},
		{Key: "Language", Value: t.Language}, {Key: "Variables", Value: t.ParameterFormat}, {Key: "Created (UTC)", Value: when(t.CreatedAt).Text, At: t.CreatedAt}, {Key: "Revision", Value: strconv.Itoa(t.Revision)},
	}
	for _, part := range parts {
		p.Parts = append(p.Parts, ui.Pair{Key: part.Name, Value: part.Text})
	}
	if page.IsSuperAdmin(c) && t.Status == "PENDING" {
		p.Decision = decisionForm(t, f, problems)
		p.Decision.Action, p.Decision.CSRF = address(id), p.CSRF
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Show(p)})
}

func decisionForm(t models.DeskTemplate, f form, problems *page.Problems) *view.DecisionForm {
	d := &view.DecisionForm{Revision: strconv.Itoa(t.Revision)}
	d.Decision = ui.Select{Name: "decision", Label: "Decision", Value: f.Decision, Error: problems.Fields["decision"], Options: []ui.Option{
		{Value: templates.Approve, Label: "Approve it"}, {Value: templates.Reject, Label: "Reject it, for the reason below"},
	}}
	d.Reason = ui.Select{Name: "reason", Label: "Reason of a rejection", Value: f.Reason, Error: problems.Fields["reason"]}
	for _, reason := range templates.RejectionReasons {
		d.Reason.Options = append(d.Reason.Options, ui.Option{Value: reason, Label: reasonWords[reason]})
	}
	d.Category = ui.Select{Name: "category", Label: "Category of an approved template", Value: f.Category, Error: problems.Fields["category"], Options: categories}
	if f.Category == "" {
		d.Category.Value = t.Category
	}
	return d
}
