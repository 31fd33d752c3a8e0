package queries

import (
	"context"
	"strconv"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// WebhookGet returns the webhook of a subject.
func WebhookGet(ctx context.Context, q db.Querier, channel, subject string) (models.Webhook, error) {
	return collect.One[models.Webhook](ctx, q, `
		select id, organisation_id, channel, subject, url, headers, format, `+WebhookSecrets+`, failures, failing_since, open_until, disabled_at, disabled_reason,
		       recent_attempts, recent_failures, counted_at
		from webhooks w where channel = $1 and subject = $2`, channel, subject)
}

// WebhookSecrets are the columns with the signing secrets of a webhook w. A
// previous one that has expired is left out.
const WebhookSecrets = `w.secret, case when w.previous_secret_until > now() then w.previous_secret end as previous_secret,
	case when w.previous_secret_until > now() then w.previous_secret_until end as previous_secret_until`

// WebhookListOfOrganisation returns an organisation's phone numbers, oldest
// first, with their webhooks; only one number for an id that is not zero.
func WebhookListOfOrganisation(ctx context.Context, q db.Querier, organisationID, numberID int64) ([]models.NumberWebhook, error) {
	rows, err := collect.ManyLax[numberWebhookRow](ctx, q, `
		select p.id, p.organisation_id, p.business_account_id, p.number, p.verified_name, p.webhook_secret,
		       case when p.previous_secret_until > now() then p.previous_webhook_secret end as previous_secret,
		       case when p.previous_secret_until > now() then p.previous_secret_until end as previous_secret_until,
		       coalesce(w.id, 0) as webhook_id, coalesce(w.url, '') as url, w.headers, coalesce(w.failures, 0) as failures,
		       w.failing_since, w.open_until, w.disabled_at, coalesce(w.disabled_reason, '') as disabled_reason,
		       coalesce(w.recent_attempts, 0) as recent_attempts, coalesce(w.recent_failures, 0) as recent_failures, w.counted_at
		from phone_numbers p left join webhooks w on w.channel = 'messaging' and w.subject = p.id::text
		where p.organisation_id = $1 and p.removed_at is null and ($2::bigint = 0 or p.id = $2) order by p.created_at, p.id`, organisationID, numberID)
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

// webhookColumns are the columns of a webhook, without the columns of a row that has
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
	RecentAttempts float64
	RecentFailures float64
	CountedAt      *time.Time
}

func (c webhookColumns) webhook() models.Webhook {
	return models.Webhook{
		ID: c.WebhookID, URL: c.URL, Headers: c.Headers, Failures: c.Failures, FailingSince: c.FailingSince,
		OpenUntil: c.OpenUntil, DisabledAt: c.DisabledAt, DisabledReason: c.DisabledReason,
		RecentAttempts: c.RecentAttempts, RecentFailures: c.RecentFailures, CountedAt: c.CountedAt,
	}
}

// WebhookListOfAccount returns the webhooks of the numbers of a business account,
// with id and failures only.
func WebhookListOfAccount(ctx context.Context, q db.Querier, accountID int64) ([]models.Webhook, error) {
	return collect.ManyLax[models.Webhook](ctx, q, `
		select w.id, w.failures from webhooks w join phone_numbers p on w.channel = 'messaging' and w.subject = p.id::text
		where p.business_account_id = $1 and p.removed_at is null`, accountID)
}

// WebhookCount returns how many webhooks an organisation has on a channel.
func WebhookCount(ctx context.Context, q db.Querier, channel string, organisationID int64) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from webhooks where channel = $1 and organisation_id = $2`, channel, organisationID)
}

// FailingWebhooks are the webhooks that have failed longest, at most three.
const FailingWebhooks = `
	select w.organisation_id, o.name as organisation, w.url, w.failing_since as since, coalesce(` + parts.LastWebhookAnswer + `, '') as answer
	from webhooks w join organisations o on o.id = w.organisation_id
	where w.url <> '' and w.failing_since is not null and w.disabled_at is null order by w.failing_since, w.id limit 3`
