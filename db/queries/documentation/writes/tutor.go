package writes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// PracticeInsert adds the practice product of an administrator, without content.
func PracticeInsert(ctx context.Context, q db.Querier, adminUserID int64, slug string) (id int64, err error) {
	return collect.Value[int64](ctx, q, `insert into items (kind, slug, practice_of) values ('product', $2, $1) returning id`, adminUserID, slug)
}

// PracticeDelete erases the practice product of an administrator with everything that
// was written, said and published of it.
func PracticeDelete(ctx context.Context, q db.Querier, adminUserID int64) error {
	const own = `(select id from items where practice_of = $1)`
	batch := &pgx.Batch{}
	for _, sql := range []string{
		`delete from accepted_changes where version_id in ` + own,
		`delete from releases where product_id in ` + own,
		`delete from change_sets where product_id in ` + own,
		`update items set live_revision_id = null, draft_revision_id = null where practice_of = $1`,
		`delete from revisions where item_id in ` + own,
		`delete from items where practice_of = $1`,
	} {
		batch.Queue(sql, adminUserID)
	}
	return q.SendBatch(ctx, batch).Close()
}

// TutorLock lets one request at a time start or end the practice of an administrator,
// until the transaction ends.
func TutorLock(ctx context.Context, q db.Querier, adminUserID int64) error {
	return collect.Execute(ctx, q, `select from admin_users where id = $1 for no key update`, adminUserID)
}

// TutorInsert begins the progress of an administrator, from the start where there was one.
func TutorInsert(ctx context.Context, q db.Querier, adminUserID int64, t models.TutorTargets) error {
	if err := TutorDelete(ctx, q, adminUserID); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `insert into tutor_progress (admin_user_id, guide_id, endpoint_id) values ($1, nullif($2::bigint, 0), nullif($3::bigint, 0))`,
		adminUserID, t.GuideID, t.EndpointID)
}

// TutorDelete forgets the progress of an administrator.
func TutorDelete(ctx context.Context, q db.Querier, adminUserID int64) error {
	return collect.Execute(ctx, q, `delete from tutor_progress where admin_user_id = $1`, adminUserID)
}

// TutorMark notes that an administrator opened the practice product ("found"), looked at
// a draft ("previewed") or at what is live ("seen").
func TutorMark(ctx context.Context, q db.Querier, adminUserID int64, mark string) error {
	return collect.Execute(ctx, q, `
		update tutor_progress set used_at = now(),
			found_at = case when $2 = 'found' then coalesce(found_at, now()) else found_at end,
			previewed_at = case when $2 = 'previewed' then coalesce(previewed_at, now()) else previewed_at end,
			seen_at = case when $2 = 'seen' then coalesce(seen_at, now()) else seen_at end
		where admin_user_id = $1`, adminUserID, mark)
}

// TutorUpdateSkipped skips a step.
func TutorUpdateSkipped(ctx context.Context, q db.Querier, adminUserID int64, step string) error {
	return collect.Execute(ctx, q, `update tutor_progress set skipped = array_append(array_remove(skipped, $2), $2), used_at = now() where admin_user_id = $1`, adminUserID, step)
}

// TutorUpdatePaused puts the tutor away, or takes it out again.
func TutorUpdatePaused(ctx context.Context, q db.Querier, adminUserID int64, paused bool) error {
	return collect.Execute(ctx, q, `update tutor_progress set paused = $2, used_at = now() where admin_user_id = $1`, adminUserID, paused)
}
