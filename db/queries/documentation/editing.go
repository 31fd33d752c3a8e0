package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ProductEntryList returns every product that is not in the trash, by its order. Of
// practice products it returns the administrator's own.
func ProductEntryList(ctx context.Context, q db.Querier, adminUserID int64) ([]models.ProductEntry, error) {
	return collect.Many[models.ProductEntry](ctx, q, `
		select `+ItemColumns+`, coalesce(r.content->>'name', items.slug) as name, coalesce(r.content->>'summary', '') as summary,
			coalesce((r.content->>'coming_soon')::boolean, false) as coming_soon, coalesce((r.content->>'hidden')::boolean, false) as hidden,
			array(select v.slug from items v where v.parent_id = items.id and v.kind = 'version' and v.live_revision_id is not null
				and v.archived_at is null and v.trashed_at is null) as versions,
			(select count(*) from items d left join items v on v.id = d.parent_id
				where (d.id = items.id or d.parent_id = items.id or v.parent_id = items.id) and d.draft_revision_id is not null and d.trashed_at is null)::integer as drafts,
			(select max(published_at) from releases where product_id = items.id) as released_at
		from items left join revisions r on r.id = coalesce(items.draft_revision_id, items.live_revision_id)
		where items.kind = 'product' and items.trashed_at is null
			and (items.practice_of is null or items.practice_of = $1)
		order by coalesce((r.content->>'order')::integer, 0), items.id`, adminUserID)
}

// EditItemList returns a product and every item below it, whatever their state.
// Versions, guides and parts of versions follow one another by their order.
func EditItemList(ctx context.Context, q db.Querier, productID int64) ([]models.EditItem, error) {
	return collect.Many[models.EditItem](ctx, q, `
		select `+ItemColumns+`, coalesce(r.content->>'name', r.content->>'title', items.slug) as name, coalesce(r.content->>'method', '') as method,
			coalesce(r.content->>'group', r.content->>'category', '') as "group", coalesce(r.content->>'label', '') as label,
			coalesce((r.content->>'order')::integer, 0) as place,
			coalesce(c.change_set_id, 0) as set_id, coalesce(s.state, '') as set_state, coalesce(c.action, '') as action
		from items left join revisions r on r.id = coalesce(items.draft_revision_id, items.live_revision_id)
		left join change_set_items c on c.item_id = items.id and c.open
		left join change_sets s on s.id = c.change_set_id
		where items.id = $1 or items.parent_id = $1 or items.parent_id in (select id from items where parent_id = $1)
		order by place, items.id`, productID)
}

// ChangeSetEntryList returns the change sets that a filter leaves, the newest
// first. Change sets of practice products are for their owner alone.
func ChangeSetEntryList(ctx context.Context, q db.Querier, f models.ChangeSetFilter) ([]models.ChangeSetEntry, error) {
	return collect.Many[models.ChangeSetEntry](ctx, q, `
		select `+changeSetColumns+`, coalesce(r.content->>'name', p.slug) as product,
			(select count(*) from change_set_items c where c.change_set_id = s.id)::integer as items,
			(select count(*) from review_threads t join change_set_items c on c.change_set_id = s.id and c.item_id = t.item_id
				where t.change_set_id = s.id and t.resolved_at is null)::integer as threads
		`+changeSetTables+`join items p on p.id = s.product_id
		left join revisions r on r.id = coalesce(p.live_revision_id, p.draft_revision_id)
		where ($1 = '' or s.state = $1 or $1 = 'open' and s.state not in ('published', 'rejected', 'withdrawn')
				or $1 = 'closed' and s.state in ('published', 'rejected', 'withdrawn'))
		  and ($2::bigint = 0 or s.product_id = $2)
		  and ($3::bigint = 0 or s.author_id = $3)
		  and ($4::bigint = 0 or s.state = 'in_review' and s.author_id is distinct from $4)
		  and ($5::bigint = 0 or s.id < $5)
		  and (p.practice_of is null or p.practice_of = $7)
		order by s.id desc limit $6`, f.State, f.Product, f.Author, f.Reviewer, f.Before, f.Limit, f.Viewer)
}

// RevisionEntryList returns the history of an item, the newest revision first. Of
// what a form saved by itself it has the last revision, and those that went public.
func RevisionEntryList(ctx context.Context, q db.Querier, itemID int64) ([]models.RevisionEntry, error) {
	return collect.Many[models.RevisionEntry](ctx, q, `
		select h.id, h.item_id, h.number, h.content, h.content_hash, coalesce(h.base_id, 0) as base_id, coalesce(h.restored_from_id, 0) as restored_from_id,
			coalesce(h.author_id, 0) as author_id, coalesce(h.origin, case when h.author_id is null then 'seed' else 'edit' end) as origin,
			coalesce(h.form, '') as form, h.created_at,
			coalesce(nullif(u.name, ''), u.email, '') as author_name,
			coalesce((select number from revisions o where o.id = h.restored_from_id), 0) as restored,
			(select min(x.published_at) from release_items i join releases x on x.id = i.release_id where i.item_id = h.item_id and i.revision_id = h.id) as published_at
		from revisions h left join admin_users u on u.id = h.author_id
		where h.item_id = $1 and (h.form is null or exists (select from release_items x where x.item_id = h.item_id and x.revision_id = h.id)
			or not exists (select from revisions l where l.item_id = h.item_id and l.form = h.form and l.number > h.number))
		order by h.number desc`, itemID)
}

// RevisionGetNumbered returns a revision of an item by its number.
func RevisionGetNumbered(ctx context.Context, q db.Querier, itemID int64, number int) (models.Revision, error) {
	return collect.One[models.Revision](ctx, q, `select `+revisionColumns+` from revisions where item_id = $1 and number = $2`, itemID, number)
}

// RevisionGetBefore returns the last revision of an item before a number.
func RevisionGetBefore(ctx context.Context, q db.Querier, itemID int64, number int) (models.Revision, error) {
	return collect.One[models.Revision](ctx, q, `select `+revisionColumns+` from revisions where item_id = $1 and number < $2 order by number desc limit 1`, itemID, number)
}

// ReleaseEntryList returns the releases of a product, the newest first, at most
// limit.
func ReleaseEntryList(ctx context.Context, q db.Querier, productID int64, limit int) ([]models.ReleaseEntry, error) {
	return collect.Many[models.ReleaseEntry](ctx, q, `
		select r.id, r.scope_id, r.number, r.published_at, i.slug as scope, i.kind, r.summary, coalesce(r.change_set_id, 0) as change_set_id,
			coalesce(nullif(u.name, ''), u.email, '') as publisher,
			r.number = (select max(number) from releases l where l.scope_id = r.scope_id) as latest
		from releases r join items i on i.id = r.scope_id left join admin_users u on u.id = r.published_by
		where r.product_id = $1 order by r.id desc limit $2`, productID, limit)
}

// HeadItemList returns the newest content of a version and its parts of some
// kinds, drafts before what is live. What is in the trash or archived is not
// among them.
func HeadItemList(ctx context.Context, q db.Querier, versionID int64, kinds []string) ([]models.LiveItem, error) {
	return collect.Many[models.LiveItem](ctx, q, `
		select i.id, i.kind, coalesce(i.parent_id, 0) as parent_id, i.slug, r.content
		from items i join revisions r on r.id = coalesce(i.draft_revision_id, i.live_revision_id)
		where (i.id = $1 or i.parent_id = $1) and i.kind = any($2) and i.trashed_at is null and (i.archived_at is null or i.draft_revision_id is not null)
		order by i.id`, versionID, kinds)
}

// SchemaUseList returns the parts of a version with the names of the schemas that
// their newest content refers to, percent-encoded as references are.
func SchemaUseList(ctx context.Context, q db.Querier, versionID int64) ([]models.SchemaUse, error) {
	return collect.Many[models.SchemaUse](ctx, q, `
		select i.id, i.kind, coalesce(r.content->>'name', i.slug) as name,
			array(select distinct m[1] from regexp_matches(r.content::text, '"\$ref":\s*"#/components/schemas/([^"/]+)"', 'g') m) as refers
		from items i join revisions r on r.id = coalesce(i.draft_revision_id, i.live_revision_id)
		where i.parent_id = $1 and i.kind in ('endpoint', 'callback', 'schema') and i.trashed_at is null
			and (i.archived_at is null or i.draft_revision_id is not null)
		order by coalesce((r.content->>'order')::integer, 0), i.id`, versionID)
}

// LinkingItemList returns the items of a product with newest content that has a text,
// such as a link, without one of them.
func LinkingItemList(ctx context.Context, q db.Querier, productID, without int64, text string) ([]models.LinkingItem, error) {
	return collect.Many[models.LinkingItem](ctx, q, `
		select i.id, coalesce(r.content->>'title', r.content->>'name', i.slug) as name
		from items i join revisions r on r.id = coalesce(i.draft_revision_id, i.live_revision_id)
		where (i.id = $1 or i.parent_id = $1 or i.parent_id in (select id from items where parent_id = $1)) and i.id <> $2
			and i.trashed_at is null and (i.archived_at is null or i.draft_revision_id is not null)
			and r.content::text ~ (regexp_replace($3, '([.^$*+?()\[\]{}|\\])', '\\\1', 'g') || '(?![a-z0-9.-])')
		order by i.id`, productID, without, text)
}
