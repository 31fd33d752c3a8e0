package writes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

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
	sql, args := queries.Replayable(r)
	args["limit"] = limit
	ids, err := collect.Values[int64](ctx, tx, `
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
