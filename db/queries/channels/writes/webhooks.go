package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// WebhookLockSecrets returns the webhooks of an organisation on a channel that have
// a signing secret of their own, with it and their place only.
func WebhookLockSecrets(ctx context.Context, q db.Querier, channel string, organisationID int64) ([]models.Webhook, error) {
	return collect.ManyLax[models.Webhook](ctx, q, `
		select w.id, w.channel, w.subject, `+queries.WebhookSecrets+` from webhooks w
		where w.channel = $1 and w.organisation_id = $2 and octet_length(w.secret) > 0 order by w.id for update`, channel, organisationID)
}

// WebhookUpdateSecrets stores the signing secrets of a webhook, sealed.
func WebhookUpdateSecrets(ctx context.Context, q db.Querier, w models.Webhook) error {
	return collect.Execute(ctx, q, `
		update webhooks set secret = $2, previous_secret = $3, previous_secret_until = $4, updated_at = now() where id = $1`,
		w.ID, w.Secret, w.PreviousSecret, w.PreviousSecretUntil)
}

// WebhookUpdateEnabled lets callbacks go out again, as if none had failed.
func WebhookUpdateEnabled(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `
		update webhooks set failures = 0, failing_since = null, open_until = null, recent_attempts = 0, recent_failures = 0,
		       disabled_at = null, disabled_reason = '', updated_at = now()
		where id = $1`, id)
}

// WebhookUpsert sets the URL for the callbacks of a subject. An empty URL stops
// them. A webhook that is set again starts healthy and enabled, and keeps its
// secrets unless a new one is given, which replaces them at once.
func WebhookUpsert(ctx context.Context, q db.Querier, w models.Webhook) error {
	return collect.Execute(ctx, q, `
		insert into webhooks (organisation_id, channel, subject, url, headers, format, secret, previous_secret, previous_secret_until)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		on conflict (channel, subject) do update
		set url = excluded.url, headers = excluded.headers, format = excluded.format, secret = coalesce(excluded.secret, webhooks.secret),
		    previous_secret = case when excluded.secret is null then webhooks.previous_secret else excluded.previous_secret end,
		    previous_secret_until = case when excluded.secret is null then webhooks.previous_secret_until else excluded.previous_secret_until end, failures = 0, failing_since = null, open_until = null,
		    recent_attempts = 0, recent_failures = 0, disabled_at = null, disabled_reason = '', updated_at = now()`,
		w.OrganisationID, w.Channel, w.Subject, w.URL, w.Headers, w.Format, w.Secret, w.PreviousSecret, w.PreviousSecretUntil)
}

// WebhookUpdateProbed allows one callback to a paused endpoint at once.
func WebhookUpdateProbed(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `update webhooks set open_until = null where id = $1 and open_until is not null`, id)
}
