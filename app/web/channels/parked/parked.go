// Package parked serves the desk at which administrators decide about messages of which
// nobody knows whether their carrier has them.
package parked

import (
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/parked"
	"heliograph/views/ui"
)

// Path is the address of the desk.
const Path = "/admin/parked-messages"

// Handlers answers the routes of the desk.
type Handlers struct{ Desk *pipeline.Parking }

var done = map[string]string{
	pipeline.ParkedArrived: "The message counts as sent.", pipeline.ParkedAgain: "The message is handed over again.", pipeline.ParkedFailed: "The message has failed, and the partner's webhook gets the status.",
}

// List lists the messages that wait for a person.
func (h *Handlers) List(c echo.Context) error {
	parts, err := h.Desk.List(c.Request().Context())
	if err != nil {
		return err
	}
	p := view.ListPage{Frame: page.AdministrationFrame(c, "Parked messages", Path)}
	p.Done = done[c.QueryParam("done")]
	p.Messages = ui.Table{Caption: "Messages that wait for a decision", Quiet: true, Columns: []ui.Column{
		{Label: "Message", Lead: true}, {Label: "Organisation", Plain: true}, {Label: "Carrier", Plain: true}, {Label: "Kind", Plain: true}, {Label: "Accepted (UTC)"}, {Label: "Parked (UTC)"},
	}}
	for _, m := range parts {
		p.Messages.Rows = append(p.Messages.Rows, []ui.Cell{
			{Text: messaging.MessageID(m.MessageID), Mono: true, Href: address(m.MessageID)}, {Text: m.Organisation, Href: h.organisation(m)},
			{Text: m.Carrier}, {Text: m.MessageKind}, when(m.CreatedAt), when(m.ParkedAt),
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.List(p)})
}

func when(t time.Time) ui.Cell { return ui.Minute(t) }

func address(id uuid.UUID) string { return Path + "/" + id.String() }

func (h *Handlers) organisation(m models.ParkedPart) string {
	return page.OrganisationsPath + "/" + strconv.FormatInt(m.OrganisationID, 10)
}

// Show shows a message and what can be decided about it.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, "", &page.Problems{})
}

// idOf returns the message that an address names.
func idOf(c echo.Context) (uuid.UUID, error) {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return id, fault.New(fault.NotFound, "This message does not exist.")
	}
	return id, nil
}

// Decide does with a message what was decided.
func (h *Handlers) Decide(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	var f struct {
		Decision string `form:"decision"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	if err := h.Desk.Decide(c.Request().Context(), id, f.Decision, page.User(c).Actor()); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f.Decision, problems) })
	}
	return page.Done(c, Path, f.Decision)
}

func (h *Handlers) render(c echo.Context, status int, decision string, problems *page.Problems) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	m, err := h.Desk.Get(c.Request().Context(), id)
	if err != nil {
		return err
	}
	p := view.ShowPage{Frame: page.AdministrationFrame(c, "A parked message", Path).Under("Parked messages", Path), Problem: problems.Form}
	p.Facts = []ui.Pair{
		{Key: "Message", Value: messaging.MessageID(m.MessageID), Mono: true}, {Key: "Organisation", Value: m.Organisation, Href: h.organisation(m)},
		{Key: "Carrier", Value: m.Carrier}, {Key: "Sender", Value: m.Sender, Mono: true}, {Key: "Recipient", Value: m.Recipient, Mono: true}, {Key: "Kind", Value: m.MessageKind},
		{Key: "Accepted (UTC)", Value: when(m.CreatedAt).Text, At: m.CreatedAt}, {Key: "Parked (UTC)", Value: when(m.ParkedAt).Text, At: m.ParkedAt}, {Key: "Hand-overs", Value: strconv.Itoa(m.HandOver)},
	}
	if page.IsSuperAdmin(c) {
		p.Decision = &view.DecisionForm{Action: address(id), CSRF: p.CSRF, Decision: ui.Select{
			Name: "decision", Label: "Outcome", Value: decision, Error: problems.Fields["decision"], Options: []ui.Option{
				{Label: "Choose an outcome"}, {Value: pipeline.ParkedArrived, Label: "It arrived: it counts as sent"}, {Value: pipeline.ParkedAgain, Label: "Send it again: the recipient may get it twice"},
				{Value: pipeline.ParkedFailed, Label: "Fail it: the partner gets the status, and a fallback is sent"},
			},
		}}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Show(p)})
}
