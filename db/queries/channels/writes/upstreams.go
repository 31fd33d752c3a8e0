package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// UpstreamPostInsert stores posts of carriers, and returns their ids in the same order.
func UpstreamPostInsert(ctx context.Context, q db.Querier, carriers []string, bodies [][]byte) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		insert into upstream_posts (carrier, body)
		select carrier, body from unnest($1::text[], $2::bytea[]) with ordinality as s (carrier, body, n) order by n
		returning id`, carriers, bodies)
}

// UpstreamPostDelete deletes a post that was read.
func UpstreamPostDelete(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `delete from upstream_posts where id = $1`, id)
}

// UpstreamPostDeleteOld deletes posts that could not be read for longer than age.
func UpstreamPostDeleteOld(ctx context.Context, q db.Querier, age time.Duration) error {
	return collect.Execute(ctx, q, `delete from upstream_posts where received_at < now() - $1::interval`, age)
}

// UpstreamMessageInsert stores what a carrier calls a received message. fresh is false
// if it was received before.
func UpstreamMessageInsert(ctx context.Context, q db.Querier, carrier, upstreamID string, message uuid.UUID) (fresh bool, err error) {
	return collect.Changed(ctx, q, `
		insert into upstream_messages (carrier, upstream_id, message_id) values ($1, $2, $3) on conflict do nothing`, carrier, upstreamID, message)
}

// UpstreamMessageDelete deletes ids of received messages that are older than age.
func UpstreamMessageDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	return collect.Execute(ctx, q, `delete from upstream_messages where received_at < now() - $1::interval`, age)
}

// UpstreamMediaUpsert stores what a carrier calls a file.
func UpstreamMediaUpsert(ctx context.Context, q db.Querier, carrier string, mediaID int64, id string) error {
	return collect.Execute(ctx, q, `
		insert into upstream_media (carrier, media_id, upstream_id) values ($1, $2, $3)
		on conflict (carrier, media_id) do update set upstream_id = excluded.upstream_id, uploaded_at = now()`, carrier, mediaID, id)
}

// UpstreamMediaDelete deletes the ids of files that were uploaded longer than age ago.
func UpstreamMediaDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	return collect.Execute(ctx, q, `delete from upstream_media where uploaded_at < now() - $1::interval`, age)
}

// ParkedInsert parks a part with an unknown result of its hand-over. fresh is false if it
// is parked already.
func ParkedInsert(ctx context.Context, q db.Querier, c models.Carriage) (fresh bool, err error) {
	return collect.Changed(ctx, q, `
		insert into parked_parts (message_id, leg, part, carrier, hand_over)
		select message_id, leg, part, carrier, attempts from carriages where message_id = $1 and leg = $2 and part = $3 and state = 'dialling'
		on conflict do nothing`, c.MessageID, c.Leg, c.Part)
}

// ParkedLock returns a part that waits for a decision, and locks it. No row comes back
// once the decision was made.
func ParkedLock(ctx context.Context, q db.Querier, message uuid.UUID) (models.ParkedPart, error) {
	return collect.One[models.ParkedPart](ctx, q, `
		with parked as (select p.* `+queries.StillParked+` and p.message_id = $1 order by p.part limit 1 for update of p)
		select `+queries.ParkedColumns+` from parked p join messages m on m.id = p.message_id join organisations o on o.id = m.organisation_id
		join carriages c on c.message_id = p.message_id and c.leg = p.leg and c.part = p.part`, message)
}

// ParkedDelete ends the wait of a part.
func ParkedDelete(ctx context.Context, q db.Querier, p models.ParkedPart) error {
	return collect.Execute(ctx, q, `delete from parked_parts where message_id = $1 and leg = $2 and part = $3`, p.MessageID, p.Leg, p.Part)
}

// ParkedSweep deletes the parts of messages that have moved without a decision.
func ParkedSweep(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `
		delete from parked_parts p where not exists (
			select from messages m where m.id = p.message_id and m.leg = p.leg and m.state = 'accepted')`)
}
