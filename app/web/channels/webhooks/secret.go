package webhooks

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	view "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// Reveal shows the secrets that sign the callbacks of a webhook. Only this response has
// them.
func (h *Handlers) Reveal(c echo.Context, w webhook) error {
	secrets, err := w.reveal(c.Request().Context())
	if err != nil {
		return h.again(c, w, shown{}, err)
	}
	return h.showSecrets(c, secrets)
}

// showSecrets shows secrets with the webhook as it is now.
func (h *Handlers) showSecrets(c echo.Context, secrets relay.Secrets) error {
	w, err := h.Find(c)
	if err != nil {
		return err
	}
	return h.render(c, w, shown{status: http.StatusOK, problems: &page.Problems{}, secrets: &secrets})
}

// Rotate creates a new signing secret.
func (h *Handlers) Rotate(c echo.Context, w webhook) error {
	made, err := w.rotate(c.Request().Context())
	switch {
	case err != nil:
		return h.again(c, w, shown{}, err)
	case made != nil:
		return h.showSecrets(c, *made)
	}
	return page.Done(c, w.about().path, "secret-rotated")
}

// retireRegion is where the question opens before a secret is retired.
const retireRegion = ui.Confirm + "-retire"

// AskRetire asks before the previous secret is retired.
func (h *Handlers) AskRetire(c echo.Context) (*page.Question, error) {
	w, err := h.Find(c)
	if err != nil {
		return nil, err
	}
	a := w.about()
	until := ""
	if a.previousUntil != nil {
		until = listing.Clock(*a.previousUntil)
	}
	f := page.AccountFrame(c, "Retire the previous secret of "+a.name, a.section)
	f.Up = a.link()
	return &page.Question{Frame: f, Question: ui.Question{
		Region: retireRegion, Text: "Callbacks are signed with the new secret only. An endpoint that still checks the previous one refuses them. A retired secret cannot be restored.",
		Facts:  append(a.facts, listing.Pairs("Expires by itself", until)...),
		Action: ui.Post{Label: "Retire the previous secret", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep both secrets"},
	}}, nil
}

// Retire retires the previous secret.
func (h *Handlers) Retire(c echo.Context) error {
	return h.act(c, func(ctx context.Context, w webhook) (string, string, error) {
		return w.about().path, "secret-retired", w.retire(ctx)
	})
}

// secretPart makes the part of the page about the secret.
func secretPart(a about, secrets *relay.Secrets) view.SecretPart {
	part := view.SecretPart{Note: a.words.secret}
	if !a.hasSecret {
		return part
	}
	part.Actions = []ui.Post{{Action: a.path + "/secret", Label: "Show the secret"}}
	if a.previous == nil {
		part.Actions = append(part.Actions, ui.Post{Action: a.path + "/secret/rotate", Label: "Rotate the secret"})
	} else {
		part.Note = "The previous secret signs every callback until " + listing.Clock(*a.previousUntil) + "."
		if a.words.signature != "" {
			part.Note = "Two secrets sign every callback until " + listing.Clock(*a.previousUntil) + ": webhook-signature carries both, " + a.words.signature + " the previous one."
		}
		part.Note += " Give the new secret to your endpoint, then retire the previous one. It also expires by itself."
		part.Retire = ui.Ask{Link: ui.Link{Label: "Retire the previous secret", Href: a.path + "/secret/retire"}, Region: retireRegion, Kind: ui.Danger}
	}
	if secrets == nil {
		return part
	}
	part.Actions = part.Actions[1:]
	part.Shown = []ui.Code{{Title: "Secret", Text: secrets.Current}}
	if secrets.Previous != "" {
		part.Shown = append(part.Shown, ui.Code{Title: "Previous secret", Text: secrets.Previous})
	}
	return part
}
