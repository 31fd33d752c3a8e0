package queries

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// OverviewGet returns how the system stands, in one round trip. Counts stop
// just above models.OverviewLimit, so that it stays cheap when there is much.
func OverviewGet(ctx context.Context, q db.Querier) (models.Overview, error) {
	var o models.Overview
	batch := &pgx.Batch{}
	batch.Queue(`
		select
			(select count(*) from (select from messages where id >= $1 limit $2) m),
			(select count(*) from webhooks where url <> ''),
			(select count(*) from webhooks where url <> '' and failing_since is not null and disabled_at is null),
			(select count(*) from webhooks where url <> '' and disabled_at is not null),
			(select max(published_at) from releases),
			(select count(*) from organisations where status = 'active'),
			(select count(*) from api_keys where revoked_at is null),
			pg_database_size(current_database()),
			(select count(*) from (select from `+db.RiverSchema+`.river_job where state = 'discarded' limit $2) d),
			(select count(*) from (select from organisations where status = 'inactive' and verified_at is null limit $2) o),
			(select coalesce(array_agg(name order by name), '{}') from `+db.RiverSchema+`.river_queue where paused_at is not null),
			(select broken_seq from audit_checks order by at desc limit 1),
			(select max(at) from audit_checks),
			(select max(at) from audit_anchors),
			(select seq from audit_head),
			current_setting('server_version')`, firstMessageID(time.Now().UTC().Truncate(24*time.Hour)), models.OverviewLimit+1).
		QueryRow(func(row pgx.Row) error {
			return row.Scan(&o.MessagesToday, &o.Webhooks, &o.WebhooksFailing, &o.WebhooksDisabled,
				&o.ReleasedAt, &o.Organisations, &o.APIKeys, &o.DatabaseBytes,
				&o.JobsDiscarded, &o.Unverified, &o.QueuesPaused, &o.AuditBrokenSeq, &o.AuditCheckedAt, &o.AuditAnchoredAt, &o.AuditSeq, &o.ServerVersion)
		})
	batch.Queue(`
		select queue, count(*), min(scheduled_at)
		from (select queue, scheduled_at from `+db.RiverSchema+`.river_job where state = 'available' and scheduled_at <= now() limit $1) j
		group by queue order by queue`, models.OverviewLimit+1).
		Query(func(rows pgx.Rows) (err error) {
			o.Queues, err = pgx.CollectRows(rows, pgx.RowToStructByPos[models.QueueBacklog])
			return err
		})
	return o, q.SendBatch(ctx, batch).Close()
}

// firstMessageID is below every id of version 7 (RFC 9562) from a time on: ids
// are ordered by it, so that they answer what came since. Ids are drawn a moment
// before the time of their message is taken.
func firstMessageID(t time.Time) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(t.UnixMilli())<<16)
	return id
}

// DatabaseHealthGet returns how the database itself stands.
func DatabaseHealthGet(ctx context.Context, q db.Querier) (h models.DatabaseHealth, err error) {
	err = q.QueryRow(ctx, `
		select
			(select coalesce(array_agg(name order by name), '{}') from `+db.RiverSchema+`.river_queue),
			coalesce((select n_dead_tup from pg_stat_user_tables where schemaname = '`+db.RiverSchema+`' and relname = 'river_job'), 0),
			coalesce((select greatest(max(clock_timestamp() - xact_start), '0') from pg_stat_activity where datname = current_database()), '0')`).
		Scan(&h.Queues, &h.DeadJobRows, &h.OldestTransaction)
	return h, err
}
