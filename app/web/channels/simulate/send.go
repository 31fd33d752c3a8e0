package simulate

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/channels/simulate"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	views "heliograph/views/channels/simulate"
	"heliograph/views/ui"
)

// Sender sends texts in the sandbox of an organisation.
type Sender interface {
	MaySend(ctx context.Context, organisationID int64) (bool, error)
	Send(ctx context.Context, channel string, freeflow bool, organisationID int64, text string) (rule.Sent, error)
}

// Send returns the handler that sends a text in the sandbox of the organisation that is
// signed in. A text with problems is shown with them, and not sent.
func (h *Handlers) Send(slug string) echo.HandlerFunc {
	ch := channelOf(slug)
	return func(c echo.Context) error {
		var f form
		if err := page.Bind(c, &f); err != nil {
			return err
		}
		ctx := c.Request().Context()
		typed := f.typed(ch)
		if err := h.limited(c); err != nil {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				return h.render(c, status, ch, typed, &views.Result{Alert: problems.Form})
			})
		}
		made, err := h.result(c, ch, typed)
		if err != nil {
			return err
		}
		if len(made.Problems) > 0 {
			return h.render(c, http.StatusUnprocessableEntity, ch, typed, &made)
		}
		freeflow := len(ch.operations) > 1 && typed.operation == ch.operations[1].slug
		sent, err := h.Sandbox.Send(ctx, slug, freeflow, page.User(c).OrganisationID, typed.text)
		if refused := fault.As(err); refused != nil {
			made.Sent = &views.Sent{Problem: faultText(refused)}
			return h.render(c, http.StatusConflict, ch, typed, &made)
		}
		if err != nil {
			return err
		}
		made.Sent = &views.Sent{Sender: sent.Sender, Answer: ui.Code{Title: "What the API answered", Language: "json", Text: sent.Answer}, Log: ui.Link{Label: "Messages", Href: "/account/messages"}}
		return h.render(c, http.StatusOK, ch, typed, &made)
	}
}

// faultText returns what a fault says, with its fields.
func faultText(f *fault.Error) string {
	text := f.Message
	for _, field := range f.Fields {
		text += " " + strings.TrimSpace(field.Name+": "+field.Message)
	}
	return text
}

// mayOffer reports whether the user of a request may send in a sandbox.
func (h *Handlers) mayOffer(c echo.Context) bool {
	user := page.User(c)
	if h.Sandbox == nil || user == nil || user.OrganisationID == 0 || user.Role != identity.Developer && user.Role != identity.Owner {
		return false
	}
	sandbox, err := h.Sandbox.MaySend(c.Request().Context(), user.OrganisationID)
	return err == nil && sandbox
}
