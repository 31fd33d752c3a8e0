package sms

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
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
		if _, _, err := ensureSecrets(ctx, tx, r.endpoints, by.OrganisationID); err != nil {
			return err
		}
		return r.endpoints.Set(ctx, tx, endpoint)
	})
}

// RevealSecrets returns the secrets that sign the reports of an account. The audit
// records the actor.
func (r *Registry) RevealSecrets(ctx context.Context, by By) (s relay.Secrets, err error) {
	err = r.change(ctx, by, "webhook_secret.reveal", map[string]any{"channel": Channel}, func(tx pgx.Tx) error {
		s, _, err = ensureSecrets(ctx, tx, r.endpoints, by.OrganisationID)
		return err
	})
	return s, err
}

// RotateSecret replaces the secret that signs the reports of an account, at all of
// its addresses. The previous one signs as well for a day. A rotation during that
// time is a Conflict.
func (r *Registry) RotateSecret(ctx context.Context, by By) error {
	return r.change(ctx, by, "webhook_secret.rotate", map[string]any{"channel": Channel}, func(tx pgx.Tx) error {
		if _, _, err := ensureSecrets(ctx, tx, r.endpoints, by.OrganisationID); err != nil {
			return err
		}
		return r.endpoints.RotateSecret(ctx, tx, Channel, by.OrganisationID)
	})
}

// RetireSecret removes the previous secret before its time.
func (r *Registry) RetireSecret(ctx context.Context, by By) error {
	return r.change(ctx, by, "webhook_secret.retire", map[string]any{"channel": Channel}, func(tx pgx.Tx) error {
		return r.endpoints.RetireSecret(ctx, tx, Channel, by.OrganisationID)
	})
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
		Status: stateWords[stateDelivered], Code: threeDigits(reasonDelivered), Desc: ReasonMeaning(reasonDelivered), Err: "000", Parts: 1, Part: 1,
		SubmitTime: LocalTime(now), DoneTime: LocalTime(now), EntityID: sandboxEntity, TemplateID: sandboxTemplate,
	}
}

// ensureSecrets returns the secrets that sign the reports of an account, and until
// when the previous one does. An account without a secret gets a new one.
func ensureSecrets(ctx context.Context, tx pgx.Tx, endpoints *relay.Endpoints, organisationID int64) (relay.Secrets, *time.Time, error) {
	subject := Subject(organisationID, "")
	w, err := queries.WebhookGet(ctx, tx, Channel, subject)
	if err == nil && len(w.Secret) > 0 {
		s, err := endpoints.Secrets(w)
		return s, w.PreviousSecretUntil, err
	}
	if err != nil && !db.IsNoRows(err) {
		return relay.Secrets{}, nil, fmt.Errorf("looking the webhook of %s up: %w", subject, err)
	}
	secret := keyring.NewWebhookSecret()
	return relay.Secrets{Current: secret}, nil, endpoints.Set(ctx, tx, relay.Endpoint{
		OrganisationID: organisationID, Channel: Channel, Subject: subject, URL: w.URL, Secret: secret,
	})
}
