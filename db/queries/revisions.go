package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// RevisionGet returns a revision of an item.
func RevisionGet(ctx context.Context, q db.Querier, id int64) (models.Revision, error) {
	var r models.Revision
	err := q.QueryRow(ctx, `
		select id, item_id, number, content, content_hash, coalesce(base_id, 0), coalesce(author_id, 0)
		from revisions where id = $1`, id).
		Scan(&r.ID, &r.ItemID, &r.Number, &r.Content, &r.Hash, &r.BaseID, &r.AuthorID)
	return r, err
}

// RevisionInsert adds the next revision of an item and returns its id.
func RevisionInsert(ctx context.Context, q db.Querier, r models.Revision) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into revisions (item_id, number, content, content_hash, base_id, author_id)
		select $1, coalesce(max(number), 0) + 1, $2, $3, nullif($4::bigint, 0), nullif($5::bigint, 0) from revisions where item_id = $1
		returning id`, r.ItemID, []byte(r.Content), r.Hash, r.BaseID, r.AuthorID).Scan(&id)
	return id, err
}
