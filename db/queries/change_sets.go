package queries

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

const changeSetColumns = `s.id, s.product_id, s.summary, s.state, coalesce(s.author_id, 0) as author_id, coalesce(nullif(u.name, ''), u.email, '') as author_name,
	coalesce(s.scheduled_for, '0001-01-01 00:00:00+00') as scheduled_for, coalesce(s.scheduled_by, 0) as scheduled_by, s.blocked_reason, s.updated_at,
	coalesce((select o.content->>'own_approval' = 'true' from items i join revisions o on o.id = i.live_revision_id where i.id = s.product_id), false) as own_approval,
	coalesce((select i.practice_of from items i where i.id = s.product_id), 0) as practice_of`

const changeSetTables = ` from change_sets s left join admin_users u on u.id = s.author_id `

// ChangeSetInsert opens a change set of a product and returns its id.
func ChangeSetInsert(ctx context.Context, q db.Querier, productID int64, summary string, authorID int64) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into change_sets (product_id, summary, author_id) values ($1, $2, nullif($3::bigint, 0)) returning id`,
		productID, summary, authorID).Scan(&id)
	return id, err
}

// ChangeSetGet returns a change set.
func ChangeSetGet(ctx context.Context, q db.Querier, id int64) (models.ChangeSet, error) {
	return one[models.ChangeSet](ctx, q, `select `+changeSetColumns+changeSetTables+`where s.id = $1`, id)
}

// ChangeSetGetOpen returns the open change set that holds an item.
func ChangeSetGetOpen(ctx context.Context, q db.Querier, itemID int64) (models.ChangeSet, error) {
	return one[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`join change_set_items c on c.change_set_id = s.id where c.item_id = $1 and c.open`, itemID)
}

// ChangeSetGetDraft returns the change set of a product that an author has in
// draft, the oldest of several; an author of zero is the program itself. An
// empty summary takes any.
func ChangeSetGetDraft(ctx context.Context, q db.Querier, productID, authorID int64, summary string) (models.ChangeSet, error) {
	return one[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`
		where s.product_id = $1 and s.author_id is not distinct from nullif($2::bigint, 0) and s.state = 'draft' and ($3 = '' or s.summary = $3)
		order by s.id limit 1`, productID, authorID, summary)
}

// ChangeSetGetUnfinished returns the change set of a product that the program itself
// has in draft and that holds no other than some items, the oldest of several.
func ChangeSetGetUnfinished(ctx context.Context, q db.Querier, productID int64, itemIDs []int64) (models.ChangeSet, error) {
	return one[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`
		where s.product_id = $1 and s.author_id is null and s.state = 'draft'
			and not exists (select from change_set_items c where c.change_set_id = s.id and c.item_id <> all(coalesce($2::bigint[], '{}')))
		order by s.id limit 1`, productID, itemIDs)
}

// ChangeSetGetReview returns the open change set that the program itself left
// for review, the oldest of several.
func ChangeSetGetReview(ctx context.Context, q db.Querier, productID int64) (models.ChangeSet, error) {
	return one[models.ChangeSet](ctx, q, `
		select `+changeSetColumns+changeSetTables+`
		where s.product_id = $1 and s.author_id is null and s.state in ('in_review', 'changes_requested', 'approved', 'blocked') order by s.id limit 1`, productID)
}

// ChangeSetUpdateState moves a change set. It ends a schedule and the reason
// for which one was blocked.
func ChangeSetUpdateState(ctx context.Context, q db.Querier, id int64, state string) error {
	_, err := q.Exec(ctx, `
		update change_sets set state = $2, scheduled_for = null, scheduled_by = null, blocked_reason = '', updated_at = now() where id = $1`, id, state)
	return err
}

// ChangeSetUpdateSummary says what a change set is about.
func ChangeSetUpdateSummary(ctx context.Context, q db.Querier, id int64, summary string) error {
	_, err := q.Exec(ctx, `update change_sets set summary = $2, updated_at = now() where id = $1`, id, summary)
	return err
}

// ChangeSetUpdateScheduled has a change set published at a time.
func ChangeSetUpdateScheduled(ctx context.Context, q db.Querier, id, by int64, at time.Time) error {
	_, err := q.Exec(ctx, `
		update change_sets set state = 'scheduled', scheduled_for = $3, scheduled_by = nullif($2::bigint, 0), updated_at = now() where id = $1`, id, by, at)
	return err
}

// ChangeSetUpdateBlocked notes why a change set was not published when it was
// due.
func ChangeSetUpdateBlocked(ctx context.Context, q db.Querier, id int64, reason string) error {
	_, err := q.Exec(ctx, `
		update change_sets set state = 'blocked', scheduled_for = null, scheduled_by = null, blocked_reason = $2, updated_at = now() where id = $1`, id, reason)
	return err
}

// ChangeSetItemPut puts changes into a change set, each of them in the place of
// what the set did to the item before. An item that is in another open set is a
// unique violation of change_set_items_open. Changes that are not open hold
// their items for nobody: items of a set that is published at once.
func ChangeSetItemPut(ctx context.Context, q db.Querier, changeSetID int64, changes []models.Change, open bool) error {
	var items, revisions, parents []int64
	var actions, slugs []string
	for _, c := range changes {
		items, revisions, parents = append(items, c.Item.ID), append(revisions, c.RevisionID), append(parents, c.ParentID)
		actions, slugs = append(actions, c.Action), append(slugs, c.Slug)
	}
	_, err := q.Exec(ctx, `
		insert into change_set_items (change_set_id, item_id, revision_id, action, slug, parent_id, open)
		select $1, item_id, revision_id, action, nullif(slug, ''), nullif(parent_id, 0), $7
		from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[]) as c (item_id, revision_id, action, slug, parent_id)
		on conflict (change_set_id, item_id) do update
		set revision_id = excluded.revision_id, action = excluded.action, slug = excluded.slug, parent_id = excluded.parent_id, open = excluded.open`,
		changeSetID, items, revisions, actions, slugs, parents, open)
	return err
}

// ChangeSetItemMove takes an item from one change set to another.
func ChangeSetItemMove(ctx context.Context, q db.Querier, from, to int64, itemIDs []int64) (moved int64, err error) {
	tag, err := q.Exec(ctx, `update change_set_items set change_set_id = $2 where change_set_id = $1 and item_id = any($3)`, from, to, itemIDs)
	return tag.RowsAffected(), err
}

// ChangeSetItemDelete takes an item out of a change set.
func ChangeSetItemDelete(ctx context.Context, q db.Querier, changeSetID, itemID int64) (deleted int64, err error) {
	tag, err := q.Exec(ctx, `delete from change_set_items where change_set_id = $1 and item_id = $2`, changeSetID, itemID)
	return tag.RowsAffected(), err
}

// ChangeSetItemList returns what a change set would publish.
func ChangeSetItemList(ctx context.Context, q db.Querier, changeSetID int64) ([]models.Change, error) {
	rows, err := q.Query(ctx, `
		select `+itemColumns+`, c.action, coalesce(c.slug, ''), coalesce(c.parent_id, 0), c.revision_id, coalesce(r.base_id, 0), coalesce(r.author_id, 0), r.content_hash, r.content
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

// ChangeSetItemUpdateHead makes what a change set would publish the drafts that
// its items have now.
func ChangeSetItemUpdateHead(ctx context.Context, q db.Querier, changeSetID int64) error {
	_, err := q.Exec(ctx, `
		update change_set_items c set revision_id = i.draft_revision_id from items i
		where c.change_set_id = $1 and i.id = c.item_id and i.draft_revision_id is not null and c.action <> 'archive'`, changeSetID)
	return err
}

// ChangeSetItemUpdateClosed frees the items of a change set for others. Their
// drafts end too, unless keepDrafts.
func ChangeSetItemUpdateClosed(ctx context.Context, q db.Querier, changeSetID int64, keepDrafts bool) error {
	_, err := q.Exec(ctx, `
		with closed as (update change_set_items set open = false where change_set_id = $1 and open returning item_id)
		update items set draft_revision_id = null where not $2 and id in (select item_id from closed)`, changeSetID, keepDrafts)
	return err
}

// ArchiverGet returns the author of the change set that archived an item last;
// zero is the program itself.
func ArchiverGet(ctx context.Context, q db.Querier, itemID int64) (authorID int64, err error) {
	err = q.QueryRow(ctx, `
		select coalesce(s.author_id, 0) from change_set_items c join change_sets s on s.id = c.change_set_id
		where c.item_id = $1 and c.action = 'archive' and s.state = 'published' order by s.id desc limit 1`, itemID).Scan(&authorID)
	return authorID, err
}

// ArchiveRefused reports whether an archiving of an item that the program
// itself proposed was turned down.
func ArchiveRefused(ctx context.Context, q db.Querier, itemID int64) (refused bool, err error) {
	err = q.QueryRow(ctx, `
		select exists (select from change_set_items c join change_sets s on s.id = c.change_set_id
		where c.item_id = $1 and c.action = 'archive' and s.author_id is null and s.state in ('rejected', 'withdrawn'))`, itemID).Scan(&refused)
	return refused, err
}
