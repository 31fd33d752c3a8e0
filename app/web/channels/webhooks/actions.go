package webhooks

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/fault"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// SetWebhook sets the webhook of a number.
func (h *Handlers) SetWebhook(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	var f webhookForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	set, err := f.read()
	if err == nil {
		err = h.Webhooks.SetWebhook(c.Request().Context(), w.Number, set, page.User(c).Actor())
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			urlProblem(problems)
			return h.showWebhook(c, w, shown{status: status, form: &f, problems: problems})
		})
	}
	return page.Done(c, webhookPath(w), "webhook-set")
}

// urlProblem moves a problem without a field to the field of the URL.
func urlProblem(p *page.Problems) {
	if p.Form != "" {
		p.Fields["url"], p.Form = p.Form, ""
	}
}

// act does an action without a form and returns to the webhook.
func (h *Handlers) act(c echo.Context, word string, do func(context.Context, models.NumberWebhook, string) error) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	err = do(c.Request().Context(), w, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.showWebhook(c, w, shown{status: status, problems: problems})
		})
	}
	return page.Done(c, webhookPath(w), word)
}

// ConfirmRemoveWebhook asks before a webhook is removed.
func (h *Handlers) ConfirmRemoveWebhook(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	if w.Webhook.URL == "" {
		return fault.New(fault.NotFound, "No webhook is set for this number.")
	}
	f := frame(c, "Remove the webhook of "+w.Number.Number, webhooksPath)
	f.Up = ui.Link{Label: "Webhook of " + w.Number.Number, Href: webhookPath(w)}
	return page.Confirm(c, f, ui.Question{
		Region: webhookRemoval, Text: "Callbacks for this number stop, and waiting ones are not posted. The headers are deleted. The signing secret and the log of callbacks stay.",
		Facts:  pairs("Phone number id", strconv.FormatInt(w.Number.ID, 10), "URL", w.Webhook.URL),
		Action: ui.Post{Action: webhookPath(w) + "/remove", Label: "Remove the webhook", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the webhook", Href: webhookPath(w)},
	}, "")
}

// RemoveWebhook removes the webhook of a number.
func (h *Handlers) RemoveWebhook(c echo.Context) error {
	return h.act(c, "webhook-removed", func(ctx context.Context, w models.NumberWebhook, actor string) error {
		return h.Webhooks.SetWebhook(ctx, w.Number, messaging.Webhook{}, actor)
	})
}

// EnableWebhook enables a webhook that was disabled after failures.
func (h *Handlers) EnableWebhook(c echo.Context) error {
	return h.act(c, "webhook-enabled", h.Webhooks.EnableWebhook)
}

// RotateSecret creates a new signing secret for a number.
func (h *Handlers) RotateSecret(c echo.Context) error {
	return h.act(c, "secret-rotated", func(ctx context.Context, w models.NumberWebhook, actor string) error {
		return h.Webhooks.RotateSecret(ctx, w.Number, actor)
	})
}

// ConfirmRetireSecret asks before the previous secret of a number is retired.
func (h *Handlers) ConfirmRetireSecret(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	f := frame(c, "Retire the previous secret of "+w.Number.Number, webhooksPath)
	f.Up = ui.Link{Label: "Webhook of " + w.Number.Number, Href: webhookPath(w)}
	question := askToRetire(secretOf{webhookPath(w), w.Number.PreviousSecret, w.Number.PreviousSecretUntil})
	question.Facts = append(pairs("Phone number id", strconv.FormatInt(w.Number.ID, 10)), question.Facts...)
	return page.Confirm(c, f, question, "")
}

// askToRetire returns the question before a secret is retired.
func askToRetire(of secretOf) ui.Question {
	until := ""
	if of.until != nil {
		until = clock(*of.until)
	}
	return ui.Question{
		Region: retireRegion, Text: "Callbacks are signed with the new secret only. An endpoint that still checks the previous one refuses them. A retired secret cannot be restored.",
		Facts:  pairs("Expires by itself", until),
		Action: ui.Post{Action: of.path + "/secret/retire", Label: "Retire the previous secret", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep both secrets", Href: of.path},
	}
}

// retireRegion is where the question opens before a secret is retired.
const retireRegion = ui.Confirm + "-retire"

// RetireSecret retires the previous secret of a number.
func (h *Handlers) RetireSecret(c echo.Context) error {
	return h.act(c, "secret-retired", func(ctx context.Context, w models.NumberWebhook, actor string) error {
		return h.Webhooks.RetireSecret(ctx, w.Number, actor)
	})
}

// RevealSecret shows the secrets that sign the callbacks of a number. Only this
// response has them.
func (h *Handlers) RevealSecret(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	secrets, err := h.Webhooks.RevealSecrets(c.Request().Context(), w.Number, page.User(c).Actor())
	if err != nil {
		return err
	}
	return h.showWebhook(c, w, shown{status: http.StatusOK, problems: &page.Problems{}, secrets: &secrets})
}

// TestWebhook posts a test event and shows its callback.
func (h *Handlers) TestWebhook(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	id, err := h.Webhooks.SendTest(c.Request().Context(), w, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.showWebhook(c, w, shown{status: status, problems: problems})
		})
	}
	return page.Done(c, logs.DeliveryPath(id), "tested")
}
