package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// replayable are the finished callbacks of a range, the oldest first.
func replayable(r models.Replay) (sql string, args pgx.NamedArgs) {
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
	sql, args := replayable(r)
	args["limit"] = limit + 1
	err = q.QueryRow(ctx, `select count(*) from (`+sql+`) d`, args).Scan(&n)
	return n, err
}

// ReplayInsert makes the finished callbacks of a range due once more, the
// oldest first and at most limit of them. It returns the replay as it was
// stored, ending where they end, and the ids of the callbacks.
func ReplayInsert(ctx context.Context, tx pgx.Tx, r models.Replay, limit int) (models.Replay, []int64, error) {
	err := tx.QueryRow(ctx, `
		insert into replays (organisation_id, webhook_id, since, until, everything, callbacks) values ($1, $2, $3, $4, $5, 0)
		returning id, created_at`, r.OrganisationID, r.WebhookID, r.Since, r.Until, r.Everything).Scan(&r.ID, &r.At)
	if err != nil {
		return r, nil, err
	}
	sql, args := replayable(r)
	args["limit"] = limit
	ids, err := values[int64](ctx, tx, `
		update deliveries set state = 'pending', attempts_before = attempts, next_attempt_at = now(), finished_at = null, replay_id = @replay
		where id in (select id from (`+sql+` for update) d)
		returning id`, args)
	if err != nil {
		return r, nil, err
	}
	r.Callbacks = len(ids)
	err = tx.QueryRow(ctx, `
		update replays set callbacks = $2::int,
			until = case when $2 < $3::int then until else (select max(created_at) + interval '1 microsecond' from deliveries where replay_id = $1) end
		where id = $1 returning until`, r.ID, r.Callbacks, limit).Scan(&r.Until)
	return r, ids, err
}

const replayColumns = `r.id, r.organisation_id, r.webhook_id, r.since, r.until, r.everything, r.callbacks, r.created_at as at, w.subject,
	count(d.id) filter (where d.state = 'pending') as waiting, count(d.id) filter (where d.state = 'delivered') as delivered,
	count(d.id) filter (where d.state = 'failed') as failed`

func getReplay(ctx context.Context, q db.Querier, where string, args ...any) (models.Replay, error) {
	return one[models.Replay](ctx, q, `
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
