package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// ChangeSetInsert opens a change set of a product and returns its id.
func ChangeSetInsert(ctx context.Context, q db.Querier, productID int64, summary string, authorID int64) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into change_sets (product_id, summary, author_id) values ($1, $2, nullif($3::bigint, 0)) returning id`,
		productID, summary, authorID).Scan(&id)
	return id, err
}

// ChangeSetGetForUpdate returns a change set and locks it.
func ChangeSetGetForUpdate(ctx context.Context, q db.Querier, id int64) (models.ChangeSet, error) {
	var c models.ChangeSet
	err := q.QueryRow(ctx, `select id, product_id, summary, state from change_sets where id = $1 for update`, id).
		Scan(&c.ID, &c.ProductID, &c.Summary, &c.State)
	return c, err
}

// ChangeSetUpdateState moves a change set.
func ChangeSetUpdateState(ctx context.Context, q db.Querier, id int64, state string) error {
	_, err := q.Exec(ctx, `update change_sets set state = $2, updated_at = now() where id = $1`, id, state)
	return err
}

// ChangeSetItemInsert puts a draft into a change set. An item that is in
// another open one is a unique violation of change_set_items_open.
func ChangeSetItemInsert(ctx context.Context, q db.Querier, changeSetID, itemID, revisionID int64) error {
	_, err := q.Exec(ctx, `insert into change_set_items (change_set_id, item_id, revision_id) values ($1, $2, $3)`, changeSetID, itemID, revisionID)
	return err
}

// ChangeSetItemList returns what a change set would publish.
func ChangeSetItemList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.Change, error) {
	rows, err := q.Query(ctx, `
		select i.id, i.kind, coalesce(i.parent_id, 0), i.slug, coalesce(i.live_revision_id, 0), coalesce(i.draft_revision_id, 0),
		       c.revision_id, coalesce(r.base_id, 0)
		from change_set_items c join items i on i.id = c.item_id join revisions r on r.id = c.revision_id
		where c.change_set_id = $1 order by i.id for update of i`, changeSetID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (models.Change, error) {
		var c models.Change
		i := &c.Item
		err := row.Scan(&i.ID, &i.Kind, &i.ParentID, &i.Slug, &i.LiveRevisionID, &i.DraftRevisionID, &c.RevisionID, &c.BaseID)
		return c, err
	})
}

// ChangeSetItemUpdateClosed frees the items of a change set for others.
func ChangeSetItemUpdateClosed(ctx context.Context, q db.Querier, changeSetID int64) error {
	_, err := q.Exec(ctx, `update change_set_items set open = false where change_set_id = $1`, changeSetID)
	return err
}
