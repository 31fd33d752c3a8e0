package across

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	channelsqueries "heliograph/db/queries/channels"
	documentationqueries "heliograph/db/queries/documentation"
	"heliograph/db/queries/parts"
	peoplequeries "heliograph/db/queries/people"
)

// OverviewGet returns the state of the system in one round trip. Counts stop
// just above models.OverviewLimit, so that it stays cheap when there is much.
func OverviewGet(ctx context.Context, q db.Querier) (models.Overview, error) {
	var o models.Overview
	batch := &pgx.Batch{}
	batch.Queue(`
		select
			(select count(*) from (select from messages where id >= $1 limit $2) m) as messages_today,
			(select count(*) from webhooks where url <> '') as webhooks,
			(select count(*) from webhooks where url <> '' and failing_since is not null and disabled_at is null) as webhooks_failing,
			(select count(*) from webhooks where url <> '' and disabled_at is not null) as webhooks_disabled,
			(select coalesce(json_agg(w), '[]') from (`+channelsqueries.FailingWebhooks+`) w) as failing_webhooks,
			(select max(r.published_at) from releases r join items i on i.id = r.product_id where i.practice_of is null) as released_at,
			(select count(*) from organisations where status = 'active') as organisations,
			(select count(*) from api_keys where revoked_at is null) as api_keys,
			pg_database_size(current_database()) as database_bytes,
			(select count(*) from pg_partitioned_table where partition_latest(partrelid::regclass::text) is not null) as partitions_late,
			(`+parts.CountDiscardedJobs+`) as jobs_discarded,
			(`+parts.CountFailingJobs+`) as jobs_failing,
			(`+documentationqueries.CountOverdue+`) as releases_overdue,
			(select coalesce(m.scheduled_at, m.created_at) from unsettled_messages u cross join lateral (select * from messages where id = u.message_id offset 0) m
				where m.state = 'accepted' and coalesce(m.scheduled_at, m.created_at) <= now() order by u.message_id limit 1) as oldest_accepted_at,
			(select count(*) from (select from organisations where status = 'inactive' and verified_at is null limit $2) o) as unverified,
			(select count(*) from (select `+channelsqueries.StrandedNumbers+` limit $2) n) as numbers_stranded,
			(select count(*) from (select from message_templates t join organisations o on o.id = t.organisation_id where t.status = 'PENDING' and not o.sandbox
				and not exists (select from upstream_templates u where u.template_id = t.id) limit $2) t) as templates_waiting,
			(select count(*) from (select `+channelsqueries.StillParked+` limit $2) p) as messages_parked,
			(select coalesce(json_agg(c), '[]') from (`+channelsqueries.FailingCarriers+`) c) as carriers_failing,
			(select coalesce(json_agg(u), '[]') from (`+channelsqueries.UpstreamProblems+`) u) as upstream_problems,
			(select count(*) from (select from sms_headers h join organisations o on o.id = h.organisation_id where h.state = 'requested' and not o.sandbox limit $2) h) as headers_requested,
			(select coalesce(json_agg(c), '[]') from (`+channelsqueries.ContestedHeaders+`) c) as headers_contested,
			(`+peoplequeries.FailedNotifications+`) as notifications_failed,
			(`+peoplequeries.StuckNotifications+`) as notifications_stuck,
			coalesce((`+peoplequeries.StuckNotificationError+`), '') as notifications_error,
			(`+parts.PausedQueueNames+`) as queues_paused,
			(select broken_seq from audit_checks order by at desc limit 1) as audit_broken_seq,
			(select max(at) from audit_checks) as audit_checked_at,
			(select max(at) from audit_anchors) as audit_anchored_at,
			(select seq from audit_head) as audit_seq,
			current_setting('server_version') as server_version`, models.FirstMessageID(time.Now().UTC().Truncate(24*time.Hour)), models.OverviewLimit+1).
		Query(func(rows pgx.Rows) (err error) {
			o, err = pgx.CollectOneRow(rows, pgx.RowToStructByNameLax[models.Overview])
			return err
		})
	batch.Queue(parts.QueueBacklogs, models.OverviewLimit+1).
		Query(func(rows pgx.Rows) (err error) {
			o.Queues, err = pgx.CollectRows(rows, pgx.RowToStructByName[models.QueueBacklog])
			return err
		})
	batch.Queue(peoplequeries.ContactOverview).
		Query(func(rows pgx.Rows) (err error) {
			o.Contact, err = pgx.CollectOneRow(rows, pgx.RowToStructByName[models.ContactOverview])
			return err
		})
	return o, q.SendBatch(ctx, batch).Close()
}
