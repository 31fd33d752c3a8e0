package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ContactDeliveryList returns the deliveries of an enquiry, with the present state
// of its email.
func ContactDeliveryList(ctx context.Context, q db.Querier, id uuid.UUID) ([]models.ContactDelivery, error) {
	return collect.Many[models.ContactDelivery](ctx, q, `
		select d.enquiry_id, d.kind, `+deliveryState+` as state, d.notification_id, coalesce(n.attempts, d.attempts) as attempts, d.queued_at, d.problem,
		       coalesce(d.finished_at, n.finished_at) as finished_at
		from contact_deliveries d left join notifications n on n.id = d.notification_id
		where d.enquiry_id = $1 order by d.kind`, id)
}

// ContactAttemptList returns the last attempts at the webhook of an enquiry, the
// newest first.
func ContactAttemptList(ctx context.Context, q db.Querier, id uuid.UUID) ([]models.ContactAttempt, error) {
	return collect.Many[models.ContactAttempt](ctx, q, `
		select number, started_at, latency_ms, status, problem, response from contact_attempts where enquiry_id = $1 order by number desc limit 20`, id)
}

// ContactEmailAttemptList returns the last attempts at the email of an enquiry,
// the newest first. Status is 0.
func ContactEmailAttemptList(ctx context.Context, q db.Querier, id uuid.UUID) ([]models.ContactAttempt, error) {
	return collect.Many[models.ContactAttempt](ctx, q, `
		select a.number, a.started_at, a.latency_ms::int as latency_ms, 0 as status, coalesce(a.fault, '') as problem, coalesce(a.answer, '') as response
		from notification_attempts a join contact_deliveries d on d.notification_id = a.notification_id
		where d.enquiry_id = $1 and d.kind = 'email' order by a.number desc limit 20`, id)
}

// NotificationGetQueued returns the id of the message of a topic that waits to be
// sent.
func NotificationGetQueued(ctx context.Context, q db.Querier, topic string) (id uuid.UUID, err error) {
	return collect.Value[uuid.UUID](ctx, q, `select id from notifications where topic = $1 and topic <> '' and state = 'queued'`, topic)
}
