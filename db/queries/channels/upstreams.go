package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UpstreamPostGet returns a post of a carrier.
func UpstreamPostGet(ctx context.Context, q db.Querier, id int64) (models.UpstreamPost, error) {
	return collect.One[models.UpstreamPost](ctx, q, `select id, carrier, body, received_at from upstream_posts where id = $1`, id)
}

// UpstreamMessageFind returns the message that a carrier's own id means: one that a
// person sent, or one that was handed over. No row comes back for an unknown id.
func UpstreamMessageFind(ctx context.Context, q db.Querier, carrier, upstreamID string) (message uuid.UUID, err error) {
	return collect.Value[uuid.UUID](ctx, q, `
		select message_id from upstream_messages where carrier = $1 and upstream_id = $2
		union all
		select message_id from carrier_ids where carrier = $1 and provider_id = $2
		limit 1`, carrier, upstreamID)
}

// UpstreamIDGet returns what a carrier calls a message of the organisation that a number
// belongs to; empty if it does not have it, or if the message is of another.
func UpstreamIDGet(ctx context.Context, q db.Querier, carrier, number string, message uuid.UUID) (id string, err error) {
	return collect.Value[string](ctx, q, `
		with owner as (select organisation_id from phone_numbers where id = $3::text::bigint)
		select coalesce(
			(select coalesce(nullif(c.provider_id, ''), m.provider_id) from carriages c join messages m on m.id = c.message_id join owner using (organisation_id)
				where c.message_id = $2 and m.id = $2 and c.carrier = $1 and (c.provider_id <> '' or c.leg = m.leg and m.provider_id <> '')
				order by c.leg desc limit 1),
			(select u.upstream_id from upstream_messages u join inbound_messages i on i.id = u.message_id join owner using (organisation_id)
				where u.message_id = $2 and i.id = $2 and u.carrier = $1 limit 1), '')`, carrier, message, number)
}

// UpstreamOfReceived returns the carrier that passed a received message on, and what it
// calls the message. No row comes back for a message that came from no carrier.
func UpstreamOfReceived(ctx context.Context, q db.Querier, message uuid.UUID) (carrier, id string, err error) {
	err = q.QueryRow(ctx, `select carrier, upstream_id from upstream_messages where message_id = $1 limit 1`, message).Scan(&carrier, &id)
	return carrier, id, err
}

// UpstreamMediaGet returns what a carrier calls a file that was uploaded within age. No
// row comes back if it does not have it.
func UpstreamMediaGet(ctx context.Context, q db.Querier, carrier string, mediaID int64, age time.Duration) (id string, err error) {
	return collect.Value[string](ctx, q, `
		select upstream_id from upstream_media where carrier = $1 and media_id = $2 and uploaded_at > now() - $3::interval`, carrier, mediaID, age)
}

// MediaFind returns media by its id, of any organisation, unless it has expired.
func MediaFind(ctx context.Context, q db.Querier, id int64) (models.Media, error) {
	return collect.One[models.Media](ctx, q, `
		select id, organisation_id, phone_number_id, object, mime_type, size, sha256, file_name, created_at, expires_at
		from media where id = $1 and expires_at > now()`, id)
}

// StillParked are the parked parts that wait for a decision: no report has come about
// them, and their message is still accepted.
const StillParked = `
	from parked_parts p join messages m on m.id = p.message_id
	join carriages c on c.message_id = p.message_id and c.leg = p.leg and c.part = p.part and c.attempts = p.hand_over and c.state = 'dialling'
	where m.state = 'accepted' and m.leg = p.leg`

// ParkedColumns are the columns of a models.ParkedPart: of the part p, its carriage c, its message m and its organisation o.
const ParkedColumns = `
	p.message_id, p.leg, p.part, p.carrier, p.hand_over, p.parked_at, c.channel, m.organisation_id, o.name as organisation,
	m.sender, m.recipient, m.kind as message_kind, m.created_at`

// ParkedList returns up to limit parts that wait for a decision, the oldest first.
func ParkedList(ctx context.Context, q db.Querier, limit int) ([]models.ParkedPart, error) {
	return collect.Many[models.ParkedPart](ctx, q, `
		with parked as (select p.*, m.organisation_id as owner `+StillParked+` order by p.parked_at limit $1)
		select `+ParkedColumns+` from parked p join messages m on m.id = p.message_id join organisations o on o.id = m.organisation_id
		join carriages c on c.message_id = p.message_id and c.leg = p.leg and c.part = p.part
		order by p.parked_at`, limit)
}

// ReceivedNumber returns the phone number that received a message.
func ReceivedNumber(ctx context.Context, q db.Querier, message uuid.UUID) (phoneNumberID int64, err error) {
	return collect.Value[int64](ctx, q, `select phone_number_id from inbound_messages where id = $1`, message)
}
