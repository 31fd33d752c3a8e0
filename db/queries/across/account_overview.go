package across

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// AccountOverviewGet returns the overview of an organisation in one round trip. A
// delivered callback is searched for among the latest thousand.
func AccountOverviewGet(ctx context.Context, q db.Querier, organisationID int64) (models.AccountOverview, error) {
	var o models.AccountOverview
	batch := &pgx.Batch{}
	batch.Queue(`
		select o.sandbox,
			(select count(*) from api_keys where organisation_id = o.id and revoked_at is null) as keys,
			coalesce(p.id, 0) as phone_number_id, coalesce(p.number, '') as phone_number,
			coalesce(a.id, 0) as business_account_id, coalesce(a.business_id, 0) as business_id,
			coalesce((select id from catalogues where organisation_id = o.id order by created_at, id limit 1), 0) as catalogue_id,
			(select count(*) from (select from messages where organisation_id = o.id and created_at >= $2 limit $3) m) as messages_today,
			(select count(*) from webhooks where organisation_id = o.id and url <> '') as webhooks,
			(select count(*) from webhooks where organisation_id = o.id and url <> '' and (failing_since is not null or disabled_at is not null)) as webhooks_failing,
			exists (select from (
				select state from deliveries where organisation_id = o.id order by created_at desc, id desc limit 1000
			) d where state = 'delivered') as delivered
		from organisations o
			left join lateral (select * from phone_numbers where organisation_id = o.id and removed_at is null order by created_at, id limit 1) p on true
			left join business_accounts a on a.id = p.business_account_id
		where o.id = $1`, organisationID, time.Now().UTC().Truncate(24*time.Hour), models.OverviewLimit+1).
		Query(func(rows pgx.Rows) (err error) {
			o, err = pgx.CollectOneRow(rows, pgx.RowToStructByNameLax[models.AccountOverview])
			return err
		})
	batch.Queue(`
		select id, channel, recipient, kind, state, created_at from messages
		where organisation_id = $1 order by created_at desc, id desc limit 5`, organisationID).
		Query(func(rows pgx.Rows) (err error) {
			o.Latest, err = pgx.CollectRows(rows, pgx.RowToStructByName[models.LatestMessage])
			return err
		})
	return o, q.SendBatch(ctx, batch).Close()
}
