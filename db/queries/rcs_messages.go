package queries

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// RCSMessageIDList returns those message ids of a bot that were used.
func RCSMessageIDList(ctx context.Context, q db.Querier, botID string, messageIDs []string) ([]models.RCSMessageID, error) {
	return many[models.RCSMessageID](ctx, q, `
		select message_id, fingerprint, id from rcs_message_ids where bot_id = $1 and message_id = any($2)`, botID, messageIDs)
}

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
	return values[string](ctx, q, `
		insert into rcs_message_ids (bot_id, message_id, fingerprint, id)
		select $1, c.message_id, c.fingerprint, c.id from unnest($2::text[], $3::bytea[], $4::uuid[]) as c (message_id, fingerprint, id) order by c.message_id
		on conflict do nothing returning message_id`, botID, ids, prints, messages)
}

// RCSMessageIDDelete deletes message ids that were claimed longer than keep ago.
func RCSMessageIDDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from rcs_message_ids where created_at < now() - $1::interval`, keep)
	return err
}

// RCSDeviceListAccepted returns those numbers that accepted to test a bot.
func RCSDeviceListAccepted(ctx context.Context, q db.Querier, botID string, numbers []string) ([]string, error) {
	return values[string](ctx, q, `select number from rcs_devices where bot_id = $1 and number = any($2) and state = 'ACCEPTED'`, botID, numbers)
}

// RCSPayloadList returns the payloads of the newest messages of a bot, up to a
// number of them. Only the newest messages of its organisation are looked at.
func RCSPayloadList(ctx context.Context, q db.Querier, organisationID int64, botID string, limit int) ([][]byte, error) {
	return values[[]byte](ctx, q, `
		select payload from (select id, channel, sender, payload from messages where `+ownRows+` order by organisation_id, id desc limit @reach) m
		where channel = 'rcs' and sender = @bot and payload is not null order by id desc limit @limit`,
		pgx.NamedArgs{"organisation": organisationID, "bot": botID, "limit": limit, "reach": reachFar})
}

// RCSCarrierEventInsert stores that a carrier has posted an event. It reports false
// for one that was posted before.
func RCSCarrierEventInsert(ctx context.Context, q db.Querier, carrier, eventID string) (bool, error) {
	tag, err := q.Exec(ctx, `insert into rcs_carrier_events (carrier, event_id) values ($1, $2) on conflict do nothing`, carrier, eventID)
	return tag.RowsAffected() == 1, err
}

// RCSCarrierEventDelete deletes events that were posted longer than keep ago.
func RCSCarrierEventDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from rcs_carrier_events where received_at < now() - $1::interval`, keep)
	return err
}
