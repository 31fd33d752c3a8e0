package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RangeColumns are the columns of webhook_ranges that a models.WebhookRange has.
const RangeColumns = `organisation_id, token, status, delay_ms, answer, taken, expires_at`

// RangeGet returns the webhook range of an organisation.
func RangeGet(ctx context.Context, q db.Querier, organisationID int64) (models.WebhookRange, error) {
	return collect.One[models.WebhookRange](ctx, q, `select `+RangeColumns+` from webhook_ranges where organisation_id = $1`, organisationID)
}

// RangeEvent is the callback that a request says it is.
type RangeEvent struct {
	Event     string
	CreatedAt time.Time
}

// RangeEventGet returns a callback of an organisation.
func RangeEventGet(ctx context.Context, q db.Querier, organisationID, deliveryID int64) (RangeEvent, error) {
	return collect.One[RangeEvent](ctx, q, `select event, created_at from deliveries where id = $2 and organisation_id = $1`, organisationID, deliveryID)
}

const rangeRequestColumns = `id, organisation_id, number, method, size, inside, delivery_id, event, event_at, first_number, replay_of, status, delay_ms, kept, taken_at`

// RangeRequestList lists the requests of a range without their contents, the newest
// first.
func RangeRequestList(ctx context.Context, q db.Querier, organisationID int64) ([]models.RangeRequest, error) {
	return collect.ManyLax[models.RangeRequest](ctx, q, `select `+rangeRequestColumns+` from webhook_range_requests where organisation_id = $1 order by number desc`, organisationID)
}

// RangeRequestGet returns a request of an organisation with its content.
func RangeRequestGet(ctx context.Context, q db.Querier, organisationID int64, id uuid.UUID) (models.RangeRequest, error) {
	return collect.One[models.RangeRequest](ctx, q, `select `+rangeRequestColumns+`, content from webhook_range_requests where organisation_id = $1 and id = $2`, organisationID, id)
}
