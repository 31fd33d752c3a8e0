package webhooks

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/web/page"
	"heliograph/app/web/people/home"
	view "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// List answers the route of the list of numbers.
type List struct{ webhooks *messaging.Webhooks }

// NewList makes the handler of the list.
func NewList(deps Deps) *List { return &List{deps.Webhooks} }

// Show lists the numbers of the organisation with their webhooks.
func (h *List) Show(c echo.Context) error {
	list, err := h.webhooks.ListWebhooks(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	p := view.WebhooksPage{Frame: page.AccountFrame(c, "Webhooks", page.AccountWebhooksPath), Docs: ui.Link{Label: "Contents of callbacks", Href: home.CallbackDocs}}
	p.Table = ui.Table{Caption: "Webhooks", Quiet: true, Columns: []ui.Column{{Label: "Number"}, {Label: "Name", Plain: true}, {Label: "State"}, {Label: "URL", Plain: true}}}
	p.Live = page.Refresh(c, ui.Live.Of("webhooks"), "webhooks", "callbacks throttle:3s")
	for _, w := range list {
		s := webhookState(w.Webhook)
		address := ui.Cell{Text: w.Webhook.URL, Mono: true}
		if w.Webhook.URL == "" {
			address = ui.Cell{Text: "Set the webhook", Href: numberPath(w)}
		}
		p.Table.Rows = append(p.Table.Rows, []ui.Cell{
			{Text: w.Number.Number, Mono: true, Href: numberPath(w)}, {Text: w.Number.VerifiedName},
			{Text: s.Label, Badge: true, Tone: s.Tone}, address,
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Webhooks(p)})
}
