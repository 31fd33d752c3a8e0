package sms

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/keyring"
	"heliograph/app/relay"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// ReportAddress is where the reports of an account go by default.
type ReportAddress struct {
	URL     string            // empty: they are not sent
	Headers map[string]string // sent with each report
}

// Webhook returns the webhook of an account's reports. It is empty if the account
// has none.
func (r *Registry) Webhook(ctx context.Context, organisationID int64) (models.Webhook, error) {
	return r.endpoints.Get(ctx, Channel, Subject(organisationID, ""))
}

// SetReportAddress stores where the reports of an account go.
func (r *Registry) SetReportAddress(ctx context.Context, by By, set ReportAddress) error {
	endpoint := relay.Endpoint{OrganisationID: by.OrganisationID, Channel: Channel, Subject: Subject(by.OrganisationID, ""), URL: set.URL, Headers: set.Headers}
	if err := r.endpoints.Check(ctx, endpoint); err != nil {
		return err
	}
	return r.change(ctx, by, "webhook.set", map[string]any{"channel": Channel, "url": set.URL}, func(tx pgx.Tx) error {
		if _, err := ensureSecret(ctx, tx, r.endpoints, by.OrganisationID); err != nil {
			return err
		}
		return r.endpoints.Set(ctx, tx, endpoint)
	})
}

// Secret returns the secret that signs the reports of an account. The audit records
// the actor.
func (r *Registry) Secret(ctx context.Context, by By) (secret string, err error) {
	err = r.change(ctx, by, "webhook_secret.reveal", map[string]any{"channel": Channel}, func(tx pgx.Tx) error {
		secret, err = ensureSecret(ctx, tx, r.endpoints, by.OrganisationID)
		return err
	})
	return secret, err
}

// ReportHeaders returns the headers that are sent with each report.
func (r *Registry) ReportHeaders(w models.Webhook) (map[string]string, error) {
	return r.endpoints.Headers(w)
}

// EnableReports enables reports that were disabled.
func (r *Registry) EnableReports(ctx context.Context, by By, w models.Webhook) error {
	return r.endpoints.Enable(ctx, w, relay.By{Actor: by.Actor, Target: fmt.Sprintf("organisation:%d", by.OrganisationID)})
}

// SendTest sends a report about a message that does not exist and returns the id of
// its delivery.
func (r *Registry) SendTest(ctx context.Context, by By, w models.Webhook) (int64, error) {
	return r.endpoints.SendTest(ctx, w, SampleReport(time.Now()), relay.By{Actor: by.Actor, Target: fmt.Sprintf("organisation:%d", by.OrganisationID)})
}

// CountReplay counts the reports that a replay would send, up to one more than
// relay.MaxReplay.
func (r *Registry) CountReplay(ctx context.Context, w models.Webhook, of relay.ReplayRange) (int, error) {
	return r.endpoints.CountReplay(ctx, w, of)
}

// ReplayMany sends the finished reports of a range again, the oldest first and at
// most relay.MaxReplay.
func (r *Registry) ReplayMany(ctx context.Context, by By, w models.Webhook, of relay.ReplayRange) (models.Replay, error) {
	return r.endpoints.ReplayMany(ctx, w, of, relay.By{Actor: by.Actor, Target: fmt.Sprintf("organisation:%d", by.OrganisationID)})
}

// SampleReport returns a report with invented values.
func SampleReport(now time.Time) Report {
	return Report{
		RequestID: "00000000-0000-0000-0000-000000000000", ID: "0000000000000000000000000", Dest: "919812345678", Header: sandboxHeader,
		Status: stateWords[Delivered], Code: threeDigits(reasonDelivered), Desc: ReasonMeaning(reasonDelivered), Err: "000", Parts: 1, Part: 1,
		SubmitTime: LocalTime(now), DoneTime: LocalTime(now), EntityID: sandboxEntity, TemplateID: sandboxTemplate,
	}
}

// ensureSecret returns the secret that signs the reports of an account. An account
// without one gets a new one.
func ensureSecret(ctx context.Context, tx pgx.Tx, endpoints *relay.Endpoints, organisationID int64) (string, error) {
	subject := Subject(organisationID, "")
	w, err := queries.WebhookGet(ctx, tx, Channel, subject)
	if err == nil && len(w.Secret) > 0 {
		return endpoints.Secret(w)
	}
	if err != nil && !db.IsNoRows(err) {
		return "", fmt.Errorf("looking the webhook of %s up: %w", subject, err)
	}
	secret := keyring.NewWebhookSecret()
	return secret, endpoints.Set(ctx, tx, relay.Endpoint{
		OrganisationID: organisationID, Channel: Channel, Subject: subject, URL: w.URL, Secret: secret,
	})
}
