package queries

import (
	"context"
	"time"

	"heliograph/db"
)

// Recent counts halve every 30 seconds, and are forgotten below half a failure.
// relay.Pace fades them by the same half-life.
const (
	faded        = `power(0.5, extract(epoch from now() - coalesce(counted_at, now())) / 30)`
	fadedCounts  = `lateral (select recent_attempts * ` + faded + ` as attempts, recent_failures * ` + faded + ` as failures) as f`
	leastFailure = 0.5
)

// WebhookUpdateHealthy notes that the endpoints of deliveries answer. Those
// without recent failures are not written to; the others are locked in the order
// of their ids, so that transactions which do so at once cannot wait for each
// other.
func WebhookUpdateHealthy(ctx context.Context, q db.Querier, deliveries []int64) error {
	_, err := q.Exec(ctx, `
		update webhooks w set failures = 0, failing_since = null, open_until = null, counted_at = now(),
		       recent_attempts = case when h.failures < $2 then 0 else h.attempts + h.delivered end,
		       recent_failures = case when h.failures < $2 then 0 else h.failures end
		from (
			select id, f.attempts, f.failures, d.delivered
			from (select webhook_id, count(*) as delivered from deliveries where id = any($1) group by webhook_id) d
			join webhooks on id = d.webhook_id cross join `+fadedCounts+`
			where webhooks.failures > 0 or open_until is not null or recent_failures > 0
			order by id for update of webhooks) h
		where w.id = h.id`, deliveries, leastFailure)
	return err
}

// WebhookFailure says how a failed attempt changes a webhook.
type WebhookFailure struct {
	// Attempts is how many recent attempts open the circuit, if at least Share of
	// them failed.
	Attempts int
	Share    float64
	// First is how long the circuit is open after that many failures in a row.
	// Each further one doubles it, up to Longest.
	First, Longest time.Duration
	Patience       time.Duration // of nothing but failures, after which it is disabled
}

// WebhookUpdateFailing counts a failed attempt and opens the circuit if most
// recent attempts failed, or if it was a probe. The call that disables the webhook
// reports so.
func WebhookUpdateFailing(ctx context.Context, q db.Querier, id int64, f WebhookFailure) (disabled bool, err error) {
	err = q.QueryRow(ctx, `
		update webhooks w set failures = w.failures + 1, failing_since = coalesce(failing_since, now()),
		       recent_attempts = h.attempts + 1, recent_failures = h.failures + 1, counted_at = now(),
		       open_until = case when open_until is not null or h.attempts + 1 >= $2 and (h.failures + 1) / (h.attempts + 1) >= $3
		                    then now() + least($5::interval, $4::interval * power(2, least(greatest(w.failures + 1 - $2, 0), 20))) end,
		       disabled_at = case when failing_since < now() - $6::interval then coalesce(disabled_at, now()) else disabled_at end,
		       disabled_reason = case when disabled_at is null and failing_since < now() - $6::interval then 'every attempt failed for days' else disabled_reason end
		from (select id, f.attempts, f.failures from webhooks cross join `+fadedCounts+` where id = $1 for update of webhooks) h
		where w.id = h.id
		returning coalesce(disabled_at = now(), false)`, id, f.Attempts, f.Share, f.First, f.Longest, f.Patience).Scan(&disabled)
	return disabled, err
}

// WebhookUpdateProbing reserves the probe of a webhook whose circuit was open
// until now. No other probe starts before a time.
func WebhookUpdateProbing(ctx context.Context, q db.Querier, id int64, until time.Time) (reserved bool, err error) {
	tag, err := q.Exec(ctx, `update webhooks set open_until = $2 where id = $1 and open_until <= now()`, id, until)
	return tag.RowsAffected() == 1, err
}
