package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UpstreamAssetColumns are the columns of upstream_assets u that a models.UpstreamAsset has.
const UpstreamAssetColumns = `u.kind, u.asset_id, u.item, u.carrier, u.upstream_id, u.attempted, u.revision, u.pushed, u.state, u.error, u.changed_at, u.pushed_at`

// UpstreamAssetGet returns what an upstream has of something. No row comes back for what
// lives at none.
func UpstreamAssetGet(ctx context.Context, q db.Querier, kind string, assetID int64, item string) (models.UpstreamAsset, error) {
	return collect.One[models.UpstreamAsset](ctx, q, `
		select `+UpstreamAssetColumns+` from upstream_assets u where u.kind = $1 and u.asset_id = $2 and u.item = $3`, kind, assetID, item)
}

// UpstreamAssetPending returns up to limit things of an asset that wait for their
// upstream, the oldest first.
func UpstreamAssetPending(ctx context.Context, q db.Querier, kind string, assetID int64, limit int) ([]models.UpstreamAsset, error) {
	return collect.Many[models.UpstreamAsset](ctx, q, `
		select `+UpstreamAssetColumns+` from upstream_assets u
		where u.kind = $1 and u.asset_id = $2 and u.pushed < u.revision order by u.changed_at, u.item limit $3`, kind, assetID, limit)
}

// UpstreamAssetTodo returns the assets of which something waits for an upstream, once for
// each kind.
func UpstreamAssetTodo(ctx context.Context, q db.Querier) ([]models.UpstreamAsset, error) {
	return collect.ManyLax[models.UpstreamAsset](ctx, q, `
		select distinct u.kind, u.asset_id from upstream_assets u where u.pushed < u.revision order by u.kind, u.asset_id limit 1000`)
}

// UpstreamAssetBatches returns the batches of products that upstreams have not finished.
func UpstreamAssetBatches(ctx context.Context, q db.Querier, assetID int64) ([]string, error) {
	return collect.Values[string](ctx, q, `
		select distinct upstream_id from upstream_assets where kind = 'product' and asset_id = $1 and upstream_id <> '' limit 1000`, assetID)
}

// UpstreamAssetListOf returns the QR codes of a number that its upstream has.
func UpstreamAssetListOf(ctx context.Context, q db.Querier, numberID int64) ([]models.UpstreamAsset, error) {
	return collect.Many[models.UpstreamAsset](ctx, q, `
		select `+UpstreamAssetColumns+` from upstream_assets u where u.kind = 'qr_code' and u.asset_id = $1 order by u.item`, numberID)
}

// UpstreamAssetProblems returns up to limit changes that wait for an upstream, or that one
// refused, the oldest first: of one organisation, or of all for 0.
func UpstreamAssetProblems(ctx context.Context, q db.Querier, organisationID int64, limit int) ([]models.ListedUpstreamAsset, error) {
	return collect.Many[models.ListedUpstreamAsset](ctx, q, `
		select `+UpstreamAssetColumns+`, o.id as organisation_id, o.name as organisation
		from upstream_assets u join registry r on r.id = u.asset_id join organisations o on o.id = r.organisation_id
		where (u.pushed < u.revision or u.error <> '') and ($1 = 0 or o.id = $1)
		order by (u.pushed < u.revision), u.changed_at limit $2`, organisationID, limit)
}

// OrderListUnpaid returns the newest orders of numbers that may still be paid.
func OrderListUnpaid(ctx context.Context, q db.Querier, numbers []int64, limit int) ([]models.Order, error) {
	return collect.Many[models.Order](ctx, q, `
		select `+OrderColumns+` from orders
		where phone_number_id = any($1) and payment_status in ('NEW', 'PENDING', 'FAILED') and status not in ('completed', 'canceled')
			and created_at > now() - interval '7 days' and created_at < now() - interval '1 minute' and coalesce(expires_at, now()) > now() - interval '1 day'
		order by message_id desc limit $2`, numbers, limit)
}

// OrderFind returns the message that opened an order of a number.
func OrderFind(ctx context.Context, q db.Querier, numberID int64, messageID uuid.UUID) (models.Order, error) {
	return collect.One[models.Order](ctx, q, `select `+OrderColumns+` from orders where phone_number_id = $1 and message_id = $2`, numberID, messageID)
}
