package webhooks

import (
	"context"
	"fmt"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// Numbers makes the handlers of the webhooks of numbers.
func Numbers(deps Deps) *Handlers {
	return &Handlers{deps.DB, func(c echo.Context) (webhook, error) {
		ctx := c.Request().Context()
		w, err := deps.Webhooks.FindWebhook(ctx, page.User(c).OrganisationID, c.Param("number"))
		if err != nil {
			return nil, err
		}
		stored, err := deps.Webhooks.Webhook(ctx, w.Number)
		return number{deps.Webhooks, w, stored, page.User(c).Actor()}, err
	}}
}

// number is the webhook of a number.
type number struct {
	rule   *messaging.Webhooks
	found  models.NumberWebhook
	stored messaging.Webhook
	actor  string
}

func numberPath(w models.NumberWebhook) string {
	return fmt.Sprintf("%s/%d", page.AccountWebhooksPath, w.Number.ID)
}

func (n number) about() about {
	number := n.found.Number
	return about{
		stored: n.found.Webhook, set: setting{url: n.stored.URL, headers: n.stored.Headers}, path: numberPath(n.found), subject: n.found.Webhook.Subject,
		section: page.AccountWebhooksPath, up: ui.Link{Label: "Webhooks", Href: page.AccountWebhooksPath}, title: "Webhook of " + number.Number, name: number.Number,
		facts: listing.Pairs("Phone number id", strconv.FormatInt(number.ID, 10)), hasSecret: true, previous: number.PreviousSecret, previousUntil: number.PreviousSecretUntil,
		words: numberWords,
	}
}

var numberWords = words{
	region: ui.Form.Of("webhook"), heading: "Endpoint", save: "Save the webhook", saved: "webhook-set",
	placeholder: "https://hooks.example.com/messages", hint: "Answer 2xx within 10 seconds.",
	headers: "Custom headers", headersHint: "One on each line, for example X-Webhook-Secret: b4f1c7d2. Every callback has them.",
	isRequired: true, missing: "Enter the URL of your endpoint, or remove the webhook.",
	removal: "Callbacks for this number stop, and waiting ones are not posted. The headers are deleted. The signing secret and the log of callbacks stay.",
	unset:   "No callbacks are posted for this number.", unreplayable: "Set a URL before you replay callbacks.", callbacks: "Show the callbacks",
	enable: "Enable the webhook", test: "Send a test event",
	secret: "The secret signs every callback. Check the signature to make sure that a callback comes from us.", signature: "X-Hub-Signature-256",
}

func (n number) set(ctx context.Context, s setting) error {
	return n.rule.SetWebhook(ctx, n.found.Number, messaging.Webhook{URL: s.url, Headers: s.headers}, n.actor)
}

func (n number) enable(ctx context.Context) error { return n.rule.EnableWebhook(ctx, n.found, n.actor) }

func (n number) reveal(ctx context.Context) (relay.Secrets, error) {
	return n.rule.RevealSecrets(ctx, n.found.Number, n.actor)
}

func (n number) rotate(ctx context.Context) (*relay.Secrets, error) {
	return nil, n.rule.RotateSecret(ctx, n.found.Number, n.actor)
}

func (n number) retire(ctx context.Context) error {
	return n.rule.RetireSecret(ctx, n.found.Number, n.actor)
}

func (n number) test(ctx context.Context) (int64, error) {
	return n.rule.SendTest(ctx, n.found, n.actor)
}

func (n number) count(ctx context.Context, r relay.ReplayRange) (int, error) {
	return n.rule.CountReplay(ctx, n.found, r)
}

func (n number) replay(ctx context.Context, r relay.ReplayRange) (models.Replay, error) {
	return n.rule.ReplayMany(ctx, n.found, r, n.actor)
}

func (n number) sample() (ui.Code, error) { return ui.Code{}, nil }
