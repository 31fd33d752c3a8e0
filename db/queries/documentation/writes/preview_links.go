package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
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
	tag, err := q.Exec(ctx, `update preview_links set revoked_at = now() where id = $1 and revoked_at is null`, id)
	return tag.RowsAffected() == 1, err
}

// PreviewLinkUpdateViews counts a view of a preview link.
func PreviewLinkUpdateViews(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update preview_links set views = views + 1, last_viewed_at = now() where id = $1`, id)
	return err
}

// PreviewLinkDelete deletes preview links that expired longer ago than keep.
func PreviewLinkDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from preview_links where expires_at < now() - $1::interval`, keep)
	return err
}
