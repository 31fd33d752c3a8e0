package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// Recent counts halve every 30 seconds, and are forgotten below half a failure.
// relay.Pace fades them by the same half-life.
const (
	faded        = `power(0.5, extract(epoch from now() - coalesce(counted_at, now())) / 30)`
	fadedCounts  = `lateral (select recent_attempts * ` + faded + ` as attempts, recent_failures * ` + faded + ` as failures) as f`
	leastFailure = 0.5
)

// WebhookAttempts counts attempts at the callbacks of one webhook and says what
// failures make of it.
type WebhookAttempts struct {
	ID                int64
	Delivered, Failed int
	Gone              bool // it answered 410
	// First is how long the circuit is open when it opens. Each further failure
	// doubles it, up to Longest.
	First, Longest time.Duration
}

// WebhookLimits says when failures open a circuit and when they disable a webhook.
type WebhookLimits struct {
	// Attempts is how many recent attempts open the circuit, if at least Share of
	// them failed.
	Attempts int
	Share    float64
	Patience time.Duration // of nothing but failures, after which it is disabled
}

// WebhookUpdateAttempted counts attempts of different webhooks. Successes and
// failures of a webhook are counted together, because they are stored in no
// certain order. A success closes its circuit. Otherwise it opens if most recent
// attempts failed, or if it was open. Webhooks without recent failures are not
// written to for a success; the others are locked in the order of their ids, so
// that transactions which do so at once cannot wait for each other. It returns the
// webhooks that it disables.
func WebhookUpdateAttempted(ctx context.Context, q db.Querier, counts []WebhookAttempts, l WebhookLimits) (disabled []int64, err error) {
	var ids []int64
	var delivered, failed []int32
	var gone []bool
	var first, longest []time.Duration
	for _, c := range counts {
		ids, delivered, failed = append(ids, c.ID), append(delivered, int32(c.Delivered)), append(failed, int32(c.Failed))
		gone, first, longest = append(gone, c.Gone), append(first, c.First), append(longest, c.Longest)
	}
	return collect.Values[int64](ctx, q, `
		with h as (
			select id, f.attempts + m.delivered + m.failed as attempts, f.failures + m.failed as recent, m.delivered > 0 as works, m.failed, m.gone, m.first, m.longest,
			       case when m.delivered > 0 then 0 else webhooks.failures end + m.failed as failures, disabled_at is not null as disabled,
			       m.delivered = 0 and failing_since < now() - $9::interval as hopeless
			from unnest($1::bigint[], $2::int[], $3::int[], $4::bool[], $5::interval[], $6::interval[]) m (webhook_id, delivered, failed, gone, first, longest)
			join webhooks on id = m.webhook_id cross join `+fadedCounts+`
			where m.failed > 0 or m.gone or webhooks.failures > 0 or open_until is not null or recent_failures > 0
			order by id for update of webhooks
		), changed as (
			update webhooks w set failures = h.failures, counted_at = now(),
			       failing_since = case when h.works then null when h.failed > 0 then coalesce(w.failing_since, now()) else w.failing_since end,
			       recent_attempts = case when h.recent < $10 then 0 else h.attempts end,
			       recent_failures = case when h.recent < $10 then 0 else h.recent end,
			       open_until = case when h.works then null
			                    when h.failed > 0 and (w.open_until is not null or h.attempts >= $7 and h.recent / h.attempts >= $8)
			                    then now() + least(h.longest, h.first * power(2, least(greatest(h.failures - $7, 0), 20)))
			                    else w.open_until end,
			       disabled_at = case when h.gone or h.hopeless then coalesce(w.disabled_at, now()) else w.disabled_at end,
			       disabled_reason = case when h.disabled then w.disabled_reason when h.gone then 'the endpoint answered 410 Gone'
			                         when h.hopeless then 'every attempt failed for days' else w.disabled_reason end
			from h where w.id = h.id
			returning w.id, not h.disabled and w.disabled_at is not null as newly
		)
		select id from changed where newly order by id`,
		ids, delivered, failed, gone, first, longest, l.Attempts, l.Share, l.Patience, leastFailure)
}

// WebhookUpdateProbing reserves the probe of a webhook with a circuit that was open
// until now. No other probe starts before a time.
func WebhookUpdateProbing(ctx context.Context, q db.Querier, id int64, until time.Time) (reserved bool, err error) {
	return collect.Changed(ctx, q, `update webhooks set open_until = $2 where id = $1 and open_until <= now()`, id, until)
}
