package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RCSMessageIDList returns those message ids of a bot that were used.
func RCSMessageIDList(ctx context.Context, q db.Querier, botID string, messageIDs []string) ([]models.RCSMessageID, error) {
	return collect.Many[models.RCSMessageID](ctx, q, `
		select message_id, fingerprint, id from rcs_message_ids where bot_id = $1 and message_id = any($2)`, botID, messageIDs)
}

// RCSDeviceListAccepted returns those numbers that accepted to test a bot.
func RCSDeviceListAccepted(ctx context.Context, q db.Querier, botID string, numbers []string) ([]string, error) {
	return collect.Values[string](ctx, q, `select number from rcs_devices where bot_id = $1 and number = any($2) and state = 'ACCEPTED'`, botID, numbers)
}

// RCSPayloadList returns the payloads of the newest messages of a bot, up to a
// number of them. Only the newest messages of its organisation are looked at.
func RCSPayloadList(ctx context.Context, q db.Querier, organisationID int64, botID string, limit int) ([][]byte, error) {
	return collect.Values[[]byte](ctx, q, `
		select payload from (select id, channel, sender, payload from messages where `+ownRows+` order by organisation_id, id desc limit @reach) m
		where channel = 'rcs' and sender = @bot and payload is not null order by id desc limit @limit`,
		pgx.NamedArgs{"organisation": organisationID, "bot": botID, "limit": limit, "reach": reachFar})
}
