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

// RangeOpen gives the range of an organisation an address until a time. What came in
// under an address before stays.
func RangeOpen(ctx context.Context, q db.Querier, organisationID int64, hash, token []byte, until time.Time) error {
	return collect.Execute(ctx, q, `
		insert into webhook_ranges (organisation_id, token_hash, token, expires_at) values ($1, $2, $3, $4)
		on conflict (organisation_id) do update set token_hash = excluded.token_hash, token = excluded.token, expires_at = excluded.expires_at`,
		organisationID, hash, token, until)
}

// RangeUpdateExpiry moves the time until which a range takes requests.
func RangeUpdateExpiry(ctx context.Context, q db.Querier, organisationID int64, until time.Time) error {
	return collect.Execute(ctx, q, `update webhook_ranges set expires_at = $2 where organisation_id = $1`, organisationID, until)
}

// RangeUpdateAnswer sets what a range answers.
func RangeUpdateAnswer(ctx context.Context, q db.Querier, w models.WebhookRange) error {
	return collect.Execute(ctx, q, `update webhook_ranges set status = $2, delay_ms = $3, answer = $4 where organisation_id = $1`, w.OrganisationID, w.Status, w.DelayMS, w.Answer)
}

// RangeTake counts a request at an address that is open, and returns its range. The
// row is locked, so that requests are numbered in the order in which they are stored.
func RangeTake(ctx context.Context, q db.Querier, hash []byte, now time.Time) (models.WebhookRange, error) {
	return collect.One[models.WebhookRange](ctx, q, `
		update webhook_ranges set taken = taken + 1 where token_hash = $1 and expires_at > $2 returning `+queries.RangeColumns, hash, now)
}

// RangeSee notes the id of a callback, and returns the number of the first request
// that had it.
func RangeSee(ctx context.Context, q db.Querier, organisationID int64, key []byte, number int64) (first int64, err error) {
	return collect.Value[int64](ctx, q, `
		insert into webhook_range_ids (organisation_id, key, number) values ($1, $2, $3)
		on conflict (organisation_id, key) do update set number = webhook_range_ids.number returning number`, organisationID, key, number)
}

// RangeForget drops the ids that only requests before a number had.
func RangeForget(ctx context.Context, q db.Querier, organisationID, before int64) error {
	return collect.Execute(ctx, q, `delete from webhook_range_ids where organisation_id = $1 and number < $2`, organisationID, before)
}

// RangeRequestInsert stores a request.
func RangeRequestInsert(ctx context.Context, q db.Querier, r models.RangeRequest) error {
	return collect.Execute(ctx, q, `
		insert into webhook_range_requests (id, organisation_id, number, method, content, size, inside, delivery_id, event, event_at, first_number, replay_of, status, delay_ms)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		r.ID, r.OrganisationID, r.Number, r.Method, r.Content, r.Size, r.Inside, r.DeliveryID, r.Event, r.EventAt, r.FirstNumber, r.ReplayOf, r.Status, r.DelayMS)
}

// RangeRequestTrim deletes the oldest requests of a range over a number. Those that are
// kept count and stay.
func RangeRequestTrim(ctx context.Context, q db.Querier, organisationID int64, most int) error {
	return collect.Execute(ctx, q, `
		delete from webhook_range_requests where id in (
			select id from webhook_range_requests where organisation_id = $1 order by kept desc, number desc offset $2
		) and not kept`, organisationID, most)
}

// RangeRequestUpdateKept marks a request as kept, unless as many are kept already, or
// takes the mark away. It reports whether it did.
func RangeRequestUpdateKept(ctx context.Context, q db.Querier, organisationID int64, id uuid.UUID, kept bool, most int) (bool, error) {
	done, err := q.Exec(ctx, `
		update webhook_range_requests set kept = $3 where organisation_id = $1 and id = $2
		and (not $3 or (select count(*) from webhook_range_requests where organisation_id = $1 and kept and id <> $2) < $4)`, organisationID, id, kept, most)
	return err == nil && done.RowsAffected() > 0, err
}

// RangeDeleteExpired deletes ranges, with all that they took, some time after they
// have ended.
func RangeDeleteExpired(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from webhook_ranges where expires_at < now() - $1::interval`, keep)
}
