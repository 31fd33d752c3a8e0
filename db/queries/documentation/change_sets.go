package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const changeSetColumns = `s.id, s.product_id, s.summary, s.state, coalesce(s.author_id, 0) as author_id, coalesce(nullif(u.name, ''), u.email, '') as author_name,
	coalesce(s.scheduled_for, '0001-01-01 00:00:00+00') as scheduled_for, coalesce(s.scheduled_by, 0) as scheduled_by, s.blocked_reason, s.updated_at,
	coalesce((select o.content->>'own_approval' = 'true' from items i join revisions o on o.id = i.live_revision_id where i.id = s.product_id), false) as own_approval,
	coalesce((select i.practice_of from items i where i.id = s.product_id), 0) as practice_of`

const changeSetTables = ` from change_sets s left join admin_users u on u.id = s.author_id `

// ChangeSetGet returns a change set.
func ChangeSetGet(ctx context.Context, q db.Querier, id int64) (models.ChangeSet, error) {
	return collect.One[models.ChangeSet](ctx, q, `select `+changeSetColumns+changeSetTables+`where s.id = $1`, id)
}

// ChangeSetGetOpen returns the open change set that holds an item.
func ChangeSetGetOpen(ctx context.Context, q db.Querier, itemID int64) (models.ChangeSet, error) {
	return collect.One[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`join change_set_items c on c.change_set_id = s.id where c.item_id = $1 and c.open`, itemID)
}

// ChangeSetGetDraft returns the change set of a product that an author has in
// draft, the oldest of several; an author of zero is the program itself. An
// empty summary takes any.
func ChangeSetGetDraft(ctx context.Context, q db.Querier, productID, authorID int64, summary string) (models.ChangeSet, error) {
	return collect.One[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`
		where s.product_id = $1 and s.author_id is not distinct from nullif($2::bigint, 0) and s.state = 'draft' and ($3 = '' or s.summary = $3)
		order by s.id limit 1`, productID, authorID, summary)
}

// ChangeSetGetUnfinished returns the change set of a product that the program itself
// has in draft and that holds no other than some items, the oldest of several.
func ChangeSetGetUnfinished(ctx context.Context, q db.Querier, productID int64, itemIDs []int64) (models.ChangeSet, error) {
	return collect.One[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`
		where s.product_id = $1 and s.author_id is null and s.state = 'draft'
			and not exists (select from change_set_items c where c.change_set_id = s.id and c.item_id <> all(coalesce($2::bigint[], '{}')))
		order by s.id limit 1`, productID, itemIDs)
}

// ChangeSetGetReview returns the open change set that the program itself left
// for review, the oldest of several.
func ChangeSetGetReview(ctx context.Context, q db.Querier, productID int64) (models.ChangeSet, error) {
	return collect.One[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`
		where s.product_id = $1 and s.author_id is null and s.state in ('in_review', 'changes_requested', 'approved', 'blocked') order by s.id limit 1`, productID)
}

// ChangeSetItemList returns what a change set would publish.
func ChangeSetItemList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.Change, error) {
	rows, err := q.Query(ctx, `
		select `+ItemColumns+`, c.action, coalesce(c.slug, ''), coalesce(c.parent_id, 0), c.revision_id, coalesce(r.base_id, 0), coalesce(r.author_id, 0), r.content_hash, r.content
		from change_set_items c join items on items.id = c.item_id join revisions r on r.id = c.revision_id
		where c.change_set_id = $1 order by items.id`, changeSetID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (models.Change, error) {
		var c models.Change
		i := &c.Item
		err := row.Scan(&i.ID, &i.Kind, &i.ParentID, &i.Slug, &i.LiveRevisionID, &i.DraftRevisionID, &i.Archived, &i.Trashed, &i.PracticeOf,
			&c.Action, &c.Slug, &c.ParentID, &c.RevisionID, &c.BaseID, &c.AuthorID, &c.Hash, &c.Content)
		return c, err
	})
}

// ArchiverGet returns the author of the change set that archived an item last;
// zero is the program itself.
func ArchiverGet(ctx context.Context, q db.Querier, itemID int64) (authorID int64, err error) {
	return collect.Value[int64](ctx, q, `
		select coalesce(s.author_id, 0) from change_set_items c join change_sets s on s.id = c.change_set_id
		where c.item_id = $1 and c.action = 'archive' and s.state = 'published' order by s.id desc limit 1`, itemID)
}

// ArchiveRefused reports whether an archiving of an item that the program
// itself proposed was turned down.
func ArchiveRefused(ctx context.Context, q db.Querier, itemID int64) (refused bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from change_set_items c join change_sets s on s.id = c.change_set_id
		where c.item_id = $1 and c.action = 'archive' and s.author_id is null and s.state in ('rejected', 'withdrawn'))`, itemID)
}
