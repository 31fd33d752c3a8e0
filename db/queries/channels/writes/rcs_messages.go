package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RCSMessageIDClaim claims message ids of a bot and returns those that were not
// used before. The order of the claims is the same in every transaction, so that
// two never wait for each other.
func RCSMessageIDClaim(ctx context.Context, q db.Querier, botID string, claims []models.RCSMessageID) ([]string, error) {
	var ids []string
	var prints [][]byte
	var messages []uuid.UUID
	for _, c := range claims {
		ids, prints, messages = append(ids, c.MessageID), append(prints, c.Fingerprint), append(messages, c.ID)
	}
	return collect.Values[string](ctx, q, `
		insert into rcs_message_ids (bot_id, message_id, fingerprint, id)
		select $1, c.message_id, c.fingerprint, c.id from unnest($2::text[], $3::bytea[], $4::uuid[]) as c (message_id, fingerprint, id) order by c.message_id
		on conflict do nothing returning message_id`, botID, ids, prints, messages)
}

// RCSMessageIDDelete deletes message ids that were claimed longer than keep ago.
func RCSMessageIDDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from rcs_message_ids where created_at < now() - $1::interval`, keep)
}

// RCSCarrierEventInsert stores that a carrier has posted an event. It reports false
// for one that was posted before.
func RCSCarrierEventInsert(ctx context.Context, q db.Querier, carrier, eventID string) (bool, error) {
	return collect.Changed(ctx, q, `insert into rcs_carrier_events (carrier, event_id) values ($1, $2) on conflict do nothing`, carrier, eventID)
}

// RCSCarrierEventDelete deletes events that were posted longer than keep ago.
func RCSCarrierEventDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from rcs_carrier_events where received_at < now() - $1::interval`, keep)
}
