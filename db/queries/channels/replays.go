package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// Replayable are the finished callbacks of a range, the oldest first.
func Replayable(r models.Replay) (sql string, args pgx.NamedArgs) {
	state := `state = 'failed'` // these have an index of their own
	if r.Everything {
		state = `state <> 'pending'`
	}
	return `
		select id, created_at from deliveries
		where organisation_id = @organisation and webhook_id = @webhook and ` + state + ` and created_at >= @since and created_at < @until and body <> ''
		order by created_at, id limit @limit`,
		pgx.NamedArgs{"organisation": r.OrganisationID, "webhook": r.WebhookID, "since": r.Since, "until": r.Until, "replay": r.ID}
}

// ReplayCount counts the callbacks that a replay would take, up to one more
// than limit.
func ReplayCount(ctx context.Context, q db.Querier, r models.Replay, limit int) (n int, err error) {
	sql, args := Replayable(r)
	args["limit"] = limit + 1
	return collect.Value[int](ctx, q, `select count(*) from (`+sql+`) d`, args)
}

const replayColumns = `r.id, r.organisation_id, r.webhook_id, r.since, r.until, r.everything, r.callbacks, r.created_at as at, w.subject,
	count(d.id) filter (where d.state = 'pending') as waiting, count(d.id) filter (where d.state = 'delivered') as delivered,
	count(d.id) filter (where d.state = 'failed') as failed`

func getReplay(ctx context.Context, q db.Querier, where string, args ...any) (models.Replay, error) {
	return collect.One[models.Replay](ctx, q, `
		select `+replayColumns+` from (select * from replays where organisation_id = $1 and `+where+` order by id desc limit 1) r
		join webhooks w on w.id = r.webhook_id left join deliveries d on d.replay_id = r.id
		group by r.id, r.organisation_id, r.webhook_id, r.since, r.until, r.everything, r.callbacks, r.created_at, w.subject`, args...)
}

// ReplayGet returns a replay of an organisation, and how far its callbacks are.
func ReplayGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.Replay, error) {
	return getReplay(ctx, q, `id = $2`, organisationID, id)
}

// ReplayGetLast returns the newest replay of a webhook.
func ReplayGetLast(ctx context.Context, q db.Querier, organisationID, webhookID int64) (models.Replay, error) {
	return getReplay(ctx, q, `webhook_id = $2`, organisationID, webhookID)
}
