package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
	queries "heliograph/db/queries/people"
)

// NotificationInsert stores a message that waits to be sent.
func NotificationInsert(ctx context.Context, q db.Querier, n models.Notification) error {
	return collect.Execute(ctx, q, `
		insert into notifications (id, kind, purpose, recipient, subject, body, html, topic, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		n.ID, n.Kind, n.Purpose, n.Recipient, n.Subject, n.Body, n.HTML, n.Topic, n.ExpiresAt)
}

// NotificationUpdateCancelled cancels what waits of a topic and forgets what it
// says.
func NotificationUpdateCancelled(ctx context.Context, q db.Querier, topic string) error {
	return collect.Execute(ctx, q, `
		update notifications set state = 'cancelled', body = null, html = null, finished_at = now()
		where topic = $1 and topic <> '' and state = 'queued'`, topic)
}

// NotificationLock returns a message, which nobody else changes until the
// transaction ends.
func NotificationLock(ctx context.Context, q db.Querier, id uuid.UUID) (models.Notification, error) {
	return collect.One[models.Notification](ctx, q, `select `+queries.NotificationColumns+` from notifications where id = $1 for update`, id)
}

// NotificationUpdateCharged notes that a message counts for its day's budget.
func NotificationUpdateCharged(ctx context.Context, q db.Querier, id uuid.UUID) error {
	return collect.Execute(ctx, q, `update notifications set charged = true where id = $1`, id)
}

// NotificationUpdateFinished moves a queued message to its last state. The content of
// virtual messages is kept for the inbox, and the body of rejected emails to send them
// again.
func NotificationUpdateFinished(ctx context.Context, q db.Querier, id uuid.UUID, state string, virtual bool) error {
	return collect.Execute(ctx, q, `
		update notifications set state = $2, virtual = $3, finished_at = now(), 
			body = case when $3 or $2 = 'failed' and kind = 'email' then body end, html = case when $3 or $2 = 'failed' and kind = 'email' then html end
		where id = $1 and state = 'queued'`, id, state, virtual)
}

// NotificationAttemptInsert stores one try and counts it.
func NotificationAttemptInsert(ctx context.Context, q db.Querier, a models.NotificationAttempt) error {
	return collect.Execute(ctx, q, `
		with counted as (update notifications set attempts = attempts + 1 where id = $1 returning attempts)
		insert into notification_attempts (notification_id, number, started_at, latency_ms, provider, outcome, fault, answer)
		select $1, attempts, $2, $3, $4, $5, $6, $7 from counted`,
		a.NotificationID, a.StartedAt, a.Latency.Milliseconds(), a.Provider, a.Outcome, a.Fault, a.Answer)
}

// NotificationUpdateExpired ends what waits past its time.
func NotificationUpdateExpired(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `
		update notifications set state = 'expired', body = null, html = null, finished_at = now()
		where state = 'queued' and expires_at < now()`)
}

// NotificationUpdateForgotten forgets what messages say that are older than
// keep.
func NotificationUpdateForgotten(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `
		update notifications set body = null, html = null
		where body is not null and state <> 'queued' and created_at < now() - $1::interval`, keep)
}

// NotificationDelete deletes finished messages that are older than keep.
func NotificationDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from notifications where state <> 'queued' and created_at < now() - $1::interval`, keep)
}

// NotificationReadInsert notes that an actor read messages, and returns those
// that are new to them.
func NotificationReadInsert(ctx context.Context, q db.Querier, actor string, ids []uuid.UUID) ([]uuid.UUID, error) {
	return collect.Values[uuid.UUID](ctx, q, `
		insert into inbox_reads (notification_id, actor) select id, $1 from unnest($2::uuid[]) id
		on conflict do nothing returning notification_id`, actor, ids)
}

// StrandedNotification is a queued SMS or email that no job will send.
type StrandedNotification struct {
	ID   uuid.UUID
	Kind string
}

// NotificationListStranded returns and locks up to limit of them. Tests of the
// settings are sent without a job.
func NotificationListStranded(ctx context.Context, q db.Querier, limit int) ([]StrandedNotification, error) {
	return collect.Many[StrandedNotification](ctx, q, `
		with live as (`+parts.LiveNotifications+`)
		select n.id, n.kind from notifications n left join live on live.id = n.id
		where n.state = 'queued' and n.expires_at > now() and n.purpose <> 'test' and live.id is null
		order by n.id limit $1 for update of n skip locked`, limit)
}
