package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

const itemColumns = `id, kind, coalesce(parent_id, 0), slug, coalesce(live_revision_id, 0), coalesce(draft_revision_id, 0), archived_at is not null`

func scanItem(row pgx.CollectableRow) (models.Item, error) {
	var i models.Item
	err := row.Scan(&i.ID, &i.Kind, &i.ParentID, &i.Slug, &i.LiveRevisionID, &i.DraftRevisionID, &i.Archived)
	return i, err
}

// ItemGetForUpdate returns an item by its address and locks it against other
// writers; parentID is zero for a product.
func ItemGetForUpdate(ctx context.Context, q db.Querier, parentID int64, slug string) (models.Item, error) {
	rows, err := q.Query(ctx, `select `+itemColumns+` from items where parent_id is not distinct from nullif($1::bigint, 0) and slug = $2 for update`, parentID, slug)
	if err != nil {
		return models.Item{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanItem)
}

// ItemInsert adds an item without content and returns it.
func ItemInsert(ctx context.Context, q db.Querier, kind string, parentID int64, slug string) (models.Item, error) {
	rows, err := q.Query(ctx, `insert into items (kind, parent_id, slug) values ($1, nullif($2::bigint, 0), $3) returning `+itemColumns, kind, parentID, slug)
	if err != nil {
		return models.Item{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanItem)
}

// ItemListLive returns the live items below a parent that are not archived or
// in the trash.
func ItemListLive(ctx context.Context, q db.Querier, parentID int64) ([]models.Item, error) {
	rows, err := q.Query(ctx, `
		select `+itemColumns+` from items
		where parent_id = $1 and live_revision_id is not null and archived_at is null and trashed_at is null order by id`, parentID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanItem)
}

// ItemUpdateDraft makes a revision the draft of an item.
func ItemUpdateDraft(ctx context.Context, q db.Querier, id, revisionID int64) error {
	_, err := q.Exec(ctx, `update items set draft_revision_id = $2 where id = $1`, id, revisionID)
	return err
}

// ItemUpdateLive makes a revision public; a draft that is this revision ends,
// and an archived item comes back.
func ItemUpdateLive(ctx context.Context, q db.Querier, id, revisionID int64) error {
	_, err := q.Exec(ctx, `
		update items set live_revision_id = $2, draft_revision_id = nullif(draft_revision_id, $2), archived_at = null
		where id = $1`, id, revisionID)
	return err
}

// ItemUpdateArchived takes an item out of the next release.
func ItemUpdateArchived(ctx context.Context, q db.Querier, id int64) error {
	_, err := q.Exec(ctx, `update items set archived_at = now() where id = $1 and archived_at is null`, id)
	return err
}

// ItemGet returns an item by its id.
func ItemGet(ctx context.Context, q db.Querier, id int64) (models.Item, error) {
	rows, err := q.Query(ctx, `select `+itemColumns+` from items where id = $1`, id)
	if err != nil {
		return models.Item{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanItem)
}
