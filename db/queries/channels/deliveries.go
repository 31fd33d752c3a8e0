package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// DeliveryListRelayed returns deliveries with their webhooks and the signing secrets
// of the subjects. Earlier callbacks about a message are looked for from the mark on
// that was set before the message, by the message alone: without statistics the
// database would rather read all that wait for the webhook.
func DeliveryListRelayed(ctx context.Context, q db.Querier, ids []int64) ([]models.Delivery, error) {
	rows, err := collect.ManyLax[deliveryRow](ctx, q, `
		select d.id, d.event, d.body, d.state, d.attempts, d.attempts_before as before, d.created_at,
		       coalesce((
		           select bool_or(e.webhook_id = d.webhook_id and e.id < d.id and e.state = 'pending' and e.attempts = e.attempts_before)
		           from deliveries e where e.message_id = d.message_id and e.id > mark.number
		       ), false) as earlier, p.webhook_secret as secret,
		       case when p.previous_secret_until > now() then p.previous_webhook_secret end as previous_secret,
		       w.id as webhook_id, w.organisation_id, w.channel, w.subject, w.url, w.headers, w.format, w.secret as own_secret,
		       case when w.previous_secret_until > now() then w.previous_secret end as own_previous, w.failures, w.failing_since, w.open_until, w.disabled_at,
		       w.recent_attempts, w.recent_failures, w.counted_at
		from deliveries d
		join webhooks w on w.id = d.webhook_id
		left join phone_numbers p on p.id = case when w.channel = 'messaging' then w.subject::bigint end
		cross join lateral (
		    select coalesce((select number from delivery_marks where at <= id_made(d.message_id) - interval '1 day' order by at desc limit 1), 0) as number
		) mark
		where d.id = any($1)`, ids)
	deliveries := make([]models.Delivery, len(rows))
	for i, row := range rows {
		d := row.Delivery
		d.Webhook = row.webhook()
		d.Webhook.OrganisationID, d.Webhook.Channel, d.Webhook.Subject = row.OrganisationID, row.Channel, row.Subject
		d.Webhook.Format, d.Webhook.Secret, d.Webhook.PreviousSecret = row.Format, row.OwnSecret, row.OwnPrevious
		deliveries[i] = d
	}
	return deliveries, err
}

// deliveryRow is a delivery with the columns of its webhook.
type deliveryRow struct {
	models.Delivery
	webhookColumns
	OrganisationID   int64
	Channel, Subject string
	Format           string
	OwnSecret        []byte
	OwnPrevious      []byte
}
