package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// PracticeOwner returns the administrator who practises on a product, zero for products
// that everybody works on and for one that does not exist.
func PracticeOwner(ctx context.Context, q db.Querier, productID int64) (adminUserID int64, err error) {
	return collect.Value[int64](ctx, q, `select coalesce((select practice_of from items where id = $1), 0)`, productID)
}

// PracticeGet returns the practice product of an administrator, zero for none.
func PracticeGet(ctx context.Context, q db.Querier, adminUserID int64) (productID int64, err error) {
	return collect.Value[int64](ctx, q, `select coalesce((select id from items where practice_of = $1 and kind = 'product'), 0)`, adminUserID)
}

// PracticeTargets returns the guide and the endpoint of a practice product with the slugs.
func PracticeTargets(ctx context.Context, q db.Querier, adminUserID int64, guide, endpoint string) (models.TutorTargets, error) {
	return collect.One[models.TutorTargets](ctx, q, `
		select coalesce(min(id) filter (where kind = 'guide' and slug = $2), 0) as guide_id,
			coalesce(min(id) filter (where kind = 'endpoint' and slug = $3), 0) as endpoint_id
		from items where practice_of = $1`, adminUserID, guide, endpoint)
}

// PracticeWasReviewed reports whether the played reviewer has sent something of a product
// back.
func PracticeWasReviewed(ctx context.Context, q db.Querier, productID int64) (was bool, err error) {
	return collect.Value[bool](ctx, q, `
		select exists (select from reviews r join change_sets s on s.id = r.change_set_id
			where s.product_id = $1 and r.reviewer_id is null and r.verdict = 'changes_requested')`, productID)
}

// TutorGet returns where an administrator is in the tutor. Without a practice product
// there is no row.
func TutorGet(ctx context.Context, q db.Querier, adminUserID int64) (models.TutorState, error) {
	return collect.One[models.TutorState](ctx, q, `
		select t.admin_user_id, t.skipped, t.paused, t.used_at, p.id as product_id, p.slug as product_slug,
			coalesce(g.id, 0) as guide_id, coalesce(g.slug, '') as guide_slug, coalesce(e.id, 0) as endpoint_id,
			coalesce(s.id, 0) as set_id, coalesce(s.state, '') as set_state, coalesce(w.id, 0) as thread_id,
			t.found_at is not null as found, t.previewed_at is not null as previewed, t.seen_at is not null as seen,
			exists (select from revisions r where r.item_id = t.guide_id and r.author_id = t.admin_user_id) as edited,
			exists (select from revisions r where r.item_id = t.endpoint_id and r.author_id = t.admin_user_id) as touched,
			exists (select from change_sets c where c.product_id = p.id and c.author_id = t.admin_user_id
				and c.state in ('in_review', 'changes_requested', 'approved', 'scheduled', 'blocked', 'published')) as submitted,
			w.id is null and exists (select from change_sets c join reviews r on r.change_set_id = c.id and r.reviewer_id is null and r.verdict = 'changes_requested'
				where c.product_id = p.id and c.state in ('in_review', 'approved', 'scheduled', 'blocked', 'published')) as answered,
			exists (select from change_sets c join reviews r on r.change_set_id = c.id and r.verdict = 'approved' where c.product_id = p.id) as approved,
			exists (select from releases r where r.product_id = p.id and r.published_by = t.admin_user_id) as published,
			exists (select from items i join revisions r on r.item_id = i.id and r.origin = 'restore' where i.practice_of = t.admin_user_id) as restored
		from tutor_progress t join items p on p.practice_of = t.admin_user_id and p.kind = 'product'
		left join items g on g.id = t.guide_id and g.trashed_at is null
		left join items e on e.id = t.endpoint_id and e.trashed_at is null
		left join lateral (select c.id, c.state from change_sets c where c.product_id = p.id and c.author_id = t.admin_user_id
			order by c.state in ('published', 'rejected', 'withdrawn'), c.id desc limit 1) s on true
		left join lateral (select h.id from review_threads h join change_sets c on c.id = h.change_set_id
			where c.product_id = p.id and h.resolved_at is null and c.state not in ('rejected', 'withdrawn')
				and (select coalesce(m.author_id, 0) from review_comments m where m.thread_id = h.id order by m.id desc limit 1) = 0
			order by h.id limit 1) w on true
		where t.admin_user_id = $1`, adminUserID)
}

// TutorListIdle returns the administrators who used their practice product last before a
// time, or may no longer sign in.
func TutorListIdle(ctx context.Context, q db.Querier, before time.Time) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		select i.practice_of from items i join admin_users u on u.id = i.practice_of left join tutor_progress t on t.admin_user_id = u.id
		where i.kind = 'product' and (not u.active or coalesce(t.used_at, i.created_at) < $1
			and not exists (select from change_sets s where s.product_id = i.id and s.updated_at >= $1)) order by 1`, before)
}
