package writes

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

const contactDeliveryColumns = `enquiry_id, kind, state, notification_id, attempts, queued_at, problem, finished_at`

// ContactDeliveryUpsert stores a delivery, or starts it again.
func ContactDeliveryUpsert(ctx context.Context, q db.Querier, d models.ContactDelivery) error {
	return collect.Execute(ctx, q, `
		insert into contact_deliveries (enquiry_id, kind, state, notification_id) values ($1, $2, $3, $4)
		on conflict (enquiry_id, kind) do update
		set state = excluded.state, notification_id = excluded.notification_id, queued_at = now(), problem = '', finished_at = null`,
		d.EnquiryID, d.Kind, d.State, d.NotificationID)
}

// ContactDeliveryLock returns a delivery, which nobody else changes until the
// transaction ends.
func ContactDeliveryLock(ctx context.Context, q db.Querier, id uuid.UUID, kind string) (models.ContactDelivery, error) {
	return collect.One[models.ContactDelivery](ctx, q, `
		select `+contactDeliveryColumns+` from contact_deliveries where enquiry_id = $1 and kind = $2 for update`, id, kind)
}

// ContactDeliveryUpdateFinished ends a delivery.
func ContactDeliveryUpdateFinished(ctx context.Context, q db.Querier, d models.ContactDelivery) error {
	return collect.Execute(ctx, q, `
		update contact_deliveries set state = $3, problem = $4, finished_at = now() where enquiry_id = $1 and kind = $2`, d.EnquiryID, d.Kind, d.State, d.Problem)
}

// ContactAttemptInsert stores an attempt at the webhook of an enquiry and counts
// it.
func ContactAttemptInsert(ctx context.Context, q db.Querier, id uuid.UUID, a models.ContactAttempt) error {
	return collect.Execute(ctx, q, `
		with counted as (update contact_deliveries set attempts = attempts + 1 where enquiry_id = $1 and kind = 'webhook' returning attempts)
		insert into contact_attempts (enquiry_id, number, started_at, latency_ms, status, problem, response)
		select $1, attempts, $2, $3, $4, $5, $6 from counted`,
		id, a.StartedAt, a.LatencyMS, a.Status, a.Problem, a.Response)
}

// ContactDeliverySettleEmails ends the deliveries once their emails have ended and
// returns how many.
func ContactDeliverySettleEmails(ctx context.Context, q db.Querier) (int64, error) {
	return collect.Count(ctx, q, `
		update contact_deliveries d
		set state = case when n.state = 'sent' then 'delivered' else 'failed' end, finished_at = coalesce(n.finished_at, now()),
		    problem = case when n.state = 'sent' then '' else 'The email could not be sent.' end
		from notifications n
		where d.state = 'pending' and d.kind = 'email' and n.id = d.notification_id and n.state <> 'queued'`)
}

// ContactDeliveryListWaiting returns up to limit enquiries with an email that waits for a
// recipient, and locks their deliveries.
func ContactDeliveryListWaiting(ctx context.Context, q db.Querier, limit int) ([]uuid.UUID, error) {
	return collect.Values[uuid.UUID](ctx, q, `
		select enquiry_id from contact_deliveries where state = 'waiting' and kind = 'email' order by enquiry_id limit $1 for update skip locked`, limit)
}

// ContactDeliveryListStranded returns up to limit enquiries with a webhook that is
// pending without a job that posts it.
func ContactDeliveryListStranded(ctx context.Context, q db.Querier, limit int) ([]uuid.UUID, error) {
	return collect.Values[uuid.UUID](ctx, q, `
		with live as (`+parts.LiveContacts+`)
		select d.enquiry_id from contact_deliveries d left join live on live.id = d.enquiry_id
		where d.state = 'pending' and d.kind = 'webhook' and d.queued_at < now() - interval '1 minute' and live.id is null
		order by d.enquiry_id limit $1 for update of d skip locked`, limit)
}

// ContactDeliveryDeleteOpen stops the deliveries of an enquiry that have not
// ended, and cancels its email.
func ContactDeliveryDeleteOpen(ctx context.Context, q db.Querier, id uuid.UUID) error {
	return collect.Execute(ctx, q, `
		with gone as (delete from contact_deliveries where enquiry_id = $1 and state in ('waiting', 'pending') returning notification_id)
		update notifications set state = 'cancelled', body = null, finished_at = now()
		where state = 'queued' and id in (select notification_id from gone)`, id)
}
