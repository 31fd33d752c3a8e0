package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// NotificationColumns are the columns of notifications that a models.Notification has.
const NotificationColumns = `id, kind, purpose, recipient, subject, body, html, topic, state, virtual, charged, attempts, created_at, expires_at, finished_at`

// trialRow is the attempt at a test, and the address that it went to.
type trialRow struct {
	Recipient string
	models.NotificationAttempt
}

// NotificationTrialGet returns the recipient of a test of a kind of message, and its
// attempt.
func NotificationTrialGet(ctx context.Context, q db.Querier, id uuid.UUID, kind string) (to string, a models.NotificationAttempt, err error) {
	row, err := collect.OneLax[trialRow](ctx, q, `
		select n.recipient, a.notification_id, a.number, a.started_at, a.provider, a.outcome, a.fault, a.answer
		from notification_attempts a join notifications n on n.id = a.notification_id
		where n.id = $1 and n.kind = $2 and n.purpose = 'test'`, id, kind)
	return row.Recipient, row.NotificationAttempt, err
}

// VirtualPage asks for at most Limit virtual messages older than the message
// Before, of a kind and with a part of the recipient; zero values ask for all.
type VirtualPage struct {
	Kind, Recipient string
	Before          uuid.UUID
	Limit           int
}

// NotificationListVirtual returns virtual messages, the newest first.
func NotificationListVirtual(ctx context.Context, q db.Querier, p VirtualPage) ([]models.Notification, error) {
	return collect.Many[models.Notification](ctx, q, `
		select `+NotificationColumns+` from notifications
		where virtual and ($1 = '' or kind = $1) and ($2 = '' or strpos(lower(recipient), lower($2)) > 0)
		  and ($3::uuid = '00000000-0000-0000-0000-000000000000' or id < $3)
		order by id desc limit $4`, p.Kind, p.Recipient, p.Before, p.Limit)
}
