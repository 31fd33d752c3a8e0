// Package bots shows RCS bots to their organisations and to administrators.
package bots

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/lists"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// View returns an RCS bot as people see it. base is the start of the addresses of
// its images.
func View(d rcs.BotDetails, base string) (ui.Bot, error) {
	about, _ := d.Profile["shortDescription"].(string)
	b := ui.Bot{Name: d.Name, About: about, Facts: botFacts(d)}
	for _, name := range d.Images {
		switch address := base + "/images/" + name; {
		case name == "logo":
			b.Logo = address
		case name == "banner":
			b.Banner = address
		default:
			b.Screens = append(b.Screens, address)
		}
	}
	b.Devices = ui.Table{Caption: "Test devices", Quiet: true, Columns: []ui.Column{{Label: "Number"}, {Label: "Name", Plain: true}, {Label: "Answer"}}}
	for _, device := range d.Devices {
		b.Devices.Rows = append(b.Devices.Rows, []ui.Cell{{Text: "+" + device.Number, Mono: true}, {Text: device.Name}, {Text: device.State, Badge: true, Tone: Tone(device.State)}})
	}
	for _, t := range d.Templates {
		shown, err := rcs.NewPicture(t)
		if err != nil {
			return b, err
		}
		template := ui.BotTemplate{Name: t.Name, Type: t.Type, State: t.State, Reason: t.Reason, Tone: Tone(t.State), Text: shown.Text, Chips: chips(shown.Chips)}
		for _, card := range shown.Cards {
			template.Cards = append(template.Cards, ui.BotCard{Title: card.Title, Text: card.Text, Media: card.Media, Height: card.Height, Side: card.Side, Chips: chips(card.Chips)})
		}
		b.Templates = append(b.Templates, template)
	}
	return b, nil
}

func chips(shown []rcs.PictureChip) (all []ui.BotChip) {
	return lists.Map(shown, func(c rcs.PictureChip) ui.BotChip { return ui.BotChip(c) })
}

// botFacts lists what is known about a bot.
func botFacts(d rcs.BotDetails) []ui.Pair {
	facts := []ui.Pair{{Key: "Bot id", Value: d.ID, Mono: true}, {Key: "Verification", Value: d.Verification}, {Key: "Launch", Value: d.Launch}}
	add := func(key, value string) {
		if value != "" {
			facts = append(facts, ui.Pair{Key: key, Value: value})
		}
	}
	add("Reason", d.Reason)
	add("Missing for verification", strings.Join(rcs.Missing(d.Profile), ", "))
	if d.ClientID != nil {
		add("Client id", *d.ClientID)
	}
	for _, f := range []struct{ key, name string }{
		{"Messages", "botMessageType"}, {"Use case", "botUseCase"}, {"Brand", "brandName"}, {"Colour", "color"}, {"Terms of use", "termsofUseUrl"}, {"Privacy policy", "privacyPolicyUrl"},
	} {
		value, _ := d.Profile[f.name].(string)
		add(f.key, value)
	}
	for _, f := range []struct{ key, name string }{
		{"Contact", "contactEmail"}, {"How people agree", "optInDescription"}, {"How people opt out", "optOutDescription"}, {"How to try it", "agentAccessInstructions"},
	} {
		value, _ := d.Submission[f.name].(string)
		add(f.key, value)
	}
	add("Events go to", d.WebhookURL)
	add("Form of events", d.Transform)
	return facts
}

// Tone returns the tone of a state of a bot, a template or a test device.
func Tone(state string) ui.Tone {
	switch state {
	case lifecycle.Launched, "VERIFIED", "APPROVED", "ACCEPTED":
		return ui.Good
	case "REJECTED", "SUSPENDED", "DECLINED":
		return ui.Bad
	}
	return ui.Info
}

// WriteImage answers with an image of a bot.
func WriteImage(c echo.Context, i models.RCSImage) error {
	h := c.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, max-age=300")
	return c.Blob(http.StatusOK, i.MediaType, i.Content)
}
