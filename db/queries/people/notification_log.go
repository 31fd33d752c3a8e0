package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// NotificationPage asks for at most Limit messages older than the message Before.
// Zero values of the other fields ask for all.
type NotificationPage struct {
	Kind, State string
	Recipient   string // a part of the number or address
	Before      uuid.UUID
	Limit       int
}

const notificationLog = `
	select n.id, n.kind, n.purpose, n.recipient, n.subject, n.state, n.virtual, n.attempts, n.created_at, n.expires_at, n.finished_at,
		n.kind = 'email' and n.state = 'failed' and n.body is not null and n.expires_at > now() as sendable,
		coalesce(a.answer, '') as answer
	from notifications n
	left join notification_attempts a on a.notification_id = n.id and a.number = n.attempts`

// NotificationList returns messages with the provider's last answer, the newest
// first.
func NotificationList(ctx context.Context, q db.Querier, p NotificationPage) ([]models.LoggedNotification, error) {
	return collect.ManyLax[models.LoggedNotification](ctx, q, notificationLog+`
		where ($1 = '' or n.kind = $1) and ($2 = '' or n.state = $2) and ($3 = '' or strpos(lower(n.recipient), lower($3)) > 0)
		  and ($4::uuid = '00000000-0000-0000-0000-000000000000' or n.id < $4)
		order by n.id desc limit $5`, p.Kind, p.State, p.Recipient, p.Before, p.Limit)
}

// NotificationGetLogged returns one message with the provider's last answer.
func NotificationGetLogged(ctx context.Context, q db.Querier, id uuid.UUID) (models.LoggedNotification, error) {
	return collect.OneLax[models.LoggedNotification](ctx, q, notificationLog+` where n.id = $1`, id)
}

// NotificationAttemptList returns the attempts at a message, the oldest first.
func NotificationAttemptList(ctx context.Context, q db.Querier, id uuid.UUID) ([]models.NotificationAttempt, error) {
	return collect.ManyLax[models.NotificationAttempt](ctx, q, `
		select notification_id, number, started_at, latency_ms * interval '1 millisecond' as latency, provider, outcome, fault, answer
		from notification_attempts where notification_id = $1 order by number`, id)
}

// NotificationListFailedTopics returns the topics in which the newest message
// failed or expired.
func NotificationListFailedTopics(ctx context.Context, q db.Querier, topics []string) ([]string, error) {
	return collect.Values[string](ctx, q, `
		select t.topic from unnest($1::text[]) t (topic)
		where (select n.state from notifications n where n.topic = t.topic and n.topic <> '' order by n.id desc limit 1) in ('failed', 'expired')`, topics)
}

// StuckNotifications counts codes and emails that three attempts or more did not send
// and that are tried again.
const StuckNotifications = `select count(*) from (select from notifications where state = 'queued' and attempts >= 3 limit $2) n`

// StuckNotificationError is what the provider said last about one of StuckNotifications.
const StuckNotificationError = `
	select a.answer from notifications n join notification_attempts a on a.notification_id = n.id
	where n.state = 'queued' and n.attempts >= 3 order by a.started_at desc limit 1`

// FailedNotifications counts codes and emails that failed within a day and were not
// sent again since.
const FailedNotifications = `
	select count(*) from (
		select from notifications n
		where n.state in ('failed', 'expired') and n.finished_at > now() - interval '1 day' and n.purpose <> 'test'
			and not exists (select from notifications later where lower(later.recipient) = lower(n.recipient) and later.id > n.id
				and later.purpose = n.purpose and later.state in ('queued', 'sent'))
		limit $2) n`
