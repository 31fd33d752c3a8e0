package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// MessageExamine looks at up to limit messages behind the mark that were
// accepted before a time, notes those that are still accepted, and moves the
// mark. It returns how many it looked at.
func MessageExamine(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	return collect.Value[int](ctx, q, `
		with mark as (
			select examined from settle_mark for update
		), seen as (
			select id, state from messages where id > (select examined from mark) and id < $1 order by id limit $2
		), kept as (
			insert into unsettled_messages select id from seen where state = 'accepted' on conflict do nothing
		), moved as (
			update settle_mark set examined = (select id from seen order by id desc limit 1) where exists (select from seen)
		)
		select count(*) from seen`, models.FirstMessageID(before), limit)
}

// MessageExamineAgain puts the mark back to a time, once in every interval. An
// id has the time of the process that drew it, and its clock may be slow.
func MessageExamineAgain(ctx context.Context, q db.Querier, to time.Time, every time.Duration) error {
	_, err := q.Exec(ctx, `
		update settle_mark set examined = least(examined, $1), stepped_at = now() where stepped_at < now() - $2::interval`, models.FirstMessageID(to), every)
	return err
}

// UnsettledMessageDelete forgets noted messages that have moved on or are gone. The
// offset makes the planner look each one up in its partition.
func UnsettledMessageDelete(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `
		delete from unsettled_messages u
		where not exists (select from messages m where m.id = u.message_id and m.state = 'accepted' offset 0)`)
	return err
}

// MessageListStranded returns and locks up to limit of the noted messages that
// no job will hand over, or with a life that was over at now. lives belong to the
// channels, for messages that have none of their own; messages of other channels
// are left out.
func MessageListStranded(ctx context.Context, q db.Querier, now time.Time, lives map[string]time.Duration, limit int) ([]models.Message, error) {
	var channels []string
	var spans []time.Duration
	for channel, life := range lives {
		channels, spans = append(channels, channel), append(spans, life)
	}
	return collect.Many[models.Message](ctx, q, `
		with live as (`+parts.LiveMessages+`)
		select `+queries.MessageColumns+` from unsettled_messages u
		cross join lateral (select * from messages where id = u.message_id offset 0) m
		join unnest($2::text[], $3::interval[]) as c (channel, life) on c.channel = `+queries.LegChannel+`
		left join live on live.id = m.id
		where m.state = 'accepted' and (live.id is null or
		      coalesce(m.leg_at, m.scheduled_at, m.created_at) + coalesce(make_interval(secs => nullif(`+legTTL+`, 0)), c.life) <= $1)
		order by m.id limit $4 for update of m skip locked`, now, channels, spans, limit)
}

// MessageExamineTaken looks at up to limit messages behind the mark of a channel that
// were accepted before a time, and moves the mark. It returns how many it looked at
// and those that a carrier has taken without reporting a result, of messages of the
// channel with a time to live and neither a schedule nor a second leg.
func MessageExamineTaken(ctx context.Context, q db.Querier, channel string, ttl int, before time.Time, limit int) (examined int, taken []models.Message, err error) {
	var last *uuid.UUID
	err = q.QueryRow(ctx, `
		with mark as (
			insert into expiry_marks (channel) values ($1) on conflict (channel) do update set channel = excluded.channel returning examined
		), seen as (
			select id from messages where id > (select examined from mark) and id < $2 order by id limit $3
		)
		select count(*), (array_agg(id order by id desc))[1] from seen`, channel, models.FirstMessageID(before), limit).Scan(&examined, &last)
	if err != nil || last == nil {
		return examined, nil, err
	}
	taken, err = collect.Many[models.Message](ctx, q, `
		select `+queries.MessageColumns+` from messages m
		where m.id > (select examined from expiry_marks where channel = $1) and m.id <= $2 and m.channel = $1 and m.ttl_seconds = $3
		  and m.scheduled_at is null and m.leg = 1 and m.state in ('sent', 'enroute')
		order by m.id for update`, channel, *last, ttl)
	if err != nil {
		return examined, nil, err
	}
	_, err = q.Exec(ctx, `update expiry_marks set examined = $2 where channel = $1`, channel, *last)
	return examined, taken, err
}

// StrandedDelivery is a pending callback that no job will post, or that is over.
type StrandedDelivery struct {
	ID   int64
	Over bool // its next attempt has been due for longer than it lives
}

// DeliveryListStranded returns and locks up to limit pending callbacks that no
// job will post, or that were due again before a time. Callbacks in the line of
// their webhook need no job.
func DeliveryListStranded(ctx context.Context, q db.Querier, over time.Time, limit int) ([]StrandedDelivery, error) {
	return collect.Many[StrandedDelivery](ctx, q, `
		with live as (`+parts.LiveDeliveries+`)
		select d.id, coalesce(d.next_attempt_at, d.created_at) <= $1 as over
		from deliveries d left join live on live.id = d.id
		where d.state = 'pending' and (live.id is null and d.next_attempt_at is not null or coalesce(d.next_attempt_at, d.created_at) <= $1)
		order by d.id limit $2 for update of d skip locked`, over, limit)
}
