package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

// DeliveryInsert stores a callback for a webhook and returns its id; messageID
// is nil for one that is not about a message.
func DeliveryInsert(ctx context.Context, q db.Querier, webhookID int64, messageID *uuid.UUID, event string, body []byte) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into deliveries (webhook_id, organisation_id, message_id, event, body, next_attempt_at)
		select id, organisation_id, $2, $3, $4, now() from webhooks where id = $1
		returning id`, webhookID, messageID, event, body).Scan(&id)
	return id, err
}

// DeliveryGet returns a delivery with its webhook and the signing secret of
// the subject.
func DeliveryGet(ctx context.Context, q db.Querier, id int64) (models.Delivery, error) {
	d := models.Delivery{ID: id}
	w := &d.Webhook
	err := q.QueryRow(ctx, `
		select d.body, d.state, d.attempts, p.webhook_secret,
		       w.id, w.organisation_id, w.channel, w.subject, w.url, w.headers, w.failures, w.failing_since, w.open_until, w.disabled_at
		from deliveries d
		join webhooks w on w.id = d.webhook_id
		join phone_numbers p on w.channel = 'messaging' and p.id = w.subject::bigint
		where d.id = $1`, id).
		Scan(&d.Body, &d.State, &d.Attempts, &d.Secret,
			&w.ID, &w.OrganisationID, &w.Channel, &w.Subject, &w.URL, &w.Headers, &w.Failures, &w.FailingSince, &w.OpenUntil, &w.DisabledAt)
	return d, err
}

// DeliveryUpdate counts an attempt and moves the delivery to state; next is
// when the following attempt is due, zero for none.
func DeliveryUpdate(ctx context.Context, q db.Querier, id int64, state string, next time.Time) error {
	_, err := q.Exec(ctx, `
		update deliveries set attempts = attempts + 1, state = $2, next_attempt_at = $3,
		       finished_at = case when $2 = 'pending' then null else now() end
		where id = $1`, id, state, nullTime(next))
	return err
}

// DeliveryUpdateFailed gives a delivery up without an attempt.
func DeliveryUpdateFailed(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update deliveries set state = 'failed', next_attempt_at = null, finished_at = now() where id = $1 and state = 'pending'`, id)
	return err
}

// AttemptInsert stores one try at a delivery.
func AttemptInsert(ctx context.Context, q db.Querier, a models.Attempt) error {
	var status *int
	if a.Status != 0 {
		status = &a.Status
	}
	_, err := q.Exec(ctx, `
		insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, status, error, response)
		values ($1, $2, $3, $4, $5, $6, $7, $8)
		on conflict do nothing`,
		a.DeliveryID, a.Number, a.StartedAt, a.Latency.Milliseconds(), a.URL, status, a.Error, a.Response)
	return err
}

func nullTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}
