package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RevisionInsert adds the next revision of each item and returns the ids by
// item. Numbers are given here.
func RevisionInsert(ctx context.Context, q db.Querier, list []models.Revision) (map[int64]int64, error) {
	var items, bases, restored, authors []int64
	var contents, origins, forms []string
	var hashes [][]byte
	for _, r := range list {
		items, bases, restored, authors = append(items, r.ItemID), append(bases, r.BaseID), append(restored, r.RestoredFromID), append(authors, r.AuthorID)
		contents, origins, hashes = append(contents, string(r.Content)), append(origins, r.Origin), append(hashes, r.ContentHash)
		forms = append(forms, r.Form)
	}
	return collect.Map[int64, int64](ctx, q, `
		insert into revisions (item_id, number, content, content_hash, base_id, restored_from_id, author_id, origin, form)
		select n.item_id, coalesce((select max(number) from revisions r where r.item_id = n.item_id), 0) + 1, n.content::json, n.content_hash,
			nullif(n.base_id, 0), nullif(n.restored_from_id, 0), nullif(n.author_id, 0), n.origin, nullif(n.form, '')
		from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
			as n (item_id, content, content_hash, base_id, restored_from_id, author_id, origin, form)
		returning item_id, id`, items, contents, hashes, bases, restored, authors, origins, forms)
}

// RevisionDeleteReplaced deletes revisions that a form saved by itself before a
// time, where the same form saved a later one and nothing refers to them.
func RevisionDeleteReplaced(ctx context.Context, q db.Querier, before time.Time) (deleted int64, err error) {
	return collect.Count(ctx, q, `
		delete from revisions r where r.form is not null and r.created_at < $1
			and exists (select from revisions l where l.item_id = r.item_id and l.form = r.form and l.number > r.number)
			and not exists (select from items i where i.id = r.item_id and r.id in (i.live_revision_id, i.draft_revision_id))
			and not exists (select from change_set_items c where c.item_id = r.item_id and c.revision_id = r.id)
			and not exists (select from release_items x where x.item_id = r.item_id and x.revision_id = r.id)
			and not exists (select from preview_links p where p.item_id = r.item_id and p.revision_id = r.id)
			and not exists (select from revisions o where o.item_id = r.item_id and r.id in (o.base_id, o.restored_from_id))`, before)
}
