package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RCSBotRows selects bots b, each with its organisation and webhook.
const RCSBotRows = `
	select b.id, b.organisation_id, o.name as organisation, o.sandbox, b.name, b.profile, b.verification, b.launch, b.reason, b.client_id,
	       b.client_secret is not null as has_secret, b.transform, b.submission, b.submitted_at, coalesce(w.url, '') as webhook_url, b.created_at, b.updated_at
	from rcs_bots b join organisations o on o.id = b.organisation_id left join webhooks w on w.channel = 'rcs' and w.subject = b.id `

// RCSBotGet returns a bot.
func RCSBotGet(ctx context.Context, q db.Querier, id string) (models.RCSBot, error) {
	return collect.One[models.RCSBot](ctx, q, RCSBotRows+`where b.id = $1`, id)
}

// RCSBotGetByClientID returns the bot with a client id.
func RCSBotGetByClientID(ctx context.Context, q db.Querier, clientID string) (models.RCSBot, error) {
	return collect.One[models.RCSBot](ctx, q, RCSBotRows+`where b.client_id = $1`, clientID)
}

// RCSBotGetByName returns the bot of an organisation with a name.
func RCSBotGetByName(ctx context.Context, q db.Querier, organisationID int64, name string) (models.RCSBot, error) {
	return collect.One[models.RCSBot](ctx, q, RCSBotRows+`where b.organisation_id = $1 and b.name = $2`, organisationID, name)
}

// RCSPage is one page of a list.
type RCSPage struct{ Offset, Limit int }

// RCSBotList returns the bots of an organisation, newest first; only those in a
// launch state if it is not empty.
func RCSBotList(ctx context.Context, q db.Querier, organisationID int64, launch string, p RCSPage) ([]models.RCSBot, error) {
	return collect.Many[models.RCSBot](ctx, q, RCSBotRows+`
		where b.organisation_id = $1 and ($2 = '' or b.launch = $2) order by b.created_at desc, b.id limit $3 offset $4`,
		organisationID, launch, p.Limit, p.Offset)
}

// RCSBotCount returns how many bots RCSBotList finds.
func RCSBotCount(ctx context.Context, q db.Querier, organisationID int64, launch string) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from rcs_bots where organisation_id = $1 and ($2 = '' or launch = $2)`, organisationID, launch)
}

// RCSBotListAll returns the bots of all organisations: those that wait for an
// administrator first, then the newest.
func RCSBotListAll(ctx context.Context, q db.Querier, limit int) ([]models.RCSBot, error) {
	return collect.Many[models.RCSBot](ctx, q, RCSBotRows+`
		order by (b.verification = 'PENDING' or b.launch in ('PENDING', 'PENDING_UNLAUNCH')) desc, b.updated_at desc, b.id limit $1`, limit)
}

// RCSImageGet returns an image of a bot.
func RCSImageGet(ctx context.Context, q db.Querier, botID, name string) (models.RCSImage, error) {
	return collect.One[models.RCSImage](ctx, q, `select bot_id, name, media_type, content from rcs_images where bot_id = $1 and name = $2`, botID, name)
}

// RCSImageNames returns the names of the images of a bot.
func RCSImageNames(ctx context.Context, q db.Querier, botID string) ([]string, error) {
	return collect.Values[string](ctx, q, `select name from rcs_images where bot_id = $1 order by name`, botID)
}

// RCSDeviceGet returns a test device of a bot.
func RCSDeviceGet(ctx context.Context, q db.Querier, botID, number string) (models.RCSDevice, error) {
	return collect.One[models.RCSDevice](ctx, q, `select bot_id, number, name, state, invited_at, answered_at from rcs_devices where bot_id = $1 and number = $2`, botID, number)
}

// RCSDeviceList returns the test devices of a bot, oldest first.
func RCSDeviceList(ctx context.Context, q db.Querier, botID string) ([]models.RCSDevice, error) {
	return collect.Many[models.RCSDevice](ctx, q, `
		select bot_id, number, name, state, invited_at, answered_at from rcs_devices where bot_id = $1 order by invited_at, number`, botID)
}
