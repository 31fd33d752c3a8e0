package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	smspages "heliograph/app/web/channels/sms"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// Reports makes the handlers of the webhook of delivery reports.
func Reports(deps Deps) *Handlers {
	return &Handlers{deps.DB, func(c echo.Context) (webhook, error) {
		w, err := deps.SMSRegistry.Webhook(c.Request().Context(), page.User(c).OrganisationID)
		if err != nil {
			return nil, err
		}
		headers, err := deps.SMSRegistry.ReportHeaders(w)
		return reports{deps.SMSRegistry, w, headers, smspages.By(c)}, err
	}}
}

// reports is the webhook of the delivery reports of an organisation.
type reports struct {
	rule    *sms.Registry
	stored  models.Webhook
	headers map[string]string
	by      sms.By
}

func (r reports) about() about {
	return about{
		stored: r.stored, set: setting{url: r.stored.URL, headers: r.headers}, path: smspages.ReportsPath, subject: r.stored.Subject,
		section: page.AccountSMSPath, up: ui.Link{Label: "SMS", Href: page.AccountSMSPath}, title: "Delivery reports", name: "the delivery reports",
		hasSecret: true, previous: r.stored.PreviousSecret, previousUntil: r.stored.PreviousSecretUntil,
		words: reportWords,
	}
}

var reportWords = words{
	region: ui.Form.Of("reports"), heading: "Address", save: "Save the address", saved: "sms-reports",
	placeholder: "https://hooks.example.com/sms", hint: "Answer 2xx within 10 seconds. With placeholders such as %msg_id% it is called with GET. Empty for no reports.",
	headers: "Headers of your own", headersHint: "One on each line. They are sent along with every report.",
	unset: "Reports go to the dlr_url of a request, or nowhere.", unreplayable: "Set an address for reports before you replay them.", callbacks: "Reports so far",
	enable: "Enable the reports", test: "Send a test report",
	secret: "X-Signature-256 is the HMAC-SHA256 of the body, or of the query for GET, under this secret.", signature: "X-Signature-256",
}

func (r reports) set(ctx context.Context, s setting) error {
	return r.rule.SetReportAddress(ctx, r.by, sms.ReportAddress{URL: s.url, Headers: s.headers})
}

func (r reports) enable(ctx context.Context) error { return r.rule.EnableReports(ctx, r.by, r.stored) }

func (r reports) reveal(ctx context.Context) (relay.Secrets, error) {
	return r.rule.RevealSecrets(ctx, r.by)
}

func (r reports) rotate(ctx context.Context) (*relay.Secrets, error) {
	return nil, r.rule.RotateSecret(ctx, r.by)
}

func (r reports) retire(ctx context.Context) error { return r.rule.RetireSecret(ctx, r.by) }

func (r reports) test(ctx context.Context) (int64, error) {
	return r.rule.SendTest(ctx, r.by, r.stored)
}

func (r reports) count(ctx context.Context, of relay.ReplayRange) (int, error) {
	return r.rule.CountReplay(ctx, r.stored, of)
}

func (r reports) replay(ctx context.Context, of relay.ReplayRange) (models.Replay, error) {
	return r.rule.ReplayMany(ctx, r.by, r.stored, of)
}

func (r reports) sample() (ui.Code, error) {
	text, err := json.MarshalIndent(sms.SampleReport(time.Now()), "", "  ")
	if err != nil {
		return ui.Code{}, fmt.Errorf("writing a report: %w", err)
	}
	return ui.Code{Title: "POST to your address", Language: "json", Text: string(text)}, nil
}
