package bots

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	view "heliograph/views/channels/bots"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// botForm is a decision about a bot or a template.
type botForm struct {
	Move     string `form:"move"`
	Template string `form:"template"`
	Reason   string `form:"reason"`
}

// Reviews answers the routes of the desk for bots of all organisations.
type Reviews struct{ RCS *rcs.Service }

// List lists the bots of all organisations and the templates to review.
func (h *Reviews) List(c echo.Context) error {
	ctx := c.Request().Context()
	listed, err := h.RCS.Desk.DeskBots(ctx)
	if err != nil {
		return err
	}
	waiting, err := h.RCS.Desk.DeskTemplates(ctx)
	if err != nil {
		return err
	}
	p := view.BotsPage{Frame: page.AdministrationFrame(c, "Bots", page.BotsPath)}
	p.Bots = ui.Table{Caption: "Bots", Quiet: true, Columns: []ui.Column{{Label: "Bot", Lead: true}, {Label: "Organisation", Plain: true}, {Label: "Verification"}, {Label: "Launch"}}}
	for _, b := range listed {
		p.Bots.Rows = append(p.Bots.Rows, []ui.Cell{
			{Text: b.Name, Href: page.BotsPath + "/" + b.ID}, {Text: b.Organisation}, {Text: b.Verification, Badge: true, Tone: Tone(b.Verification)}, {Text: b.Launch, Badge: true, Tone: Tone(b.Launch)},
		})
	}
	p.Templates = ui.Table{Caption: "Templates to review", Quiet: true, Columns: []ui.Column{{Label: "Template", Lead: true}, {Label: "Type"}, {Label: "Bot id"}}}
	for _, t := range waiting {
		p.Templates.Rows = append(p.Templates.Rows, []ui.Cell{{Text: t.Name, Href: page.BotsPath + "/" + t.BotID}, {Text: t.Type}, {Text: t.BotID, Mono: true}})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Bots(p)})
}

// Show shows a bot as a phone shows it, and what can be decided about it.
func (h *Reviews) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, botForm{}, &page.Problems{})
}

func (h *Reviews) render(c echo.Context, status int, f botForm, problems *page.Problems) error {
	d, err := h.RCS.Desk.Details(c.Request().Context(), 0, c.Param("id"))
	if err != nil {
		return err
	}
	p := view.BotPage{Frame: page.AdministrationFrame(c, d.Name, page.BotsPath).Under("Bots", page.BotsPath)}
	p.Done = map[string]string{"moved": "The state of the bot is changed. The organisation is notified.", "reviewed": "The review is stored. The organisation is notified."}[c.QueryParam("done")]
	if p.Bot, err = View(d, page.BotsPath+"/"+d.ID); err != nil {
		return err
	}
	p.Bot.Facts = append([]ui.Pair{{Key: "Organisation", Value: d.Organisation, Href: page.OrganisationsPath + "/" + fmt.Sprint(d.OrganisationID)}}, p.Bot.Facts...)
	if page.User(c).Role == identity.SuperAdmin {
		p.Forms = botForms(d, f, problems, p.CSRF)
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Bot(p)})
}

// botMoves are the moves of a bot in words.
var botMoves = map[lifecycle.Move]string{
	lifecycle.Verify: "Verify the bot", lifecycle.Reject: "Reject it, with a reason", lifecycle.RequestLaunch: "Put it forward for launch", lifecycle.Launch: "Launch it", lifecycle.RefuseLaunch: "Refuse the launch, with a reason",
	lifecycle.Suspend: "Suspend it, with a reason", lifecycle.Resume: "Let it send again", lifecycle.Unlaunch: "Take it back", lifecycle.EndLaunch: "Confirm that it is taken back",
}

// botForms returns what can be decided about a bot and its templates.
func botForms(d rcs.BotDetails, f botForm, problems *page.Problems, token string) (list []forms.Form) {
	reason := func(value string) []ui.TextArea {
		return []ui.TextArea{{Name: "reason", Label: "Reason", Hint: "The organisation reads it.", Value: value, Rows: 3, Error: problems.Fields["reason"]}}
	}
	move := ui.Select{Name: "move", Label: "Decision", Value: f.Move}
	for _, m := range lifecycle.Moves {
		if m.IsAllowed(d.RCSBot) {
			move.Options = append(move.Options, ui.Option{Value: string(m), Label: botMoves[m]})
		}
	}
	if len(move.Options) > 0 {
		list = append(list, forms.Form{
			Name: "move", Action: page.BotsPath + "/" + d.ID + "/moves", CSRF: token, Problem: problems.Form, Selects: []ui.Select{move}, Areas: reason(f.Reason), Submit: "Decide about the bot",
		})
	}
	template := ui.Select{Name: "template", Label: "Template", Value: f.Template}
	for _, t := range d.Templates {
		if t.State == lifecycle.Pending {
			template.Options = append(template.Options, ui.Option{Value: t.ID, Label: t.Name})
		}
	}
	if len(template.Options) > 0 {
		areas := reason(f.Reason)
		areas[0].Hint = "Leave it empty to approve the template. With a reason it is rejected."
		list = append(list, forms.Form{
			Name: "review", Action: page.BotsPath + "/" + d.ID + "/templates", CSRF: token, Selects: []ui.Select{template}, Areas: areas, Submit: "Store the review",
		})
	}
	return list
}

// Move changes the state of a bot.
func (h *Reviews) Move(c echo.Context) error {
	return h.decide(c, "moved", func(f botForm) error {
		return h.RCS.Desk.Make(c.Request().Context(), page.User(c).Actor(), c.Param("id"), lifecycle.Move(f.Move), f.Reason)
	})
}

// ReviewTemplate approves or rejects a template.
func (h *Reviews) ReviewTemplate(c echo.Context) error {
	return h.decide(c, "reviewed", func(f botForm) error {
		return h.RCS.Desk.ReviewTemplate(c.Request().Context(), page.User(c).Actor(), f.Template, f.Reason)
	})
}

func (h *Reviews) decide(c echo.Context, word string, decide func(botForm) error) error {
	var f botForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	if err := decide(f); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	}
	return page.Done(c, page.BotsPath+"/"+c.Param("id"), word)
}

// Image answers with an image of a bot.
func (h *Reviews) Image(c echo.Context) error {
	i, err := h.RCS.Desk.Image(c.Request().Context(), 0, c.Param("id"), c.Param("name"))
	if err != nil {
		return err
	}
	return WriteImage(c, i)
}
