package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/web/channels/logs"
	smspages "heliograph/app/web/channels/sms"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// Show shows where delivery reports go.
func (h *Reports) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, smsReports{problems: &page.Problems{}})
}

// smsReports is what the page shows beyond what is stored.
type smsReports struct {
	form     *webhookForm // as it was sent
	replay   replayForm
	problems *page.Problems
	secrets  *relay.Secrets
}

// Set sets where delivery reports go. An empty address ends them.
func (h *Reports) Set(c echo.Context) error {
	var f webhookForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	url, headers, err := f.readParts()
	if err == nil {
		err = h.SMSRegistry.SetReportAddress(c.Request().Context(), smspages.By(c), sms.ReportAddress{URL: url, Headers: headers})
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			urlProblem(problems)
			return h.render(c, status, smsReports{form: &f, problems: problems})
		})
	}
	return page.Done(c, smspages.ReportsPath, "sms-reports")
}

// Reveal shows what signs the reports, in this answer alone.
func (h *Reports) Reveal(c echo.Context) error {
	secrets, err := h.SMSRegistry.RevealSecrets(c.Request().Context(), smspages.By(c))
	if err != nil {
		return err
	}
	return h.render(c, http.StatusOK, smsReports{problems: &page.Problems{}, secrets: &secrets})
}

// Rotate creates a new secret for the reports.
func (h *Reports) Rotate(c echo.Context) error {
	return h.act(c, func(models.Webhook) (string, string, error) {
		return smspages.ReportsPath, "secret-rotated", h.SMSRegistry.RotateSecret(c.Request().Context(), smspages.By(c))
	})
}

// ConfirmRetire asks before the previous secret of the reports is retired.
func (h *Reports) ConfirmRetire(c echo.Context) error {
	w, err := h.SMSRegistry.Webhook(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	f := frame(c, "Retire the previous secret of the delivery reports", smsPath)
	f.Up = ui.Link{Label: "Delivery reports", Href: smspages.ReportsPath}
	return page.Confirm(c, f, askToRetire(secretOf{smspages.ReportsPath, w.PreviousSecret, w.PreviousSecretUntil}), "")
}

// Retire retires the previous secret of the reports.
func (h *Reports) Retire(c echo.Context) error {
	return h.act(c, func(models.Webhook) (string, string, error) {
		return smspages.ReportsPath, "secret-retired", h.SMSRegistry.RetireSecret(c.Request().Context(), smspages.By(c))
	})
}

// act carries out an action on the webhook of the reports.
func (h *Reports) act(c echo.Context, act func(w models.Webhook) (address, word string, err error)) error {
	w, err := h.SMSRegistry.Webhook(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	address, word, err := act(w)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, status, smsReports{problems: problems})
		})
	}
	return page.Done(c, address, word)
}

// Enable lets reports go out again.
func (h *Reports) Enable(c echo.Context) error {
	return h.act(c, func(w models.Webhook) (string, string, error) {
		return smspages.ReportsPath, "webhook-enabled", h.SMSRegistry.EnableReports(c.Request().Context(), smspages.By(c), w)
	})
}

// Test sends a report and goes on to its callback.
func (h *Reports) Test(c echo.Context) error {
	return h.act(c, func(w models.Webhook) (string, string, error) {
		id, err := h.SMSRegistry.SendTest(c.Request().Context(), smspages.By(c), w)
		return logs.DeliveryPath(id), "tested", err
	})
}

// ConfirmReplay counts reports and asks before they are replayed.
func (h *Reports) ConfirmReplay(c echo.Context) error {
	w, err := h.replayable(c)
	if err != nil {
		return err
	}
	return confirmReplay(c, w)
}

// Replay sends the reports of a range again and shows them.
func (h *Reports) Replay(c echo.Context) error {
	w, err := h.replayable(c)
	if err != nil {
		return err
	}
	return replay(c, w)
}

// replayable returns the webhook of the reports for a replay.
func (h *Reports) replayable(c echo.Context) (replayable, error) {
	w, err := h.SMSRegistry.Webhook(c.Request().Context(), page.User(c).OrganisationID)
	return replayable{
		path: smspages.ReportsPath, up: ui.Link{Label: "Delivery reports", Href: smspages.ReportsPath}, facts: pairs("URL", w.URL),
		again: func(f replayForm, err error) error {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				return h.render(c, status, smsReports{replay: f, problems: problems})
			})
		},
		count: func(ctx context.Context, r relay.ReplayRange) (int, error) {
			return h.SMSRegistry.CountReplay(ctx, w, r)
		},
		many: func(ctx context.Context, r relay.ReplayRange) (models.Replay, error) {
			return h.SMSRegistry.ReplayMany(ctx, smspages.By(c), w, r)
		},
	}, err
}

func (h *Reports) render(c echo.Context, status int, s smsReports) error {
	w, err := h.SMSRegistry.Webhook(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	p := view.SMSReportsPage{Frame: frame(c, "Delivery reports", smsPath), State: webhookState(w), Problem: s.problems.Form}
	p.Up = ui.Link{Label: "SMS", Href: smsPath}
	p.Facts = []ui.Pair{{Key: "Callbacks", Value: "Reports so far", Href: page.Address(deliveriesPath, page.Query("number", w.Subject))}}
	if w.URL == "" && w.DisabledAt == nil {
		p.State.Note = "Reports go to the dlr_url of a request, or nowhere."
		if len(s.problems.Fields) > 0 && s.form == nil { // of a replay; its form is not shown
			p.Problem = "Set an address for reports before you replay them."
		}
	}
	if w.Failures > 0 || w.DisabledAt != nil {
		if p.Cause, err = lastFailure(c, h.DB, w); err != nil {
			return err
		}
	}
	if mayDevelop(c) {
		form := s.form
		if form == nil {
			headers, err := h.SMSRegistry.ReportHeaders(w)
			if err != nil {
				return err
			}
			form = &webhookForm{URL: w.URL, Headers: headerLines(headers)}
		}
		p.Edit = editSMSReports(w, form, s)
		p.Edit.Sign(p.CSRF)
	}
	sample, err := json.MarshalIndent(sms.SampleReport(time.Now()), "", "  ")
	if err != nil {
		return fmt.Errorf("writing a report: %w", err)
	}
	p.Sample = ui.Code{Title: "POST to your address", Language: "json", Text: string(sample)}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.SMSReports(p)})
}

func editSMSReports(w models.Webhook, form *webhookForm, s smsReports) *view.WebhookEdit {
	e := &view.WebhookEdit{
		Action: smspages.ReportsPath,
		URL: ui.Input{
			Name: "url", Label: "URL", Type: "url", Value: form.URL, Placeholder: "https://hooks.example.com/sms",
			Hint: "Answer 2xx within 10 seconds. With placeholders such as %msg_id% it is called with GET. Empty for no reports.", Error: s.problems.Fields["url"],
		},
		Headers: ui.TextArea{
			Name: "headers", Label: "Headers of your own", Value: form.Headers, Rows: 3, Mono: true,
			Hint: "One on each line. They are sent along with every report.", Error: headerProblems(s.problems),
		},
		Secret: secretPart(secretOf{smspages.ReportsPath, w.PreviousSecret, w.PreviousSecretUntil}, s.secrets, secretNotes{
			one: "X-Signature-256 is the HMAC-SHA256 of the body, or of the query for GET, under this secret.", header: "X-Signature-256",
		}),
	}
	switch {
	case w.DisabledAt != nil:
		e.Actions = []ui.Post{{Action: smspages.ReportsPath + "/enable", Label: "Enable the reports"}}
	case w.URL != "":
		e.Actions = []ui.Post{{Action: smspages.ReportsPath + "/test", Label: "Send a test report"}}
		offerReplay(e, w, s.replay, s.problems)
	}
	return e
}
