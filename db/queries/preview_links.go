package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

const previewLinks = `
	select l.id, l.item_id, coalesce(l.revision_id, 0) as revision_id, coalesce(r.number, 0) as number, coalesce(nullif(u.name, ''), u.email) as creator_name,
		l.created_at, l.expires_at, l.revoked_at, l.ended_at, l.views, l.last_viewed_at
	from preview_links l join admin_users u on u.id = l.created_by left join revisions r on r.id = l.revision_id
	where `

// PreviewLinkList returns the preview links of an item, the newest first.
func PreviewLinkList(ctx context.Context, q db.Querier, itemID int64) ([]models.PreviewLink, error) {
	return many[models.PreviewLink](ctx, q, previewLinks+`l.item_id = $1 order by l.id desc`, itemID)
}

// PreviewLinkGet returns a preview link of an item.
func PreviewLinkGet(ctx context.Context, q db.Querier, itemID, id int64) (models.PreviewLink, error) {
	return one[models.PreviewLink](ctx, q, previewLinks+`l.item_id = $1 and l.id = $2`, itemID, id)
}

// PreviewLinkGetByToken returns the preview link with a token, unless it expired or
// was revoked.
func PreviewLinkGetByToken(ctx context.Context, q db.Querier, tokenHash []byte) (models.PreviewLink, error) {
	return one[models.PreviewLink](ctx, q, previewLinks+`l.token_hash = $1 and l.revoked_at is null and l.expires_at > now()`, tokenHash)
}

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

// RevisionWasPublished reports whether a revision of an item was ever public.
func RevisionWasPublished(ctx context.Context, q db.Querier, itemID, id int64) (was bool, err error) {
	err = q.QueryRow(ctx, `
		select exists (select from release_items where item_id = $1 and revision_id = $2) or exists (select from items where id = $1 and live_revision_id = $2)`, itemID, id).Scan(&was)
	return was, err
}
