package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CheckLock makes the checks of a change set wait for each other until the
// transaction ends.
func CheckLock(ctx context.Context, q db.Querier, changeSetID int64) error {
	return collect.Execute(ctx, q, `select pg_advisory_xact_lock(hashtextextended('checks', $1))`, changeSetID)
}

// CheckResultPut keeps what the checks found in an item of a change set, in the
// place of what they found before.
func CheckResultPut(ctx context.Context, q db.Querier, changeSetID int64, r models.CheckResult) error {
	return collect.Execute(ctx, q, `
		insert into check_results (change_set_id, item_id, content_hash, basis, findings, checked_at)
		values ($1, $2, $3, $4, coalesce($5::jsonb, '[]'), now())
		on conflict (change_set_id, item_id) do update
		set content_hash = excluded.content_hash, basis = excluded.basis, findings = excluded.findings, checked_at = excluded.checked_at`,
		changeSetID, r.ItemID, r.ContentHash, r.Basis, r.Findings)
}

// CheckPolicyPut replaces the levels that a product has chosen.
func CheckPolicyPut(ctx context.Context, q db.Querier, productID int64, names, levels []string) error {
	return collect.Execute(ctx, q, `
		with gone as (delete from check_policies where product_id = $1 and not check_name = any($2))
		insert into check_policies (product_id, check_name, level)
		select $1, name, level from unnest($2::text[], $3::text[]) as p (name, level)
		on conflict (product_id, check_name) do update set level = excluded.level`, productID, names, levels)
}
