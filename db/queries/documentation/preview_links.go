package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const previewLinks = `
	select l.id, l.item_id, coalesce(l.revision_id, 0) as revision_id, coalesce(r.number, 0) as number, coalesce(nullif(u.name, ''), u.email) as creator_name,
		l.created_at, l.expires_at, l.revoked_at, l.ended_at, l.views, l.last_viewed_at
	from preview_links l join admin_users u on u.id = l.created_by left join revisions r on r.id = l.revision_id
	where `

// PreviewLinkList returns the preview links of an item, the newest first.
func PreviewLinkList(ctx context.Context, q db.Querier, itemID int64) ([]models.PreviewLink, error) {
	return collect.Many[models.PreviewLink](ctx, q, previewLinks+`l.item_id = $1 order by l.id desc`, itemID)
}

// PreviewLinkGet returns a preview link of an item.
func PreviewLinkGet(ctx context.Context, q db.Querier, itemID, id int64) (models.PreviewLink, error) {
	return collect.One[models.PreviewLink](ctx, q, previewLinks+`l.item_id = $1 and l.id = $2`, itemID, id)
}

// PreviewLinkGetByToken returns the preview link with a token, unless it expired or
// was revoked.
func PreviewLinkGetByToken(ctx context.Context, q db.Querier, tokenHash []byte) (models.PreviewLink, error) {
	return collect.One[models.PreviewLink](ctx, q, previewLinks+`l.token_hash = $1 and l.revoked_at is null and l.expires_at > now()`, tokenHash)
}

// RevisionWasPublished reports whether a revision of an item was ever public.
func RevisionWasPublished(ctx context.Context, q db.Querier, itemID, id int64) (was bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from release_items where item_id = $1 and revision_id = $2) or exists (select from items where id = $1 and live_revision_id = $2)`, itemID, id)
}
