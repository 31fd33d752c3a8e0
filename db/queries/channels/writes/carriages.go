package writes

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// startCarriages inserts the carriages of parts that are being handed over, all in the
// same order, so that two statements cannot wait for each other.
const startCarriages = `
	insert into carriages as c (message_id, leg, part, channel, carrier, state)
	select message_id, leg, part, channel, carrier, 'dialling'
	from unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::text[], $5::text[]) as s (message_id, leg, part, channel, carrier)
	order by message_id, leg, part`

func startColumns(carriages []models.Carriage) []any {
	return []any{
		column(carriages, func(c *models.Carriage) [16]byte { return c.MessageID }),
		column(carriages, func(c *models.Carriage) int16 { return int16(c.Leg) }),
		column(carriages, func(c *models.Carriage) int16 { return int16(c.Part) }),
		column(carriages, func(c *models.Carriage) string { return c.Channel }),
		column(carriages, func(c *models.Carriage) string { return c.Carrier }),
	}
}

// CarriageInsert records that parts of messages are being handed over for the first time,
// before their carriers are called, for half of what [CarriageStart] costs. ok is false,
// and nothing is recorded, if that was recorded before of any of them.
func CarriageInsert(ctx context.Context, q db.Querier, carriages ...models.Carriage) (ok bool, err error) {
	_, err = q.Exec(ctx, startCarriages, startColumns(carriages)...)
	if db.IsUniqueViolation(err, "") {
		return false, nil
	}
	return err == nil, err
}

// CarriageStart records that parts of messages are being handed over, before their
// carriers are called, and returns the ones that may be, each with the number of its
// hand-over as its attempts, from 1, and without what the caller knows. A part is left out
// if that was recorded before and the carrier has not refused it since.
func CarriageStart(ctx context.Context, q db.Querier, carriages ...models.Carriage) ([]models.Carriage, error) {
	started, err := q.Query(ctx, startCarriages+`
		on conflict (message_id, leg, part) do update
		set state = 'dialling', carrier = excluded.carrier, attempts = c.attempts + 1, updated_at = now()
		where c.state = 'waiting' returning message_id, leg, part, attempts`, startColumns(carriages)...)
	if err != nil {
		return nil, err
	}
	return pgx.AppendRows(make([]models.Carriage, 0, len(carriages)), started, func(row pgx.CollectableRow) (c models.Carriage, err error) {
		return c, row.Scan((*[16]byte)(&c.MessageID), &c.Leg, &c.Part, &c.Attempts)
	})
}

// CarriageRestart records that a part is handed over once more after an
// interrupted hand-over. restarted is false if its state has changed or another
// process has done so since attempts were made.
func CarriageRestart(ctx context.Context, q db.Querier, c models.Carriage, attempts int) (restarted bool, err error) {
	tag, err := q.Exec(ctx, `
		update carriages set attempts = attempts + 1, carrier = $4, updated_at = now()
		where message_id = $1 and leg = $2 and part = $3 and state = 'dialling' and attempts = $5`, c.MessageID, c.Leg, c.Part, c.Carrier, attempts)
	return tag.RowsAffected() == 1, err
}

// CarriageUpdateWaiting records that a carrier refused a part for now.
func CarriageUpdateWaiting(ctx context.Context, q db.Querier, c models.Carriage) error {
	_, err := q.Exec(ctx, `
		update carriages set state = 'waiting', updated_at = now()
		where message_id = $1 and leg = $2 and part = $3 and state = 'dialling'`, c.MessageID, c.Leg, c.Part)
	return err
}

// CarriageTakeBack has a part wait again that its carrier took with a hand-over and
// gave up, and its message is accepted again. A part that is all of its message was sent
// if the message was. The mark of the settling has passed the message, so that it is noted
// as unsettled. It returns the state of the part after
// that hand-over: sent if it was taken back, dialling if the carrier has not answered
// yet, and nothing if the part has been handed over since, or its message has ended.
func CarriageTakeBack(ctx context.Context, q db.Querier, c models.Carriage) (state string, err error) {
	err = q.QueryRow(ctx, `
		with m as (
			select id, state from messages where id = $1 and leg = $2 and state in ('accepted', 'sent') for update
		), recorded as (
			select state from carriages where message_id = (select id from m) and leg = $2 and part = $3 and attempts = $4 for update
		), c as (
			select case when recorded.state = 'dialling' and m.state = 'sent' then 'sent' else recorded.state end as state from recorded, m
		), part as (
			update carriages set state = 'waiting', updated_at = now()
			where message_id = $1 and leg = $2 and part = $3 and (select state from c) = 'sent'
		), message as (
			update messages set state = 'accepted' where id = $1 and (select state from c) = 'sent'
		), noted as (
			insert into unsettled_messages select $1 from c where state = 'sent' on conflict do nothing
		)
		select state from c`, c.MessageID, c.Leg, c.Part, c.Attempts).Scan(&state)
	if db.IsNoRows(err) {
		return "", nil
	}
	return state, err
}

// CarriageUpdateStates makes steps of parts of different messages and returns
// the messages of parts that moved. A part that is being handed over or waits
// counts as accepted.
func CarriageUpdateStates(ctx context.Context, q db.Querier, moves []MessageMove, rules []MessageRule) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	var legs, parts []int
	var to, providers, failures []string
	for _, m := range moves {
		ids, legs, parts = append(ids, m.ID), append(legs, m.Leg), append(parts, m.Part)
		to, providers, failures = append(to, m.To), append(providers, m.ProviderID), append(failures, string(m.Failure))
	}
	var channels, states, sources []string
	for _, r := range rules {
		channels, states, sources = append(channels, r.Channel), append(states, r.To), append(sources, strings.Join(r.From, " "))
	}
	return collect.Values[uuid.UUID](ctx, q, `
		with step as (
			select id, leg, part, state, provider_id, nullif(failure, '')::json as failure
			from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[]) as s (id, leg, part, state, provider_id, failure)
		), rule as (
			select channel, state, string_to_array(sources, ' ') as sources from unnest($7::text[], $8::text[], $9::text[]) as r (channel, state, sources)
		), moved as (
			update carriages c set state = s.state, updated_at = now(), failure = coalesce(s.failure, c.failure),
			       provider_id = case when s.provider_id = '' then c.provider_id else s.provider_id end
			from step s join rule r on r.state = s.state
			where c.message_id = s.id and c.leg = s.leg and c.part = s.part and r.channel = c.channel
			  and (c.state = any(r.sources) or c.state in ('dialling', 'waiting') and 'accepted' = any(r.sources))
			returning c.message_id, c.leg, c.part, c.carrier, s.provider_id
		), known as (
			insert into carrier_ids (carrier, provider_id, message_id, leg, part)
			select carrier, provider_id, message_id, leg, part from moved where provider_id <> '' on conflict do nothing
		)
		select message_id from moved`, ids, legs, parts, to, providers, failures, channels, states, sources)
}

// CarrierIDInsert keeps which carriages the ids of carriers mean. An id that is known stays
// as it is. That is rare, so that they are inserted without looking first, which costs half.
func CarrierIDInsert(ctx context.Context, tx pgx.Tx, carriages []models.Carriage) error {
	const insert = `
		insert into carrier_ids (carrier, provider_id, message_id, leg, part)
		select * from unnest($1::text[], $2::text[], $3::uuid[], $4::smallint[], $5::smallint[])`
	columns := []any{
		column(carriages, func(c *models.Carriage) string { return c.Carrier }),
		column(carriages, func(c *models.Carriage) string { return c.ProviderID }),
		column(carriages, func(c *models.Carriage) [16]byte { return c.MessageID }),
		column(carriages, func(c *models.Carriage) int16 { return int16(c.Leg) }),
		column(carriages, func(c *models.Carriage) int16 { return int16(c.Part) }),
	}
	err := pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
		_, err := inner.Exec(ctx, insert, columns...)
		return err
	})
	if db.IsUniqueViolation(err, "") {
		_, err = tx.Exec(ctx, insert+` on conflict do nothing`, columns...)
	}
	return err
}

// CarrierIDDelete deletes the ids of carriers that are older than age, and the ids of
// carriers of kind graph that are older than graphAge.
func CarrierIDDelete(ctx context.Context, q db.Querier, age, graphAge time.Duration) error {
	_, err := q.Exec(ctx, `
		delete from carrier_ids i where created_at < now() - $1::interval
		and (created_at < now() - $2::interval or not exists (select from carriers c where c.name = i.carrier and c.kind = 'graph'))`, age, graphAge)
	return err
}
