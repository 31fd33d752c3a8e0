package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const revisionColumns = `id, item_id, number, content, content_hash, coalesce(base_id, 0) as base_id, coalesce(restored_from_id, 0) as restored_from_id,
	coalesce(author_id, 0) as author_id, coalesce(origin, case when author_id is null then 'seed' else 'edit' end) as origin,
	coalesce(form, '') as form, created_at`

// RevisionGet returns a revision of an item.
func RevisionGet(ctx context.Context, q db.Querier, id int64) (models.Revision, error) {
	return collect.One[models.Revision](ctx, q, `select `+revisionColumns+` from revisions where id = $1`, id)
}

// RevisionGetSeed returns the last revision of an item that the seed wrote.
func RevisionGetSeed(ctx context.Context, q db.Querier, itemID int64) (models.Revision, error) {
	return collect.One[models.Revision](ctx, q, `
		select `+revisionColumns+` from revisions
		where item_id = $1 and coalesce(origin, case when author_id is null then 'seed' else 'edit' end) = 'seed' order by number desc limit 1`, itemID)
}
