package ownbots

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/lists"
	"heliograph/app/web/channels/bots"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	view "heliograph/views/channels/ownbots"
	webhooksview "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// render shows the page of a bot.
func (h *Handlers) render(c echo.Context, status int, state botPage) error {
	ctx := c.Request().Context()
	d, err := h.RCS.Desk.Details(ctx, page.User(c).OrganisationID, c.Param("id"))
	if err != nil {
		return err
	}
	at := page.AccountBotsPath + "/" + d.ID
	p := view.BotPage{
		Frame: page.AccountFrame(c, d.Name, page.AccountBotsPath), Problem: state.problems.Form, Missing: missingOf(d),
		Events: ui.Link{Label: "Where its events go", Href: at + "/webhook"}, Docs: ui.Link{Label: "Documentation", Href: rcsDocs},
		Simulator: ui.Link{Label: "Open in the simulator", Href: inSimulator(d.ID, "")},
	}
	p.Up = ui.Link{Label: "Bots", Href: page.AccountBotsPath}
	if p.Bot, err = bots.View(d, at); err != nil {
		return err
	}
	for i, t := range p.Bot.Templates {
		p.Bot.Templates[i].Simulator = ui.Link{Label: "Open in the simulator", Href: inSimulator(d.ID, t.Name)}
	}
	if d.Sandbox {
		p.Recipients, p.Sample = rcsRecipients, rcsSample(d, h.PublicURL)
	}
	if page.MayDevelop(c) {
		p.Device, p.Secret = deviceForm(at, p.CSRF, state), clientSecret(d, at, p.CSRF, state.secret)
		if d.Sandbox {
			taps, err := h.RCS.Desk.Suggestions(ctx, d)
			if err != nil {
				return err
			}
			p.Play = playForm(at, p.CSRF, taps, state)
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Bot(p)})
}

// completeNames are the fields that a bot needs for verification, in words.
var completeNames = map[string]string{
	"botLogoImage": "a logo (botLogoImage)", "botBannerImage": "a banner (botBannerImage)", "termsofUseUrl": "the address of the terms of use (termsofUseUrl)",
	"privacyPolicyUrl": "the address of the privacy policy (privacyPolicyUrl)",
}

// missingOf says what a bot lacks before it can be submitted for verification.
func missingOf(d rcs.BotDetails) string {
	missing := lists.Map(rcs.Missing(d.Profile), func(field string) string { return cmp.Or(completeNames[field], field) })
	if len(missing) == 0 {
		return ""
	}
	list := missing[0]
	if last := len(missing) - 1; last > 0 {
		list = strings.Join(missing[:last], ", ") + " and " + missing[last]
	}
	return "The bot still needs " + list + ". Set it with update-bot, then submit the bot."
}

func deviceForm(at, token string, state botPage) *view.BotForm {
	wrong := state.problems.Fields
	return &view.BotForm{Action: at + "/devices", CSRF: token, Label: "Invite the phone", Inputs: []ui.Input{
		{
			Name: "phone_number", Label: "Phone number", Type: "tel", Value: state.number, Required: true, Placeholder: "+919812345678",
			Hint: "Its owner gets an invitation to accept. A bot invites up to 20 phones a day.", Error: wrong["phoneNumber"],
		},
		{Name: "name", Label: "Name of the phone", Value: state.name, Error: wrong["name"]},
	}}
}

// clientSecret shows what can be done with the client secret of a bot; nil before
// its verification.
func clientSecret(d rcs.BotDetails, at, token, made string) *webhooksview.SecretPart {
	if d.ClientID == nil {
		return nil
	}
	action := ui.Post{Action: at + "/client-secret", CSRF: token, Label: "Make a client secret"}
	part := &webhooksview.SecretPart{Note: "With its client id " + *d.ClientID + " and this secret, an operator can tell that the bot is yours. Requests to the API do not need it."}
	if d.HasSecret {
		action.Label = "Make a new client secret"
		part.Note += " The secret was shown when it was made. A new one replaces it."
	}
	part.Actions = []ui.Post{action}
	if made != "" {
		part.Shown = []ui.Code{{Title: "Client secret, shown this once", Text: made}}
	}
	return part
}

// playForm lets a person answer a bot of a sandbox.
func playForm(at, token string, taps []rcs.Suggestion, state botPage) *view.PlayForm {
	wrong, a := state.problems.Fields, state.answer
	f := &view.PlayForm{
		Action: at + "/answers", CSRF: token,
		From: ui.Input{Name: "from", Label: "From", Type: "tel", Value: cmp.Or(a.From, "+919812345678"), Required: true, Error: wrong["from"]},
		Act: ui.Select{Name: "act", Label: "What the person does", Value: a.Act, Error: wrong["act"], Options: []ui.Option{
			{Value: rcs.AnswerText, Label: "Writes a text"}, {Value: rcs.AnswerTyping, Label: "Begins to type"},
			{Value: rcs.AnswerLocation, Label: "Shares a location"}, {Value: rcs.AnswerFile, Label: "Sends a picture"},
		}},
		Text: ui.Input{Name: "text", Label: "Text", Value: a.Text, Hint: "Only for a text. STOP and START are obeyed.", Error: wrong["text"]},
	}
	for _, t := range taps {
		label := "Taps “" + t.Text + "”"
		if t.From != "" {
			label += " of " + t.From
		}
		f.Act.Options = append(f.Act.Options, ui.Option{Value: t.ID, Label: label})
	}
	return f
}

// rcsSample is a request that the sandbox accepts.
func rcsSample(d rcs.BotDetails, publicURL string) ui.Code {
	to := "+919812340019"
	if d.Launch != lifecycle.Launched && len(d.Devices) > 0 {
		to = "+" + d.Devices[0].Number
	}
	return ui.Code{Title: "curl", Language: "shell", Text: fmt.Sprintf(`curl %s/api/v1/send-message \
  -H 'apikey: <API_KEY>' -H 'Content-Type: application/json' \
  -d '{"botId": %q, "to": %q,
       "contentMessage": {"text": "Your parcel arrives today.",
         "suggestions": [{"reply": {"text": "Track", "postbackData": "track"}}]}}'`, publicURL, d.ID, to)}
}

// rcsRecipients are the documented recipients of the sandbox.
var rcsRecipients = ui.Table{
	Caption: "Recipients to try", Quiet: true, Columns: []ui.Column{{Label: "Number ends in"}, {Label: "What happens", Plain: true}},
	Rows: [][]ui.Cell{
		listing.Ending("0011", "fails: the phone cannot receive RCS (404)"),
		listing.Ending("0012", "fails: do-not-disturb (423)"),
		listing.Ending("0013", "sent, never delivered: with a ttl it expires"),
		listing.Ending("0014", "delivered, never read"),
		listing.Ending("0015", "delivered after 10 s, read after 20 s"),
		listing.Ending("0016", "the network is busy twice, then as any other"),
		listing.Ending("0017", "fails: the recipient has opted out (410)"),
		listing.Ending("0018", "read, then answered with a text"),
		listing.Ending("0019", "read, then the first suggestion is tapped"),
		listing.Ending("0020", "read, then a location is shared"),
		{{Text: "anything else"}, {Text: "delivered and read at once"}},
	},
}
