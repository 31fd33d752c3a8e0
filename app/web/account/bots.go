package account

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/rcs"
	"heliograph/app/web/bots"
	"heliograph/app/web/page"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

const (
	botsPath = "/account/bots"
	rcsDocs  = "/docs/rcs/1.0"
	maxBots  = 100
)

// Bots lists the RCS bots of the organisation.
func (h *Handlers) Bots(c echo.Context) error {
	listed, _, err := h.RCS.Bots(c.Request().Context(), page.User(c).OrganisationID, "", rcs.Page{Number: 1, Size: maxBots})
	if err != nil {
		return err
	}
	p := view.BotsPage{Frame: frame(c, "Bots", botsPath), Docs: ui.Link{Label: "Documentation", Href: rcsDocs}}
	p.Bots = ui.Table{Caption: "Bots", Quiet: true, Columns: []ui.Column{{Label: "Bot", Lead: true}, {Label: "Bot id"}, {Label: "Verification"}, {Label: "Launch"}}}
	for _, b := range listed {
		text := func(name string) string { s, _ := b[name].(string); return s }
		state := func(name string) ui.Cell {
			return ui.Cell{Text: text(name), Badge: true, Tone: bots.Tone(text(name))}
		}
		p.Bots.Rows = append(p.Bots.Rows, []ui.Cell{
			{Text: text("botName"), Href: botsPath + "/" + text("botId")}, {Text: text("botId"), Mono: true}, state("verificationStatus"), state("launchStatus"),
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Bots(p)})
}

// Bot shows a bot with its templates and test devices.
func (h *Handlers) Bot(c echo.Context) error {
	d, err := h.RCS.Details(c.Request().Context(), page.User(c).OrganisationID, c.Param("id"))
	if err != nil {
		return err
	}
	p := view.BotPage{Frame: frame(c, d.Name, botsPath)}
	p.Up = ui.Link{Label: "Bots", Href: botsPath}
	if p.Bot, err = bots.View(d, botsPath+"/"+d.ID); err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Bot(p)})
}

// BotImage answers with an image of a bot.
func (h *Handlers) BotImage(c echo.Context) error {
	i, err := h.RCS.Image(c.Request().Context(), page.User(c).OrganisationID, c.Param("id"), c.Param("name"))
	if err != nil {
		return err
	}
	return bots.WriteImage(c, i)
}
