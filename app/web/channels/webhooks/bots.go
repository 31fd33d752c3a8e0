package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/channels/ownbots"
	"heliograph/app/web/labels"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// botWebhookForm is the form of the webhook of a bot.
type botWebhookForm struct {
	URL     string `form:"url"`
	Headers string `form:"headers"`
	Form    string `form:"form"`
}

// botWebhook is what the page shows beyond what is stored.
type botWebhook struct {
	form     *botWebhookForm // as it was sent
	replay   replayForm
	problems *page.Problems
	secret   string
}

// Show shows where the events of a bot go.
func (h *Bots) Show(c echo.Context) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	return h.render(c, w, http.StatusOK, botWebhook{problems: &page.Problems{}})
}

// find returns the webhook of the bot of the path.
func (h *Bots) find(c echo.Context) (rcs.BotWebhook, error) {
	return h.RCS.Webhooks.Webhook(c.Request().Context(), page.User(c).OrganisationID, c.Param("id"))
}

func botWebhookPath(w rcs.BotWebhook) string { return botsPath + "/" + w.Bot.ID + "/webhook" }

// Set sets where the events of a bot go. An empty address ends them.
func (h *Bots) Set(c echo.Context) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	var f botWebhookForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	url, headers, err := webhookForm{URL: f.URL, Headers: f.Headers}.readParts()
	if err == nil {
		err = h.RCS.Webhooks.SetEvents(c.Request().Context(), ownbots.By(c), rcs.WebhookSetting{BotID: w.Bot.ID, URL: url, Headers: headers}, f.Form)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			urlProblem(problems)
			return h.render(c, w, status, botWebhook{form: &f, problems: problems})
		})
	}
	return page.Done(c, botWebhookPath(w), "bot-webhook")
}

// showSecret shows a secret of a webhook, in this answer alone.
func (h *Bots) showSecret(c echo.Context, find func(context.Context, rcs.By, rcs.BotWebhook) (string, error)) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	secret, err := find(c.Request().Context(), ownbots.By(c), w)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, w, status, botWebhook{problems: problems})
		})
	}
	if w, err = h.find(c); err != nil { // it may have a previous secret now
		return err
	}
	return h.render(c, w, http.StatusOK, botWebhook{problems: &page.Problems{}, secret: secret})
}

// Reveal shows what signs the events of a bot.
func (h *Bots) Reveal(c echo.Context) error {
	return h.showSecret(c, h.RCS.Webhooks.RevealSecret)
}

// Rotate makes a new secret for the events of a bot and shows it.
func (h *Bots) Rotate(c echo.Context) error {
	return h.showSecret(c, h.RCS.Webhooks.RotateSecret)
}

// ConfirmRetire asks before the previous secret of a bot is retired.
func (h *Bots) ConfirmRetire(c echo.Context) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	f := frame(c, "Retire the previous secret of "+w.Bot.Name, botsPath)
	f.Up = ui.Link{Label: "Events of " + w.Bot.Name, Href: botWebhookPath(w)}
	question := askToRetire(botSecret(w))
	question.Facts = append(pairs("Bot", w.Bot.Name), question.Facts...)
	return page.Confirm(c, f, question, "")
}

// Retire retires the previous secret of a bot.
func (h *Bots) Retire(c echo.Context) error {
	return h.act(c, func(w rcs.BotWebhook) (string, string, error) {
		return botWebhookPath(w), "secret-retired", h.RCS.Webhooks.RetireSecret(c.Request().Context(), ownbots.By(c), w)
	})
}

// botSecret is the secret of the webhook of a bot, and the one before it.
func botSecret(w rcs.BotWebhook) secretOf {
	return secretOf{botWebhookPath(w), w.Webhook.PreviousSecret, w.Webhook.PreviousSecretUntil}
}

// act carries out an action on the webhook of a bot.
func (h *Bots) act(c echo.Context, act func(w rcs.BotWebhook) (address, word string, err error)) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	address, word, err := act(w)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, w, status, botWebhook{problems: problems})
		})
	}
	return page.Done(c, address, word)
}

// Enable lets the events of a bot go out again.
func (h *Bots) Enable(c echo.Context) error {
	return h.act(c, func(w rcs.BotWebhook) (string, string, error) {
		return botWebhookPath(w), "webhook-enabled", h.RCS.Webhooks.EnableWebhook(c.Request().Context(), ownbots.By(c), w)
	})
}

// Test sends an event and goes on to its callback.
func (h *Bots) Test(c echo.Context) error {
	return h.act(c, func(w rcs.BotWebhook) (string, string, error) {
		id, err := h.RCS.Webhooks.SendTest(c.Request().Context(), ownbots.By(c), w)
		return logs.DeliveryPath(id), "tested", err
	})
}

// ConfirmReplay counts events and asks before they are replayed.
func (h *Bots) ConfirmReplay(c echo.Context) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	return confirmReplay(c, h.replayable(c, w))
}

// Replay sends the events of a range again and shows them.
func (h *Bots) Replay(c echo.Context) error {
	w, err := h.find(c)
	if err != nil {
		return err
	}
	return replay(c, h.replayable(c, w))
}

// replayable returns the webhook of a bot for a replay.
func (h *Bots) replayable(c echo.Context, w rcs.BotWebhook) replayable {
	return replayable{
		path: botWebhookPath(w), up: ui.Link{Label: "Events of " + w.Bot.Name, Href: botWebhookPath(w)}, facts: pairs("Bot", w.Bot.Name, "URL", w.Webhook.URL),
		again: func(f replayForm, err error) error {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				return h.render(c, w, status, botWebhook{replay: f, problems: problems})
			})
		},
		count: func(ctx context.Context, r relay.ReplayRange) (int, error) {
			return h.RCS.Webhooks.CountReplay(ctx, w, r)
		},
		many: func(ctx context.Context, r relay.ReplayRange) (models.Replay, error) {
			return h.RCS.Webhooks.ReplayMany(ctx, ownbots.By(c), w, r)
		},
	}
}

func (h *Bots) render(c echo.Context, w rcs.BotWebhook, status int, s botWebhook) (err error) {
	p := view.BotWebhookPage{Frame: frame(c, "Events of "+w.Bot.Name, botsPath), State: webhookState(w.Webhook), Problem: s.problems.Form}
	p.Up = ui.Link{Label: w.Bot.Name, Href: botsPath + "/" + w.Bot.ID}
	p.Facts = []ui.Pair{{Key: "Callbacks", Value: "Events so far", Href: page.Address(deliveriesPath, page.Query("number", w.Bot.ID))}}
	if w.Webhook.URL == "" && w.Webhook.DisabledAt == nil {
		p.State.Note = "Events of this bot go nowhere."
	}
	if w.Webhook.Failures > 0 || w.Webhook.DisabledAt != nil {
		if p.Cause, err = lastFailure(c, h.DB, w.Webhook); err != nil {
			return err
		}
	}
	form := s.form
	if form == nil {
		form = &botWebhookForm{URL: w.Webhook.URL, Headers: headerLines(w.Headers), Form: w.Bot.Transform}
	}
	if mayDevelop(c) {
		p.Edit = editBotWebhook(w, form, s)
		p.Edit.Sign(p.CSRF)
		p.Form = ui.Select{Name: "form", Label: "Form of the events", Value: form.Form, Options: eventForms, Hint: "It applies to every later attempt, also of events that wait.", Error: s.problems.Fields["form"]}
	} else {
		p.Facts = append(p.Facts, pairs("URL", w.Webhook.URL, "Form of the events", labels.Of(eventForms, w.Bot.Transform))...)
	}
	body, header, err := rcs.Sample(w.Bot)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, []byte(body), "", "  "); err != nil {
		return fmt.Errorf("writing an event: %w", err)
	}
	p.Sample = ui.Code{Title: "POST to your URL, signed in " + header, Language: "json", Text: text.String()}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.BotWebhook(p)})
}

var eventForms = []ui.Option{
	{Value: "DEFAULT", Label: "DEFAULT: as the documentation shows"}, {Value: "GOOGLE_RBM", Label: "GOOGLE_RBM: as RCS Business Messaging posts"}, {Value: "MAAP", Label: "MAAP: as the GSMA's chatbot interface posts"},
}

// botSecretNote says what the secret of a bot is for.
const botSecretNote = "The secret signs every event. The first one of a bot is that of your account, unless a clientToken was set with the API."

func editBotWebhook(w rcs.BotWebhook, form *botWebhookForm, s botWebhook) *view.WebhookEdit {
	at := botWebhookPath(w)
	e := &view.WebhookEdit{
		Action: at,
		URL: ui.Input{
			Name: "url", Label: "URL", Type: "url", Value: form.URL, Placeholder: "https://hooks.example.com/rcs",
			Hint: "Answer 2xx within 10 seconds. Empty for no events.", Error: s.problems.Fields["url"],
		},
		Headers: ui.TextArea{
			Name: "headers", Label: "Headers of your own", Value: form.Headers, Rows: 3, Mono: true,
			Hint: "One on each line. They are sent along with every event.", Error: headerProblems(s.problems),
		},
		Secret: view.SecretPart{Note: botSecretNote},
	}
	if w.Webhook.ID != 0 {
		var secrets *relay.Secrets
		if s.secret != "" {
			secrets = &relay.Secrets{Current: s.secret}
		}
		e.Secret = secretPart(botSecret(w), secrets, secretNotes{one: botSecretNote})
	}
	switch {
	case w.Webhook.DisabledAt != nil:
		e.Actions = []ui.Post{{Action: at + "/enable", Label: "Enable the webhook"}}
	case w.Webhook.URL != "":
		e.Actions = []ui.Post{{Action: at + "/test", Label: "Send a test event"}}
		offerReplay(e, w.Webhook, s.replay, s.problems)
	}
	return e
}
