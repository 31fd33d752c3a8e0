package queries

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
)

const carriageColumns = `c.message_id, c.leg, c.part, c.channel, c.carrier, c.provider_id, c.state, c.attempts, c.failure, c.updated_at`

// CarriageStart records that a part of a message is being handed over, before the
// carrier is called. started is false if that was recorded before and the carrier
// has not refused the part since.
func CarriageStart(ctx context.Context, q db.Querier, c models.Carriage) (started bool, err error) {
	tag, err := q.Exec(ctx, `
		insert into carriages as c (message_id, leg, part, channel, carrier, state) values ($1, $2, $3, $4, $5, 'dialling')
		on conflict (message_id, leg, part) do update
		set state = 'dialling', carrier = excluded.carrier, attempts = c.attempts + 1, updated_at = now()
		where c.state = 'waiting'`, c.MessageID, c.Leg, c.Part, c.Channel, c.Carrier)
	return tag.RowsAffected() == 1, err
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

// CarriageList returns the carriages of messages in the order of their parts.
func CarriageList(ctx context.Context, q db.Querier, messages []uuid.UUID) ([]models.Carriage, error) {
	if len(messages) == 0 {
		return nil, nil
	}
	return many[models.Carriage](ctx, q, `
		select `+carriageColumns+` from carriages c where message_id = any($1) order by message_id, leg, part`, messages)
}

// CarriageListOf returns the carriages of a leg of a message.
func CarriageListOf(ctx context.Context, q db.Querier, message uuid.UUID, leg int) ([]models.Carriage, error) {
	return many[models.Carriage](ctx, q, `select `+carriageColumns+` from carriages c where message_id = $1 and leg = $2 order by part`, message, leg)
}

// CarriageFind returns the carriage of a carrier's own id.
func CarriageFind(ctx context.Context, q db.Querier, carrier, providerID string) (models.Carriage, error) {
	return one[models.Carriage](ctx, q, `
		select `+carriageColumns+` from carrier_ids i join carriages c using (message_id, leg, part)
		where i.carrier = $1 and i.provider_id = $2`, carrier, providerID)
}

// CarriageUpdateStates makes steps of parts of different messages and returns
// the messages whose part moved. A part that is being handed over or waits
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
	return values[uuid.UUID](ctx, q, `
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

// CarrierIDDelete deletes the ids of carriers that are older than age.
func CarrierIDDelete(ctx context.Context, q db.Querier, age time.Duration) error {
	_, err := q.Exec(ctx, `delete from carrier_ids where created_at < now() - $1::interval`, age)
	return err
}
