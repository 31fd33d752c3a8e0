package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// PreviewLinkInsert adds a preview link.
func PreviewLinkInsert(ctx context.Context, q db.Querier, l models.NewPreviewLink) (id int64, expiresAt time.Time, err error) {
	err = q.QueryRow(ctx, `
		insert into preview_links (item_id, revision_id, created_by, token_hash, expires_at) values ($1, nullif($2::bigint, 0), $3, $4, now() + $5::interval)
		returning id, expires_at`, l.ItemID, l.RevisionID, l.CreatedBy, l.TokenHash, l.Life).Scan(&id, &expiresAt)
	return id, expiresAt, err
}

// PreviewLinkUpdateRevoked revokes a preview link and reports whether it was not
// revoked before.
func PreviewLinkUpdateRevoked(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return collect.Changed(ctx, q, `update preview_links set revoked_at = now() where id = $1 and revoked_at is null`, id)
}

// PreviewLinkUpdateViews counts a view of a preview link.
func PreviewLinkUpdateViews(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `update preview_links set views = views + 1, last_viewed_at = now() where id = $1`, id)
}

// PreviewLinkDelete deletes preview links that expired longer ago than keep.
func PreviewLinkDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from preview_links where expires_at < now() - $1::interval`, keep)
}
