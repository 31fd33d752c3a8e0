package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/web/channels/ownbots"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// Bots makes the handlers of the webhooks of bots.
func Bots(deps Deps) *Handlers {
	return &Handlers{deps.DB, func(c echo.Context) (webhook, error) {
		w, err := deps.RCS.Webhooks.Webhook(c.Request().Context(), page.User(c).OrganisationID, c.Param("id"))
		return bot{deps.RCS.Webhooks, w, ownbots.By(c)}, err
	}}
}

// bot is the webhook of a bot.
type bot struct {
	rule  *rcs.Webhooks
	found rcs.BotWebhook
	by    rcs.By
}

func (b bot) about() about {
	w := b.found
	return about{
		stored: w.Webhook, set: setting{url: w.Webhook.URL, headers: w.Headers, form: w.Bot.Transform}, path: page.AccountBotsPath + "/" + w.Bot.ID + "/webhook", subject: w.Bot.ID,
		section: page.AccountBotsPath, up: ui.Link{Label: w.Bot.Name, Href: page.AccountBotsPath + "/" + w.Bot.ID}, title: "Events of " + w.Bot.Name, name: w.Bot.Name,
		hasSecret: w.Webhook.ID != 0, previous: w.Webhook.PreviousSecret, previousUntil: w.Webhook.PreviousSecretUntil,
		words: botWords,
	}
}

var botWords = words{
	region: ui.Form.Of("events"), heading: "Endpoint", save: "Save the webhook", saved: "bot-webhook",
	placeholder: "https://hooks.example.com/rcs", hint: "Answer 2xx within 10 seconds. Empty for no events.",
	headers: "Headers of your own", headersHint: "One on each line. They are sent along with every event.",
	unset: "Events of this bot go nowhere.", unreplayable: "Set a URL before you replay events.", callbacks: "Events so far",
	enable: "Enable the webhook", test: "Send a test event",
	secret: "The secret signs every event. Your bots start with the same secret, unless a clientToken was set with the API.",
	forms: []ui.Option{
		{Value: "DEFAULT", Label: "DEFAULT: as the documentation shows"}, {Value: "GOOGLE_RBM", Label: "GOOGLE_RBM: as RCS Business Messaging posts"}, {Value: "MAAP", Label: "MAAP: as the GSMA's chatbot interface posts"},
	},
}

func (b bot) set(ctx context.Context, s setting) error {
	return b.rule.SetEvents(ctx, b.by, rcs.WebhookSetting{BotID: b.found.Bot.ID, URL: s.url, Headers: s.headers}, s.form)
}

func (b bot) enable(ctx context.Context) error { return b.rule.EnableWebhook(ctx, b.by, b.found) }

func (b bot) reveal(ctx context.Context) (relay.Secrets, error) {
	secret, err := b.rule.RevealSecret(ctx, b.by, b.found)
	return relay.Secrets{Current: secret}, err
}

func (b bot) rotate(ctx context.Context) (*relay.Secrets, error) {
	secret, err := b.rule.RotateSecret(ctx, b.by, b.found)
	return &relay.Secrets{Current: secret}, err
}

func (b bot) retire(ctx context.Context) error { return b.rule.RetireSecret(ctx, b.by, b.found) }

func (b bot) test(ctx context.Context) (int64, error) { return b.rule.SendTest(ctx, b.by, b.found) }

func (b bot) count(ctx context.Context, r relay.ReplayRange) (int, error) {
	return b.rule.CountReplay(ctx, b.found, r)
}

func (b bot) replay(ctx context.Context, r relay.ReplayRange) (models.Replay, error) {
	return b.rule.ReplayMany(ctx, b.by, b.found, r)
}

func (b bot) sample() (ui.Code, error) {
	body, header, err := rcs.Sample(b.found.Bot)
	if err != nil {
		return ui.Code{}, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, []byte(body), "", "  "); err != nil {
		return ui.Code{}, fmt.Errorf("writing an event: %w", err)
	}
	return ui.Code{Title: "POST to your URL, signed in " + header, Language: "json", Text: text.String()}, nil
}
