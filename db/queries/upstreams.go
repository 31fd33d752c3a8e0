package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

// UpstreamPostInsert stores a post of a carrier.
func UpstreamPostInsert(ctx context.Context, q db.Querier, carrier string, body []byte) (id int64, err error) {
	err = q.QueryRow(ctx, `insert into upstream_posts (carrier, body) values ($1, $2) returning id`, carrier, body).Scan(&id)
	return id, err
}

// UpstreamPostGet returns a post of a carrier.
func UpstreamPostGet(ctx context.Context, q db.Querier, id int64) (models.UpstreamPost, error) {
	return one[models.UpstreamPost](ctx, q, `select id, carrier, body, received_at from upstream_posts where id = $1`, id)
}

// UpstreamPostDelete deletes a post that was read.
func UpstreamPostDelete(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `delete from upstream_posts where id = $1`, id)
	return err
}

// UpstreamPostDeleteOld deletes posts that could not be read for longer than age.
func UpstreamPostDeleteOld(ctx context.Context, q db.Querier, age time.Duration) error {
	_, err := q.Exec(ctx, `delete from upstream_posts where received_at < now() - $1::interval`, age)
	return err
}

// UpstreamMessageInsert stores what a carrier calls a received message. fresh is false
// if it was received before.
func UpstreamMessageInsert(ctx context.Context, q db.Querier, carrier, upstreamID string, message uuid.UUID) (fresh bool, err error) {
	tag, err := q.Exec(ctx, `
		insert into upstream_messages (carrier, upstream_id, message_id) values ($1, $2, $3) on conflict do nothing`, carrier, upstreamID, message)
	return tag.RowsAffected() == 1, err
}

// UpstreamMessageFind returns the message that a carrier's own id means: one that a
// person sent, or one that was handed over. No row comes back for an unknown id.
func UpstreamMessageFind(ctx context.Context, q db.Querier, carrier, upstreamID string) (message uuid.UUID, err error) {
	err = q.QueryRow(ctx, `
		select message_id from upstream_messages where carrier = $1 and upstream_id = $2
		union all
		select message_id from carrier_ids where carrier = $1 and provider_id = $2
		limit 1`, carrier, upstreamID).Scan(&message)
	return message, err
}

// UpstreamIDGet returns what a carrier calls a message; empty if it does not have it.
func UpstreamIDGet(ctx context.Context, q db.Querier, carrier string, message uuid.UUID) (id string, err error) {
	err = q.QueryRow(ctx, `
		select coalesce(
			(select provider_id from carriages where message_id = $2 and carrier = $1 and provider_id <> '' order by leg desc limit 1),
			(select upstream_id from upstream_messages where message_id = $2 and carrier = $1 limit 1), '')`, carrier, message).Scan(&id)
	return id, err
}

// UpstreamOfReceived returns the carrier that passed a received message on, and what it
// calls the message. No row comes back for a message that came from no carrier.
func UpstreamOfReceived(ctx context.Context, q db.Querier, message uuid.UUID) (carrier, id string, err error) {
	err = q.QueryRow(ctx, `select carrier, upstream_id from upstream_messages where message_id = $1 limit 1`, message).Scan(&carrier, &id)
	return carrier, id, err
}

// UpstreamMessageDelete deletes ids of received messages that are older than age.
func UpstreamMessageDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	_, err := q.Exec(ctx, `delete from upstream_messages where received_at < now() - $1::interval`, age)
	return err
}

// UpstreamMediaGet returns what a carrier calls a file that was uploaded within age. No
// row comes back if it does not have it.
func UpstreamMediaGet(ctx context.Context, q db.Querier, carrier string, mediaID int64, age time.Duration) (id string, err error) {
	err = q.QueryRow(ctx, `
		select upstream_id from upstream_media where carrier = $1 and media_id = $2 and uploaded_at > now() - $3::interval`, carrier, mediaID, age).Scan(&id)
	return id, err
}

// UpstreamMediaUpsert stores what a carrier calls a file.
func UpstreamMediaUpsert(ctx context.Context, q db.Querier, carrier string, mediaID int64, id string) error {
	_, err := q.Exec(ctx, `
		insert into upstream_media (carrier, media_id, upstream_id) values ($1, $2, $3)
		on conflict (carrier, media_id) do update set upstream_id = excluded.upstream_id, uploaded_at = now()`, carrier, mediaID, id)
	return err
}

// UpstreamMediaDelete deletes the ids of files that were uploaded longer than age ago.
func UpstreamMediaDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	_, err := q.Exec(ctx, `delete from upstream_media where uploaded_at < now() - $1::interval`, age)
	return err
}

// MediaFind returns media by its id, of any organisation, unless it has expired.
func MediaFind(ctx context.Context, q db.Querier, id int64) (models.Media, error) {
	return one[models.Media](ctx, q, `
		select id, organisation_id, phone_number_id, object, mime_type, size, sha256, file_name, created_at, expires_at
		from media where id = $1 and expires_at > now()`, id)
}

// ParkedInsert parks a part with an unknown result of its hand-over. fresh is false if it
// is parked already.
func ParkedInsert(ctx context.Context, q db.Querier, c models.Carriage) (fresh bool, err error) {
	tag, err := q.Exec(ctx, `
		insert into parked_parts (message_id, leg, part, carrier, hand_over)
		select message_id, leg, part, carrier, attempts from carriages where message_id = $1 and leg = $2 and part = $3 and state = 'dialling'
		on conflict do nothing`, c.MessageID, c.Leg, c.Part)
	return tag.RowsAffected() == 1, err
}

// stillParked are the parked parts that wait for a decision: no report has come about
// them, and their message is still accepted.
const stillParked = `
	from parked_parts p join messages m on m.id = p.message_id
	join carriages c on c.message_id = p.message_id and c.leg = p.leg and c.part = p.part and c.attempts = p.hand_over and c.state = 'dialling'
	where m.state = 'accepted' and m.leg = p.leg`

const parkedColumns = `
	p.message_id, p.leg, p.part, p.carrier, p.hand_over, p.parked_at, c.channel, m.organisation_id, o.name as organisation,
	m.sender, m.recipient, m.kind as message_kind, m.created_at`

// ParkedList returns up to limit parts that wait for a decision, the oldest first.
func ParkedList(ctx context.Context, q db.Querier, limit int) ([]models.ParkedPart, error) {
	return many[models.ParkedPart](ctx, q, `
		with parked as (select p.*, m.organisation_id as owner `+stillParked+` order by p.parked_at limit $1)
		select `+parkedColumns+` from parked p join messages m on m.id = p.message_id join organisations o on o.id = m.organisation_id
		join carriages c on c.message_id = p.message_id and c.leg = p.leg and c.part = p.part
		order by p.parked_at`, limit)
}

// ParkedLock returns a part that waits for a decision, and locks it. No row comes back
// once the decision was made.
func ParkedLock(ctx context.Context, q db.Querier, message uuid.UUID) (models.ParkedPart, error) {
	return one[models.ParkedPart](ctx, q, `
		with parked as (select p.* `+stillParked+` and p.message_id = $1 order by p.part limit 1 for update of p)
		select `+parkedColumns+` from parked p join messages m on m.id = p.message_id join organisations o on o.id = m.organisation_id
		join carriages c on c.message_id = p.message_id and c.leg = p.leg and c.part = p.part`, message)
}

// ParkedDelete ends the wait of a part.
func ParkedDelete(ctx context.Context, q db.Querier, p models.ParkedPart) error {
	_, err := q.Exec(ctx, `delete from parked_parts where message_id = $1 and leg = $2 and part = $3`, p.MessageID, p.Leg, p.Part)
	return err
}

// ParkedSweep deletes the parts of messages that have moved without a decision.
func ParkedSweep(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `
		delete from parked_parts p where not exists (
			select from messages m where m.id = p.message_id and m.leg = p.leg and m.state = 'accepted')`)
	return err
}

// ReceivedNumber returns the phone number that received a message.
func ReceivedNumber(ctx context.Context, q db.Querier, message uuid.UUID) (phoneNumberID int64, err error) {
	err = q.QueryRow(ctx, `select phone_number_id from inbound_messages where id = $1`, message).Scan(&phoneNumberID)
	return phoneNumberID, err
}
