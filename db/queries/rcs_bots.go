package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

const rcsBot = `
	select b.id, b.organisation_id, o.name as organisation, o.sandbox, b.name, b.profile, b.verification, b.launch, b.reason, b.client_id,
	       b.client_secret is not null as has_secret, b.transform, b.submission, b.submitted_at, coalesce(w.url, '') as webhook_url, b.created_at, b.updated_at
	from rcs_bots b join organisations o on o.id = b.organisation_id left join webhooks w on w.channel = 'rcs' and w.subject = b.id `

// RCSBotGet returns a bot.
func RCSBotGet(ctx context.Context, q db.Querier, id string) (models.RCSBot, error) {
	return one[models.RCSBot](ctx, q, rcsBot+`where b.id = $1`, id)
}

// RCSBotLock returns a bot and locks it until the transaction ends.
func RCSBotLock(ctx context.Context, q db.Querier, id string) (models.RCSBot, error) {
	return one[models.RCSBot](ctx, q, rcsBot+`where b.id = $1 for update of b`, id)
}

// RCSBotGetByClientID returns the bot with a client id.
func RCSBotGetByClientID(ctx context.Context, q db.Querier, clientID string) (models.RCSBot, error) {
	return one[models.RCSBot](ctx, q, rcsBot+`where b.client_id = $1`, clientID)
}

// RCSBotGetByName returns the bot of an organisation with a name.
func RCSBotGetByName(ctx context.Context, q db.Querier, organisationID int64, name string) (models.RCSBot, error) {
	return one[models.RCSBot](ctx, q, rcsBot+`where b.organisation_id = $1 and b.name = $2`, organisationID, name)
}

// RCSPage is one page of a list.
type RCSPage struct{ Offset, Limit int }

// RCSBotList returns the bots of an organisation, newest first; only those in a
// launch state if it is not empty.
func RCSBotList(ctx context.Context, q db.Querier, organisationID int64, launch string, p RCSPage) ([]models.RCSBot, error) {
	return many[models.RCSBot](ctx, q, rcsBot+`
		where b.organisation_id = $1 and ($2 = '' or b.launch = $2) order by b.created_at desc, b.id limit $3 offset $4`,
		organisationID, launch, p.Limit, p.Offset)
}

// RCSBotCount returns how many bots RCSBotList finds.
func RCSBotCount(ctx context.Context, q db.Querier, organisationID int64, launch string) (n int, err error) {
	err = q.QueryRow(ctx, `select count(*) from rcs_bots where organisation_id = $1 and ($2 = '' or launch = $2)`, organisationID, launch).Scan(&n)
	return n, err
}

// RCSBotListAll returns the bots of all organisations: those that wait for an
// administrator first, then the newest.
func RCSBotListAll(ctx context.Context, q db.Querier, limit int) ([]models.RCSBot, error) {
	return many[models.RCSBot](ctx, q, rcsBot+`
		order by (b.verification = 'PENDING' or b.launch in ('PENDING', 'PENDING_UNLAUNCH')) desc, b.updated_at desc, b.id limit $1`, limit)
}

// RCSBotInsert adds a bot. It reports false if the organisation has one of the
// same name.
func RCSBotInsert(ctx context.Context, q db.Querier, b models.RCSBot) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into rcs_bots (id, organisation_id, name, profile) values ($1, $2, $3, $4) on conflict (organisation_id, name) do nothing`,
		b.ID, b.OrganisationID, b.Name, b.Profile)
	return tag.RowsAffected() == 1, err
}

// RCSBotUpdate stores everything that changes of a bot but its secret.
func RCSBotUpdate(ctx context.Context, q db.Querier, b models.RCSBot) error {
	_, err := q.Exec(ctx, `
		update rcs_bots set name = $2, profile = $3, verification = $4, launch = $5, reason = $6, client_id = $7, transform = $8,
		       submission = $9, submitted_at = $10, updated_at = now()
		where id = $1`,
		b.ID, b.Name, b.Profile, b.Verification, b.Launch, b.Reason, b.ClientID, b.Transform, nullJSON(b.Submission), b.SubmittedAt)
	return err
}

// RCSBotUpdateSecret stores the hash of a new client secret.
func RCSBotUpdateSecret(ctx context.Context, q db.Querier, id string, hash []byte) error {
	_, err := q.Exec(ctx, `update rcs_bots set client_secret = $2, updated_at = now() where id = $1`, id, hash)
	return err
}

// RCSBotUpdateFormat copies the form of relayed events from a bot to its webhook.
func RCSBotUpdateFormat(ctx context.Context, q db.Querier, id string) error {
	_, err := q.Exec(ctx, `
		update webhooks w set format = b.transform, updated_at = now() from rcs_bots b where b.id = $1 and w.channel = 'rcs' and w.subject = b.id`, id)
	return err
}

// RCSImageUpsert stores an image of a bot.
func RCSImageUpsert(ctx context.Context, q db.Querier, i models.RCSImage) error {
	_, err := q.Exec(ctx, `
		insert into rcs_images (bot_id, name, media_type, content) values ($1, $2, $3, $4)
		on conflict (bot_id, name) do update set media_type = excluded.media_type, content = excluded.content, created_at = now()`,
		i.BotID, i.Name, i.MediaType, i.Content)
	return err
}

// RCSImageDeleteScreens deletes what the reviewers of a bot were shown.
func RCSImageDeleteScreens(ctx context.Context, q db.Querier, botID string) error {
	_, err := q.Exec(ctx, `delete from rcs_images where bot_id = $1 and name not in ('logo', 'banner')`, botID)
	return err
}

// RCSImageGet returns an image of a bot.
func RCSImageGet(ctx context.Context, q db.Querier, botID, name string) (models.RCSImage, error) {
	return one[models.RCSImage](ctx, q, `select bot_id, name, media_type, content from rcs_images where bot_id = $1 and name = $2`, botID, name)
}

// RCSImageNames returns the names of the images of a bot.
func RCSImageNames(ctx context.Context, q db.Querier, botID string) ([]string, error) {
	return values[string](ctx, q, `select name from rcs_images where bot_id = $1 order by name`, botID)
}

// RCSDeviceGet returns a test device of a bot.
func RCSDeviceGet(ctx context.Context, q db.Querier, botID, number string) (models.RCSDevice, error) {
	return one[models.RCSDevice](ctx, q, `select bot_id, number, name, state, invited_at, answered_at from rcs_devices where bot_id = $1 and number = $2`, botID, number)
}

// RCSDeviceList returns the test devices of a bot, oldest first.
func RCSDeviceList(ctx context.Context, q db.Querier, botID string) ([]models.RCSDevice, error) {
	return many[models.RCSDevice](ctx, q, `
		select bot_id, number, name, state, invited_at, answered_at from rcs_devices where bot_id = $1 order by invited_at, number`, botID)
}

// RCSDeviceUpsert invites a phone, or invites it again.
func RCSDeviceUpsert(ctx context.Context, q db.Querier, d models.RCSDevice) error {
	_, err := q.Exec(ctx, `
		insert into rcs_devices (bot_id, number, name) values ($1, $2, $3)
		on conflict (bot_id, number) do update set name = excluded.name, state = 'PENDING', invited_at = now(), answered_at = null`,
		d.BotID, d.Number, d.Name)
	return err
}

// RCSDeviceUpdate stores the answer to an invitation that is open.
func RCSDeviceUpdate(ctx context.Context, q db.Querier, d models.RCSDevice) error {
	_, err := q.Exec(ctx, `
		update rcs_devices set state = $3, answered_at = now() where bot_id = $1 and number = $2 and state = 'PENDING'`, d.BotID, d.Number, d.State)
	return err
}
