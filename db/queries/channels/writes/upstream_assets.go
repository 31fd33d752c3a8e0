package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// UpstreamAssetHold keeps others from noting changes of an asset, and from ending its job,
// until the transaction ends.
func UpstreamAssetHold(ctx context.Context, q db.Querier, assetID int64) error {
	return collect.Execute(ctx, q, `select from registry where id = $1 for no key update`, assetID)
}

// UpstreamAssetChange notes that items of a number or a catalogue were changed here. It
// reports false for an asset of a sandbox, which no upstream has.
func UpstreamAssetChange(ctx context.Context, q db.Querier, kind string, assetID int64, items []string) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into upstream_assets as u (kind, asset_id, item)
		select $1, r.id, i from registry r join organisations o on o.id = r.organisation_id, unnest($3::text[]) i
		where r.id = $2 and not o.sandbox order by i
		on conflict (kind, asset_id, item) do update set revision = u.revision + 1, changed_at = now(), error = ''`, kind, assetID, items)
}

// UpstreamAssetSeed notes what numbers and catalogues had before an administrator attached
// them to an upstream.
func UpstreamAssetSeed(ctx context.Context, q db.Querier, numbers, catalogues []int64) error {
	return collect.Execute(ctx, q, `
		insert into upstream_assets (kind, asset_id, item)
		select f.kind, f.id, f.item from (
			select 'profile' as kind, phone_number_id as id, '' as item from business_profiles where phone_number_id = any($1)
			union all select 'encryption_key', phone_number_id, '' from encryption_keys where phone_number_id = any($1)
			union all select 'qr_code', phone_number_id, code from qr_codes where phone_number_id = any($1)
			union all select 'product', catalogue_id, retailer_id from products where catalogue_id = any($2)
		) f join registry r on r.id = f.id join organisations o on o.id = r.organisation_id
		where not o.sandbox on conflict do nothing`, numbers, catalogues)
}

// UpstreamAssetMove makes everything of an asset that another carrier has wait for the
// carrier where the asset lives now.
func UpstreamAssetMove(ctx context.Context, q db.Querier, kind string, assetID int64, carrier string) error {
	return collect.Execute(ctx, q, `
		update upstream_assets set carrier = $3, upstream_id = '', attempted = false, state = '', error = '', pushed = 0
		where kind = $1 and asset_id = $2 and carrier <> $3`, kind, assetID, carrier)
}

// UpstreamAssetLock is UpstreamAssetGet for what is read back: a change of the partner
// waits until the transaction ends.
func UpstreamAssetLock(ctx context.Context, q db.Querier, kind string, assetID int64, item string) (models.UpstreamAsset, error) {
	return collect.One[models.UpstreamAsset](ctx, q, `
		select `+queries.UpstreamAssetColumns+` from upstream_assets u where u.kind = $1 and u.asset_id = $2 and u.item = $3 for update`, kind, assetID, item)
}

// UpstreamAssetUpdate stores how far something has come.
func UpstreamAssetUpdate(ctx context.Context, q db.Querier, u models.UpstreamAsset) error {
	return collect.Execute(ctx, q, `
		update upstream_assets
		set upstream_id = $4, attempted = $5, pushed = greatest(pushed, $6), state = left($7, 200), error = case when revision = $9 then left($8, 1000) else '' end,
			pushed_at = case when pushed < $6 then now() else pushed_at end
		where kind = $1 and asset_id = $2 and item = $3`, u.Kind, u.AssetID, u.Item, u.UpstreamID, u.Attempted, u.Pushed, u.State, u.Error, u.Revision)
}

// UpstreamAssetTaken stores that an upstream has taken products in a batch, which is
// empty for a finished one.
func UpstreamAssetTaken(ctx context.Context, q db.Querier, assetID int64, items []string, revisions []int64, batch string) error {
	return collect.Execute(ctx, q, `
		update upstream_assets u set pushed = greatest(u.pushed, t.revision), upstream_id = $4, error = '', pushed_at = now()
		from unnest($2::text[], $3::bigint[]) as t (item, revision)
		where u.kind = 'product' and u.asset_id = $1 and u.item = t.item`, assetID, items, revisions, batch)
}

// UpstreamAssetRefused stores why an upstream has refused products.
func UpstreamAssetRefused(ctx context.Context, q db.Querier, assetID int64, items, errors []string) error {
	return collect.Execute(ctx, q, `
		update upstream_assets u set error = left(t.error, 1000)
		from unnest($2::text[], $3::text[]) as t (item, error)
		where u.kind = 'product' and u.asset_id = $1 and u.item = t.item and u.pushed = u.revision`, assetID, items, errors)
}

// UpstreamAssetBatchEnd forgets a batch that is finished, and the products of it that
// are gone here.
func UpstreamAssetBatchEnd(ctx context.Context, q db.Querier, assetID int64, batch string) error {
	if _, err := q.Exec(ctx, `update upstream_assets set upstream_id = '' where kind = 'product' and asset_id = $1 and upstream_id = $2`, assetID, batch); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		delete from upstream_assets u where u.kind = 'product' and u.asset_id = $1 and u.upstream_id = '' and u.error = '' and u.pushed = u.revision
			and not exists (select from products p where p.catalogue_id = $1 and p.retailer_id = u.item)`, assetID)
}

// UpstreamAssetWait stores why nothing of an asset reaches its upstream.
func UpstreamAssetWait(ctx context.Context, q db.Querier, kind string, assetID int64, reason string) error {
	return collect.Execute(ctx, q, `update upstream_assets set error = left($3, 1000) where kind = $1 and asset_id = $2 and pushed < revision`, kind, assetID, reason)
}

// UpstreamAssetDelete forgets something that is gone here and there.
func UpstreamAssetDelete(ctx context.Context, q db.Querier, u models.UpstreamAsset) error {
	return collect.Execute(ctx, q, `delete from upstream_assets where kind = $1 and asset_id = $2 and item = $3 and revision = $4`, u.Kind, u.AssetID, u.Item, u.Revision)
}

// UpstreamAssetForget forgets what is known of an asset that lives at no upstream.
func UpstreamAssetForget(ctx context.Context, q db.Querier, kind string, assetID int64) error {
	return collect.Execute(ctx, q, `delete from upstream_assets where kind = $1 and asset_id = $2`, kind, assetID)
}
