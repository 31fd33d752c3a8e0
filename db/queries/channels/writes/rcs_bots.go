package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// RCSBotLock returns a bot and locks it until the transaction ends.
func RCSBotLock(ctx context.Context, q db.Querier, id string) (models.RCSBot, error) {
	return collect.One[models.RCSBot](ctx, q, queries.RCSBotRows+`where b.id = $1 for update of b`, id)
}

// RCSBotInsert adds a bot. It reports false if the organisation has one of the
// same name.
func RCSBotInsert(ctx context.Context, q db.Querier, b models.RCSBot) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into rcs_bots (id, organisation_id, name, profile) values ($1, $2, $3, $4) on conflict (organisation_id, name) do nothing`,
		b.ID, b.OrganisationID, b.Name, b.Profile)
}

// RCSBotUpdate stores everything that changes of a bot but its secret.
func RCSBotUpdate(ctx context.Context, q db.Querier, b models.RCSBot) error {
	return collect.Execute(ctx, q, `
		update rcs_bots set name = $2, profile = $3, verification = $4, launch = $5, reason = $6, client_id = $7, transform = $8,
		       submission = $9, submitted_at = $10, updated_at = now()
		where id = $1`,
		b.ID, b.Name, b.Profile, b.Verification, b.Launch, b.Reason, b.ClientID, b.Transform, nullJSON(b.Submission), b.SubmittedAt)
}

// RCSBotUpdateSecret stores the hash of a new client secret.
func RCSBotUpdateSecret(ctx context.Context, q db.Querier, id string, hash []byte) error {
	return collect.Execute(ctx, q, `update rcs_bots set client_secret = $2, updated_at = now() where id = $1`, id, hash)
}

// RCSBotUpdateFormat copies the form of relayed events from a bot to its webhook.
func RCSBotUpdateFormat(ctx context.Context, q db.Querier, id string) error {
	return collect.Execute(ctx, q, `
		update webhooks w set format = b.transform, updated_at = now() from rcs_bots b where b.id = $1 and w.channel = 'rcs' and w.subject = b.id`, id)
}

// RCSImageUpsert stores an image of a bot.
func RCSImageUpsert(ctx context.Context, q db.Querier, i models.RCSImage) error {
	return collect.Execute(ctx, q, `
		insert into rcs_images (bot_id, name, media_type, content) values ($1, $2, $3, $4)
		on conflict (bot_id, name) do update set media_type = excluded.media_type, content = excluded.content, created_at = now()`,
		i.BotID, i.Name, i.MediaType, i.Content)
}

// RCSImageDeleteScreens deletes what the reviewers of a bot were shown.
func RCSImageDeleteScreens(ctx context.Context, q db.Querier, botID string) error {
	return collect.Execute(ctx, q, `delete from rcs_images where bot_id = $1 and name not in ('logo', 'banner')`, botID)
}

// RCSDeviceUpsert invites a phone, or invites it again.
func RCSDeviceUpsert(ctx context.Context, q db.Querier, d models.RCSDevice) error {
	return collect.Execute(ctx, q, `
		insert into rcs_devices (bot_id, number, name) values ($1, $2, $3)
		on conflict (bot_id, number) do update set name = excluded.name, state = 'PENDING', invited_at = now(), answered_at = null`,
		d.BotID, d.Number, d.Name)
}

// RCSDeviceUpdate stores the answer to an invitation that is open.
func RCSDeviceUpdate(ctx context.Context, q db.Querier, d models.RCSDevice) error {
	return collect.Execute(ctx, q, `
		update rcs_devices set state = $3, answered_at = now() where bot_id = $1 and number = $2 and state = 'PENDING'`, d.BotID, d.Number, d.State)
}
