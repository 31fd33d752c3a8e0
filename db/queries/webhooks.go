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
		select id, organisation_id, channel, subject, url, headers, format, `+webhookSecrets+`, failures, failing_since, open_until, disabled_at, disabled_reason,
		       recent_attempts, recent_failures, counted_at
		from webhooks w where channel = $1 and subject = $2`, channel, subject)
}

// webhookSecrets are the columns with the signing secrets of a webhook w. A
// previous one that has expired is left out.
const webhookSecrets = `w.secret, case when w.previous_secret_until > now() then w.previous_secret end as previous_secret,
	case when w.previous_secret_until > now() then w.previous_secret_until end as previous_secret_until`

// WebhookLockSecrets returns the webhooks of an organisation on a channel that have
// a signing secret of their own, with it and their place only.
func WebhookLockSecrets(ctx context.Context, q db.Querier, channel string, organisationID int64) ([]models.Webhook, error) {
	return manyLax[models.Webhook](ctx, q, `
		select w.id, w.channel, w.subject, `+webhookSecrets+` from webhooks w
		where w.channel = $1 and w.organisation_id = $2 and octet_length(w.secret) > 0 order by w.id for update`, channel, organisationID)
}

// WebhookUpdateSecrets stores the signing secrets of a webhook, sealed.
func WebhookUpdateSecrets(ctx context.Context, q db.Querier, w models.Webhook) error {
	_, err := q.Exec(ctx, `
		update webhooks set secret = $2, previous_secret = $3, previous_secret_until = $4, updated_at = now() where id = $1`,
		w.ID, w.Secret, w.PreviousSecret, w.PreviousSecretUntil)
	return err
}

// WebhookListOfOrganisation returns an organisation's phone numbers, oldest
// first, with their webhooks; only one number for an id that is not zero.
func WebhookListOfOrganisation(ctx context.Context, q db.Querier, organisationID, numberID int64) ([]models.NumberWebhook, error) {
	rows, err := manyLax[numberWebhookRow](ctx, q, `
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

// WebhookUpdateEnabled lets callbacks go out again, as if none had failed.
func WebhookUpdateEnabled(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `
		update webhooks set failures = 0, failing_since = null, open_until = null, recent_attempts = 0, recent_failures = 0,
		       disabled_at = null, disabled_reason = '', updated_at = now()
		where id = $1`, id)
	return err
}

// WebhookListOfAccount returns the webhooks of the numbers of a business account,
// with id and failures only.
func WebhookListOfAccount(ctx context.Context, q db.Querier, accountID int64) ([]models.Webhook, error) {
	return manyLax[models.Webhook](ctx, q, `
		select w.id, w.failures from webhooks w join phone_numbers p on w.channel = 'messaging' and w.subject = p.id::text
		where p.business_account_id = $1 and p.removed_at is null`, accountID)
}

// WebhookUpsert sets the URL for the callbacks of a subject. An empty URL stops
// them. A webhook that is set again starts healthy and enabled, and keeps its
// secrets unless a new one is given, which replaces them at once.
func WebhookUpsert(ctx context.Context, q db.Querier, w models.Webhook) error {
	_, err := q.Exec(ctx, `
		insert into webhooks (organisation_id, channel, subject, url, headers, format, secret, previous_secret, previous_secret_until)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		on conflict (channel, subject) do update
		set url = excluded.url, headers = excluded.headers, format = excluded.format, secret = coalesce(excluded.secret, webhooks.secret),
		    previous_secret = case when excluded.secret is null then webhooks.previous_secret else excluded.previous_secret end,
		    previous_secret_until = case when excluded.secret is null then webhooks.previous_secret_until else excluded.previous_secret_until end, failures = 0, failing_since = null, open_until = null,
		    recent_attempts = 0, recent_failures = 0, disabled_at = null, disabled_reason = '', updated_at = now()`,
		w.OrganisationID, w.Channel, w.Subject, w.URL, w.Headers, w.Format, w.Secret, w.PreviousSecret, w.PreviousSecretUntil)
	return err
}

// WebhookUpdateProbed allows one callback to a paused endpoint at once.
func WebhookUpdateProbed(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update webhooks set open_until = null where id = $1 and open_until is not null`, id)
	return err
}

// WebhookCount returns how many webhooks an organisation has on a channel.
func WebhookCount(ctx context.Context, q db.Querier, channel string, organisationID int64) (n int, err error) {
	err = q.QueryRow(ctx, `select count(*) from webhooks where channel = $1 and organisation_id = $2`, channel, organisationID).Scan(&n)
	return n, err
}
