package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// IdentityDeleteOld deletes up to limit identities of an organisation that were last
// seen before a time. It keeps the ones of people on a do-not-contact list, which
// protects them under each.
func IdentityDeleteOld(ctx context.Context, q db.Querier, organisationID int64, before time.Time, limit int) (int64, error) {
	return collect.Count(ctx, q, `
		delete from messaging_identities where (organisation_id, identity) in (
			select i.organisation_id, i.identity from messaging_identities i
			where i.organisation_id = $1 and i.seen_at < $2 and not exists (
				select from messaging_identities o join suppressions s on s.recipient = o.identity and s.organisation_id in (0, o.organisation_id)
				where o.person = i.person)
			limit $3)`,
		organisationID, before, limit)
}

const (
	// erased stands in place of the number or id of an erased recipient.
	erased = "0"
	// emptyLegs are the further legs of a message without their contents.
	emptyLegs = `(select json_agg(l::jsonb - 'payload') from json_array_elements(legs) l)`
)

// RetentionUpsert sets for how many days contents and logs are kept.
func RetentionUpsert(ctx context.Context, q db.Querier, organisationID int64, bodies, logs int) error {
	return collect.Execute(ctx, q, `
		insert into retention (organisation_id, bodies_days, logs_days) values ($1, $2, $3)
		on conflict (organisation_id) do update set bodies_days = excluded.bodies_days, logs_days = excluded.logs_days, updated_at = now()`,
		organisationID, bodies, logs)
}

// RetentionMarkGet returns the time before which the contents of an organisation
// were deleted, and locks it. The first time is the time of the oldest message,
// callback or received message, up to an hour earlier, or end if there is none
// before it.
func RetentionMarkGet(ctx context.Context, q db.Querier, organisationID int64, end time.Time) (mark time.Time, err error) {
	return collect.Value[time.Time](ctx, q, `
		insert into retention_marks (organisation_id, bodies_until)
		select $1, least($2,
			(select created_at - interval '1 hour' from messages where organisation_id = $1 order by id limit 1),
			(select min(created_at) from deliveries where organisation_id = $1),
			(select received_at - interval '1 hour' from inbound_messages where organisation_id = $1 order by id limit 1))
		on conflict (organisation_id) do update set bodies_until = retention_marks.bodies_until
		returning bodies_until`, organisationID, end)
}

// ContentDelete deletes the contents of an organisation's messages, callbacks and
// received messages between two times, and notes how far that has come. Those that
// are still on their way are left alone.
func ContentDelete(ctx context.Context, q db.Querier, organisationID int64, from, to time.Time) error {
	low, high := models.FirstMessageID(from.Add(-time.Hour)), models.FirstMessageID(to.Add(time.Hour))
	for _, sql := range []string{
		`update messages set payload = '{}', legs = ` + emptyLegs + `
		where organisation_id = $1 and id >= $2 and id < $3 and created_at >= $4 and created_at < $5 and state <> 'accepted'`,
		`update inbound_messages set payload = '{}'
		where organisation_id = $1 and id >= $2 and id < $3 and received_at >= $4 and received_at < $5`,
	} {
		if _, err := q.Exec(ctx, sql, organisationID, low, high, from, to); err != nil {
			return err
		}
	}
	for _, sql := range []string{
		`with old as (
			update deliveries set body = '' where organisation_id = $1 and created_at >= $2 and created_at < $3 and state <> 'pending'
			  and id > (select deliveries_after($2)) and id <= (select deliveries_until($3)) returning id
		)
		update delivery_attempts set response = '' where delivery_id in (select id from old)
		  and delivery_id > (select deliveries_after($2)) and delivery_id <= (select deliveries_until($3))`,
		`update retention_marks set bodies_until = $3 where organisation_id = $1 and $2::timestamptz < $3`,
	} {
		if _, err := q.Exec(ctx, sql, organisationID, from, to); err != nil {
			return err
		}
	}
	return nil
}

// MessageDeleteOld deletes up to limit messages of an organisation from before a
// time. It keeps those on their way and those that opened an order.
func MessageDeleteOld(ctx context.Context, q db.Querier, organisationID int64, before time.Time, limit int) (int64, error) {
	return collect.Count(ctx, q, `
		delete from messages where id in (
			select id from messages m
			where organisation_id = $1 and id < $2 and created_at < $3 and state <> 'accepted' and not exists (select from orders o where o.message_id = m.id)
			order by id limit $4)`, organisationID, models.FirstMessageID(before.Add(time.Hour)), before, limit)
}

// DeliveryDeleteOld deletes up to limit callbacks of an organisation from before a
// time, with their attempts. It keeps those on their way.
func DeliveryDeleteOld(ctx context.Context, q db.Querier, organisationID int64, before time.Time, limit int) (int64, error) {
	return collect.Count(ctx, q, `
		delete from deliveries where id <= (select deliveries_until($2)) and id in (
			select id from deliveries where organisation_id = $1 and created_at < $2 and state <> 'pending' and id <= (select deliveries_until($2))
			order by created_at limit $3)`,
		organisationID, before, limit)
}

// InboundMessageDeleteOld deletes up to limit received messages of an organisation
// from before a time.
func InboundMessageDeleteOld(ctx context.Context, q db.Querier, organisationID int64, before time.Time, limit int) (int64, error) {
	return collect.Count(ctx, q, `
		delete from inbound_messages where id in (
			select i.id from inbound_messages i
			where i.organisation_id = $1 and i.id < $2 and i.received_at < $3 limit $4)`,
		organisationID, models.FirstMessageID(before.Add(time.Hour)), before, limit)
}

// RecipientErase removes the number and the contents of messages and their
// callbacks.
func RecipientErase(ctx context.Context, q db.Querier, messages []uuid.UUID) error {
	for _, sql := range []string{
		`update messages set recipient = '` + erased + `', payload = '{}', legs = ` + emptyLegs + `, reference = '', failure = null where id = any($1)`,
		`update message_events set failure = null where message_id = any($1)`,
		// Ids of a carrier may hold the number.
		`with old as (
			select c.carrier, i.provider_id from carriages c join messages m on m.id = c.message_id
			cross join lateral (values (c.provider_id), (m.provider_id)) i (provider_id)
			where c.message_id = any($1) and m.id = any($1) and i.provider_id <> ''
		), ids as (
			delete from carrier_ids i using old where i.carrier = old.carrier and i.provider_id = old.provider_id
		)
		update carriages set provider_id = '' where message_id = any($1) and provider_id <> ''`,
		`update messages set provider_id = '' where id = any($1) and provider_id <> ''`,
		`update leg_events set failure = null where message_id = any($1)`,
		`update orders set recipient = '` + erased + `' where message_id = any($1)`,
		`with old as (update deliveries set body = '' where message_id = any($1) returning id)
		update delivery_attempts set response = '' where delivery_id in (select id from old)`,
	} {
		if _, err := q.Exec(ctx, sql, messages); err != nil {
			return err
		}
	}
	return nil
}

// RecipientDelete deletes what a recipient wrote to the numbers of an
// organisation, or of all for 0, and the one-time passwords sent to them. It
// returns the number of received messages. The callbacks about them lose their
// contents, and what is known of the recipient's identities is deleted. A list that has
// one of them has all of them from then on. What webhook ranges took goes as a whole: it
// is sealed, so that nothing tells which of it is about the recipient.
func RecipientDelete(ctx context.Context, q db.Querier, organisationID int64, recipient string) (received int, err error) {
	return collect.Value[int](ctx, q, `
		with numbers as (
			select id from phone_numbers where $1::bigint in (0, organisation_id)
		), known as (
			select o.id as organisation_id, i.identity from organisations o
			cross join lateral (select $2::text as identity union select i from messaging_identities_of(o.id, $2) i) i where $1::bigint in (0, o.id)
		), gone as (
			delete from inbound_messages where contact = any(array(select identity from known)) and (organisation_id, contact) in (select organisation_id, identity from known)
			returning id
		), talks as (
			delete from conversations where contact in (select identity from known) and phone_number_id in (select id from numbers)
		), protected as (
			insert into suppressions (organisation_id, recipient, channel, reason, note, actor)
			select distinct on (s.organisation_id, other.identity, s.channel) s.organisation_id, other.identity, s.channel, s.reason, s.note, s.actor
			from known join suppressions s on s.recipient = known.identity and s.organisation_id in (0, known.organisation_id) and s.channel in ('', 'messaging')
			join known other on other.organisation_id = known.organisation_id and other.identity <> known.identity
			order by s.organisation_id, other.identity, s.channel, s.reason
			on conflict do nothing
		), people as (
			delete from messaging_identities m using known where m.identity = known.identity and m.organisation_id = known.organisation_id
		), codes as (
			delete from sms_otps where phone = '+' || $2 and $1::bigint in (0, organisation_id)
		), ids as (
			delete from upstream_messages where message_id in (select id from gone)
		), ranges as (
			delete from webhook_range_requests where $1::bigint in (0, organisation_id)
		), posts as (
			update deliveries set body = '' where message_id in (select id from gone) and state <> 'pending'
		)
		select count(*) from gone`, organisationID, recipient)
}
