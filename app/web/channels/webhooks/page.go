package webhooks

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	logsview "heliograph/views/channels/logs"
	view "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// shown is what the page of a webhook shows in addition to what is stored.
type shown struct {
	status   int
	form     *webhookForm // as it was sent
	replay   replayForm
	problems *page.Problems
	secrets  *relay.Secrets
}

// Show shows a webhook.
func (h *Handlers) Show(c echo.Context, w webhook) error {
	return h.render(c, w, shown{status: http.StatusOK, problems: &page.Problems{}})
}

func (h *Handlers) render(c echo.Context, w webhook, s shown) (err error) {
	a := w.about()
	p := view.WebhookPage{Frame: page.AccountFrame(c, a.title, a.section), State: a.state(), Problem: s.problems.Form, Facts: a.facts}
	p.Up = a.up
	p.Live = ui.Refresh(ui.Live.Of("webhook"), a.path, "webhooks", "callbacks throttle:3s")
	if a.stored.URL == "" && a.stored.DisabledAt == nil && s.form == nil && len(s.problems.Fields) > 0 { // of a replay; its form is not shown
		p.Problem = a.words.unreplayable
	}
	if !page.MayDevelop(c) {
		p.Facts = append(p.Facts, listing.Pairs("URL", a.stored.URL, "Headers", strings.Join(slices.Sorted(maps.Keys(a.set.headers)), ", "), "Form of the events", ui.LabelOf(a.words.forms, a.set.form))...)
	}
	if a.subject != "" {
		p.Facts = append(p.Facts, ui.Pair{Key: "Callbacks", Value: a.words.callbacks, Href: page.Address(page.AccountDeliveriesPath, page.Query("number", a.subject))})
	}
	last, err := h.lastReplay(c, a.stored)
	if err != nil {
		return err
	}
	p.Facts = append(p.Facts, last...)
	if a.stored.Failures > 0 || a.stored.DisabledAt != nil {
		if p.Cause, err = h.lastFailure(c, a.stored); err != nil {
			return err
		}
	}
	if page.MayDevelop(c) {
		p.Edit = edit(a, s)
		p.Edit.Sign(p.CSRF)
	}
	if p.Sample, err = w.sample(); err != nil {
		return err
	}
	return page.Render(c, s.status, page.View{Frame: p.Page, Body: view.Webhook(p)})
}

// edit makes the forms and the actions that change a webhook.
func edit(a about, s shown) *view.WebhookEdit {
	form := webhookForm{a.set.url, headerLines(a.set.headers), a.set.form}
	if s.form != nil {
		form = *s.form
	}
	e := &view.WebhookEdit{
		Action: a.path, Region: a.words.region, Heading: a.words.heading, Save: a.words.save,
		URL: ui.Input{
			Name: "url", Label: "URL", Type: "url", Value: form.URL, Required: a.words.isRequired, Placeholder: a.words.placeholder,
			Hint: a.words.hint, Error: s.problems.Fields["url"],
		},
		Headers: ui.TextArea{
			Name: "headers", Label: a.words.headers, Value: form.Headers, Rows: 4, Mono: true,
			Hint: a.words.headersHint, Error: headerProblems(s.problems),
		},
		Secret: secretPart(a, s.secrets),
	}
	if len(a.words.forms) > 0 {
		e.Forms = []ui.Select{{
			Name: "form", Label: "Form of the events", Value: form.Form, Options: a.words.forms,
			Hint: "It applies to every later attempt, also of events that wait.", Error: s.problems.Fields["form"],
		}}
	}
	if a.words.removal != "" && a.stored.URL != "" {
		e.Remove = ui.Ask{Link: ui.Link{Label: "Remove the webhook", Href: a.path + "/remove"}, Region: removeRegion, Kind: ui.Danger}
	}
	switch {
	case a.stored.DisabledAt != nil:
		e.Actions = []ui.Post{{Action: a.path + "/enable", Label: a.words.enable}}
	case a.stored.URL != "":
		e.Actions = []ui.Post{{Action: a.path + "/test", Label: a.words.test}}
		offerReplay(e, a.stored, s.replay, s.problems)
	}
	return e
}

// lastFailure returns the cause of the newest failed attempt of a webhook, with its
// remedy.
func (h *Handlers) lastFailure(c echo.Context, w models.Webhook) (*logsview.Cause, error) {
	a, err := queries.AttemptGetLastFailed(c.Request().Context(), h.db, w.ID)
	if db.IsNoRows(err) {
		return nil, nil
	}
	cause := logs.Failure(a.Status, a.Error)
	cause.Next = ui.Link{Label: "See the attempt", Href: logs.DeliveryPath(a.DeliveryID)}
	return cause, err
}
