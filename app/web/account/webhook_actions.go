package account

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/messaging"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

// SetWebhook sets where the callbacks of a number go.
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

// urlProblem puts what is wrong with the address, for which the rule names no
// field, to its field.
func urlProblem(p *page.Problems) {
	if p.Form != "" {
		p.Fields["url"], p.Form = p.Form, ""
	}
}

// act carries out an action that needs no form, and goes back to the webhook.
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

// ConfirmRemoveWebhook names the webhook that would be removed.
func (h *Handlers) ConfirmRemoveWebhook(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	if w.Webhook.URL == "" {
		return fault.New(fault.NotFound, "No webhook is set for this number.")
	}
	p := view.ConfirmPage{
		Frame: frame(c, "Remove the webhook of "+w.Number.Number, webhooksPath),
		Text:  "What becomes of your messages is told to nobody from then on, and callbacks that still wait are given up. Its headers are forgotten; the callbacks so far stay in the log, and the signing secret stays as it is.",
		Facts: pairs("Phone number id", strconv.FormatInt(w.Number.ID, 10), "Address", w.Webhook.URL),
		Back:  ui.Link{Label: "Keep it", Href: webhookPath(w)},
	}
	p.Up = ui.Link{Label: "Webhook of " + w.Number.Number, Href: webhookPath(w)}
	p.Action = ui.Post{Action: c.Request().URL.Path, CSRF: p.CSRF, Label: "Remove the webhook", Kind: ui.Danger}
	return page.Render(c, http.StatusOK, confirmView(c, p))
}

// RemoveWebhook makes the callbacks of a number go nowhere.
func (h *Handlers) RemoveWebhook(c echo.Context) error {
	return h.act(c, "webhook-removed", func(ctx context.Context, w models.NumberWebhook, actor string) error {
		return h.Webhooks.SetWebhook(ctx, w.Number, messaging.Webhook{}, actor)
	})
}

// EnableWebhook lets callbacks go out again.
func (h *Handlers) EnableWebhook(c echo.Context) error {
	return h.act(c, "webhook-enabled", h.Webhooks.EnableWebhook)
}

// RotateSecret gives a number a new signing secret.
func (h *Handlers) RotateSecret(c echo.Context) error {
	return h.act(c, "secret-rotated", func(ctx context.Context, w models.NumberWebhook, actor string) error {
		return h.Webhooks.RotateSecret(ctx, w.Number, actor)
	})
}

// RetireSecret ends the previous secret of a number.
func (h *Handlers) RetireSecret(c echo.Context) error {
	return h.act(c, "secret-retired", func(ctx context.Context, w models.NumberWebhook, actor string) error {
		return h.Webhooks.RetireSecret(ctx, w.Number, actor)
	})
}

// RevealSecret shows what signs the callbacks of a number, in this answer
// alone.
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

// TestWebhook posts a test event and goes on to its callback.
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
	return page.Done(c, fmt.Sprintf("%s/%d", deliveriesPath, id), "tested")
}
