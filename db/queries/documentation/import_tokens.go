package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const importTokens = `
	select t.id, t.admin_user_id as admin_id, coalesce(nullif(u.name, ''), u.email) as admin_name, t.product_id, coalesce(nullif(r.content->>'name', ''), p.slug) as product_name,
		t.name, t.prefix, t.created_at, t.expires_at, t.last_used_at, t.revoked_at
	from import_tokens t join admin_users u on u.id = t.admin_user_id join items p on p.id = t.product_id
	left join revisions r on r.id = coalesce(p.live_revision_id, p.draft_revision_id) `

// ImportTokenGetByHash returns the token with a hash, also one that no longer works.
func ImportTokenGetByHash(ctx context.Context, q db.Querier, hash []byte) (models.ImportToken, error) {
	return collect.One[models.ImportToken](ctx, q, importTokens+`where t.hash = $1`, hash)
}

// ImportTokenGet returns a token.
func ImportTokenGet(ctx context.Context, q db.Querier, id int64) (models.ImportToken, error) {
	return collect.One[models.ImportToken](ctx, q, importTokens+`where t.id = $1`, id)
}

// ImportTokenList returns the tokens of an administrator, or all for a zero id. The ones
// that work come first, the newest before the others.
func ImportTokenList(ctx context.Context, q db.Querier, adminID int64) ([]models.ImportToken, error) {
	return collect.Many[models.ImportToken](ctx, q, importTokens+`
		where $1 = 0 or t.admin_user_id = $1 order by t.revoked_at is not null or t.expires_at <= now(), t.id desc limit 200`, adminID)
}

// ImportTokenCountActive returns how many tokens of an administrator work.
func ImportTokenCountActive(ctx context.Context, q db.Querier, adminID int64) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from import_tokens where admin_user_id = $1 and revoked_at is null and expires_at > now()`, adminID)
}
