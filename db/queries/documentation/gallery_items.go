package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const galleryItems = `
	select i.id, coalesce(i.folder_id, 0) as folder_id, i.name, i.kind, i.alt, coalesce(i.file_id, 0) as file_id, i.public_at is not null as is_public,
		coalesce(n.state, '') as state, coalesce(n.problem, '') as problem, coalesce(r.mime_type, n.mime_type, '') as mime_type,
		coalesce(r.size, 0) as size, coalesce(r.sha256, '') as sha256, coalesce(r.width, 0) as width, coalesce(r.height, 0) as height,
		coalesce(case when i.kind = 'image' then coalesce(s.variant, r.variant) end, '') as thumbnail,
		coalesce(nullif(a.name, ''), a.email, '') as created_by, i.created_at, i.updated_at, i.trashed_at,
		(select count(distinct t.id)::int from gallery_uses u join items t on u.revision_id in (t.live_revision_id, t.draft_revision_id) and t.trashed_at is null and t.practice_of is null where u.media_id = i.id) as uses
	from gallery_items i
	left join lateral (select f.state, f.problem, f.mime_type from gallery_files f where f.item_id = i.id order by f.id desc limit 1) n on true
	left join gallery_renditions r on r.file_id = i.file_id and r.variant = 'full'
	left join gallery_renditions s on s.file_id = i.file_id and s.variant = 'small'
	left join admin_users a on a.id = i.created_by `

// GalleryFilter selects items of the gallery.
type GalleryFilter struct {
	Text     string // part of the name or of the alternative text
	Kind     string // empty for every kind
	FolderID int64  // 0 for the top, AnyFolder for all
	NeedsAlt bool   // images without an alternative text alone
	Trashed  bool   // the trash instead of the gallery
	Sort     string // name, newest, oldest or largest; newest when empty
	Offset   int
}

// AnyFolder selects the items of every folder.
const AnyFolder = -1

// GalleryItemList returns up to limit items of the gallery.
func GalleryItemList(ctx context.Context, q db.Querier, f GalleryFilter, limit int) ([]models.GalleryItem, error) {
	return collect.Many[models.GalleryItem](ctx, q, galleryItems+`
		where (i.trashed_at is not null) = $1 and ($2 = '' or strpos(lower(i.name), lower($2)) > 0 or strpos(lower(i.alt), lower($2)) > 0)
			and ($3 = '' or i.kind = $3) and ($4::bigint < 0 or coalesce(i.folder_id, 0) = $4) and (not $5 or i.kind = 'image' and i.alt = '')
		order by case when $8 = 'name' then lower(i.name) end, case when $8 = 'largest' then coalesce(r.size, 0) end desc,
			case when $8 = 'oldest' then i.created_at end, i.created_at desc, i.id
		limit $6 offset $7`, f.Trashed, f.Text, f.Kind, f.FolderID, f.NeedsAlt, limit, f.Offset, f.Sort)
}

// GalleryItemGet returns an item of the gallery, also from the trash.
func GalleryItemGet(ctx context.Context, q db.Querier, id string) (models.GalleryItem, error) {
	return collect.One[models.GalleryItem](ctx, q, galleryItems+`where i.id = $1`, id)
}

// GalleryItemFindSame returns the items that have the same uploaded bytes and are
// not in the trash, the oldest first.
func GalleryItemFindSame(ctx context.Context, q db.Querier, sha256 string) ([]models.GalleryItem, error) {
	return collect.Many[models.GalleryItem](ctx, q, galleryItems+`
		where i.trashed_at is null and exists (
			select from gallery_files f where f.item_id = i.id and f.source_sha256 = $1 and f.state <> 'refused'
				and f.id = (select max(l.id) from gallery_files l where l.item_id = i.id))
		order by i.created_at, i.id limit 10`, sha256)
}

// GalleryUseList returns the pages that have an item in their live revision or in
// their draft.
func GalleryUseList(ctx context.Context, q db.Querier, ids []string) ([]models.GalleryUse, error) {
	return collect.Many[models.GalleryUse](ctx, q, `
		with recursive used as (
			select distinct t.id, t.kind, t.slug, v.id as revision_id, v.number, coalesce(v.content->>'title', v.content->>'name', t.slug) as title,
				t.live_revision_id is not distinct from v.id as is_live, t.draft_revision_id is not distinct from v.id as is_draft
			from gallery_uses u join items t on u.revision_id in (t.live_revision_id, t.draft_revision_id) and t.trashed_at is null and t.practice_of is null
			join revisions v on v.id = u.revision_id where u.media_id = any($1)
		), up as (
			select distinct id as item_id, id from used
			union all select up.item_id, i.parent_id from up join items i on i.id = up.id where i.parent_id is not null
		)
		select used.id as item_id, p.id as product_id, used.kind, used.slug, used.title, used.number, used.is_live, used.is_draft, used.revision_id
		from used join up on up.item_id = used.id join items p on p.id = up.id and p.parent_id is null
		order by used.title, used.number desc limit 200`, ids)
}
