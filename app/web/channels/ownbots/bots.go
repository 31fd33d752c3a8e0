// Package ownbots serves the RCS bots of an organisation.
package ownbots

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/simulate"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/web/channels/bots"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/page"
	view "heliograph/views/channels/ownbots"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	PublicURL string // of the APIs
	RCS       *rcs.Service
}

const (
	rcsDocs = "/docs/rcs/1.0"
	maxBots = 100
)

// List lists the RCS bots of the organisation.
func (h *Handlers) List(c echo.Context) error {
	listed, _, err := h.RCS.Bots.Bots(c.Request().Context(), page.User(c).OrganisationID, "", rcs.Page{Number: 1, Size: maxBots})
	if err != nil {
		return err
	}
	p := view.BotsPage{Frame: page.AccountFrame(c, "Bots", page.AccountBotsPath), Docs: ui.Link{Label: "Documentation", Href: rcsDocs}}
	p.Bots = ui.Table{
		Caption: "Bots", Quiet: true,
		Columns: []ui.Column{{Label: "Bot", Lead: true}, {Label: "Bot id"}, {Label: "Verification"}, {Label: "Launch"}, {Label: "Missing for verification"}, {Label: "See it", Plain: true}},
	}
	for _, b := range listed {
		text := func(name string) string { s, _ := b[name].(string); return s }
		state := func(name string) ui.Cell {
			return ui.Cell{Text: text(name), Badge: true, Tone: bots.Tone(text(name))}
		}
		p.Bots.Rows = append(p.Bots.Rows, []ui.Cell{
			{Text: text("botName"), Href: page.AccountBotsPath + "/" + text("botId")}, {Text: text("botId"), Mono: true}, state("verificationStatus"), state("launchStatus"), {Text: strings.Join(rcs.Missing(b), ", ")},
			{Text: "Open in the simulator", Href: inSimulator(text("botId"), "")},
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Bots(p)})
}

// inSimulator returns the address of the simulator with a bot, or with a template of it.
func inSimulator(bot, template string) string {
	return "/simulators/rcs?example=" + url.QueryEscape(simulate.BotExample(bot, template))
}

// botPage is what the page of a bot shows beyond what is stored.
type botPage struct {
	number, name string     // of a device, as they were sent
	answer       rcs.Answer // as it was sent
	problems     *page.Problems
	secret       string // just made
}

// Show shows a bot with its templates and test devices.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, botPage{problems: &page.Problems{}})
}

// By returns the organisation and the user of a request.
func By(c echo.Context) rcs.By {
	user := page.User(c)
	return rcs.By{OrganisationID: user.OrganisationID, Actor: user.Actor()}
}

// InviteDevice invites a phone to test a bot.
func (h *Handlers) InviteDevice(c echo.Context) error {
	var f struct {
		Number string `form:"phone_number"`
		Name   string `form:"name"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	device := input.Object{"botId": c.Param("id"), "phoneNumber": strings.ReplaceAll(strings.TrimSpace(f.Number), " ", ""), "name": strings.TrimSpace(f.Name)}
	if _, err := h.RCS.Devices.AddDevice(c.Request().Context(), By(c), device); err != nil {
		return page.Again(c, deviceFault(err), func(status int, problems *page.Problems) error {
			return h.render(c, status, botPage{number: f.Number, name: f.Name, problems: problems})
		})
	}
	return page.Done(c, page.AccountBotsPath+"/"+c.Param("id"), "device")
}

// deviceFault words the errors of an invitation for its form. A phone that cannot
// take part is a field that is wrong.
func deviceFault(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Fields) == 0 {
		return err
	}
	words := map[string]string{
		"phoneNumber": "Enter a number with its country code, such as +919812345678.", "name": "Enter at most 100 characters.",
	}
	var wrong fault.Fields
	for _, field := range f.Fields {
		message := words[field.Name]
		if f.Kind != fault.Invalid || message == "" {
			message = f.Message
			if !strings.HasSuffix(message, ".") {
				message += "."
			}
			field.Name = "phoneNumber"
		}
		wrong.Add(field.Name, message)
	}
	return fault.InvalidFields(wrong...)
}

// IssueSecret makes a client secret, which this answer alone shows.
func (h *Handlers) IssueSecret(c echo.Context) error {
	secret, err := h.RCS.Desk.IssueSecret(c.Request().Context(), By(c), c.Param("id"))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, status, botPage{problems: problems})
		})
	}
	return h.render(c, http.StatusOK, botPage{problems: &page.Problems{}, secret: secret})
}

// PlayRecipient stores what a person does with a bot of a sandbox.
func (h *Handlers) PlayRecipient(c echo.Context) error {
	var f struct {
		From string `form:"from"`
		Act  string `form:"act"`
		Text string `form:"text"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	answer := rcs.Answer{From: f.From, Act: f.Act, Text: f.Text}
	id, err := h.RCS.Desk.Simulate(c.Request().Context(), By(c), c.Param("id"), answer)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, status, botPage{answer: answer, problems: problems})
		})
	}
	return page.Done(c, logs.DeliveryPath(id), "played")
}

// Image answers with an image of a bot.
func (h *Handlers) Image(c echo.Context) error {
	i, err := h.RCS.Desk.Image(c.Request().Context(), page.User(c).OrganisationID, c.Param("id"), c.Param("name"))
	if err != nil {
		return err
	}
	return bots.WriteImage(c, i)
}
