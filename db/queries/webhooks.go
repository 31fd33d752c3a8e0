package queries

import (
	"context"
	"strconv"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// WebhookGet returns the webhook of a subject.
func WebhookGet(ctx context.Context, q db.Querier, channel, subject string) (models.Webhook, error) {
	return one[models.Webhook](ctx, q, `
		select id, organisation_id, channel, subject, url, headers, format, secret, failures, failing_since, open_until, disabled_at, disabled_reason
		from webhooks where channel = $1 and subject = $2`, channel, subject)
}

// WebhookListOfOrganisation returns an organisation's phone numbers, oldest
// first, with their webhooks; only one number for an id that is not zero.
func WebhookListOfOrganisation(ctx context.Context, q db.Querier, organisationID, numberID int64) ([]models.NumberWebhook, error) {
	rows, err := manyLax[numberWebhookRow](ctx, q, `
		select p.id, p.organisation_id, p.business_account_id, p.number, p.verified_name, p.webhook_secret,
		       case when p.previous_secret_until > now() then p.previous_webhook_secret end as previous_secret,
		       case when p.previous_secret_until > now() then p.previous_secret_until end as previous_secret_until,
		       coalesce(w.id, 0) as webhook_id, coalesce(w.url, '') as url, w.headers, coalesce(w.failures, 0) as failures,
		       w.failing_since, w.open_until, w.disabled_at, coalesce(w.disabled_reason, '') as disabled_reason
		from phone_numbers p left join webhooks w on w.channel = 'messaging' and w.subject = p.id::text
		where p.organisation_id = $1 and ($2::bigint = 0 or p.id = $2) order by p.created_at, p.id`, organisationID, numberID)
	found := make([]models.NumberWebhook, len(rows))
	for i, row := range rows {
		w := row.webhook()
		w.OrganisationID, w.Channel, w.Subject = row.OrganisationID, "messaging", strconv.FormatInt(row.ID, 10)
		found[i] = models.NumberWebhook{Number: row.PhoneNumber, Webhook: w}
	}
	return found, err
}

// numberWebhookRow is a phone number with the columns of its webhook.
type numberWebhookRow struct {
	models.PhoneNumber
	webhookColumns
}

// webhookColumns are the columns of a webhook beside those of a row that has
// an id of its own.
type webhookColumns struct {
	WebhookID      int64
	URL            string
	Headers        []byte
	Failures       int
	FailingSince   *time.Time
	OpenUntil      *time.Time
	DisabledAt     *time.Time
	DisabledReason string
}

func (c webhookColumns) webhook() models.Webhook {
	return models.Webhook{
		ID: c.WebhookID, URL: c.URL, Headers: c.Headers, Failures: c.Failures, FailingSince: c.FailingSince,
		OpenUntil: c.OpenUntil, DisabledAt: c.DisabledAt, DisabledReason: c.DisabledReason,
	}
}

// WebhookUpdateEnabled lets callbacks go out again, as if none had failed.
func WebhookUpdateEnabled(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `
		update webhooks set failures = 0, failing_since = null, open_until = null, disabled_at = null, disabled_reason = '', updated_at = now()
		where id = $1`, id)
	return err
}

// WebhookListOfAccount returns the webhooks of the numbers of a business account,
// with id and failures only.
func WebhookListOfAccount(ctx context.Context, q db.Querier, accountID int64) ([]models.Webhook, error) {
	return manyLax[models.Webhook](ctx, q, `
		select w.id, w.failures from webhooks w join phone_numbers p on w.channel = 'messaging' and w.subject = p.id::text
		where p.business_account_id = $1`, accountID)
}

// WebhookUpsert sets the URL for the callbacks of a subject. An empty URL stops
// them. A webhook that is set again starts healthy and enabled, and keeps its
// secret unless a new one is given.
func WebhookUpsert(ctx context.Context, q db.Querier, w models.Webhook) error {
	_, err := q.Exec(ctx, `
		insert into webhooks (organisation_id, channel, subject, url, headers, format, secret) values ($1, $2, $3, $4, $5, $6, $7)
		on conflict (channel, subject) do update
		set url = excluded.url, headers = excluded.headers, format = excluded.format, secret = coalesce(excluded.secret, webhooks.secret), failures = 0, failing_since = null, open_until = null,
		    disabled_at = null, disabled_reason = '', updated_at = now()`,
		w.OrganisationID, w.Channel, w.Subject, w.URL, w.Headers, w.Format, w.Secret)
	return err
}

// WebhookUpdateHealthy notes that the endpoints of deliveries answer. Those that
// were well are not written to; the others are locked in the order of their ids,
// so that transactions which do so at once cannot wait for each other.
func WebhookUpdateHealthy(ctx context.Context, q db.Querier, deliveries []int64) error {
	_, err := q.Exec(ctx, `
		update webhooks set failures = 0, failing_since = null, open_until = null
		where id in (
			select id from webhooks
			where id in (select webhook_id from deliveries where id = any($1)) and (failures > 0 or open_until is not null)
			order by id for update)`, deliveries)
	return err
}

// WebhookUpdateProbed allows one callback to a paused endpoint at once.
func WebhookUpdateProbed(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update webhooks set open_until = null where id = $1 and open_until is not null`, id)
	return err
}

// WebhookUpdateFailing counts one more failure in a row. From the fifth on the
// circuit is open until openUntil; after patience of nothing but failures the
// webhook is disabled, and the call that disables it reports so.
func WebhookUpdateFailing(ctx context.Context, q db.Querier, id int64, openUntil time.Time, patience time.Duration) (disabled bool, err error) {
	err = q.QueryRow(ctx, `
		update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, now()),
		       open_until = case when failures >= 4 then $2::timestamptz else open_until end,
		       disabled_at = case when failing_since < now() - $3::interval then coalesce(disabled_at, now()) else disabled_at end,
		       disabled_reason = case when disabled_at is null and failing_since < now() - $3::interval then 'every attempt failed for days' else disabled_reason end
		where id = $1
		returning coalesce(disabled_at = now(), false)`, id, openUntil, patience).Scan(&disabled)
	return disabled, err
}

// WebhookUpdateGone disables a webhook that answered 410; disabled says that it
// was not before.
func WebhookUpdateGone(ctx context.Context, q db.Querier, id int64) (disabled bool, err error) {
	tag, err := q.Exec(ctx, `
		update webhooks set disabled_at = now(), disabled_reason = 'the endpoint answered 410 Gone' where id = $1 and disabled_at is null`, id)
	return tag.RowsAffected() == 1, err
}

// WebhookCount returns how many webhooks an organisation has on a channel.
func WebhookCount(ctx context.Context, q db.Querier, channel string, organisationID int64) (n int, err error) {
	err = q.QueryRow(ctx, `select count(*) from webhooks where channel = $1 and organisation_id = $2`, channel, organisationID).Scan(&n)
	return n, err
}
