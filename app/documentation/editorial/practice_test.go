package editorial_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/tutor"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// Practice changes nothing elsewhere: the owner of a practice product approves nothing of
// their own on another product, and the database keeps no review without a reviewer there.
func TestPracticeIsApprovedOnPracticeAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	for _, actor := range []editorial.Actor{d.ada, d.boss} {
		d.ok(tutor.Start(ctx, d.db, actor))
	}
	set := d.save(d.ada, d.guide, guideText("Begin here", "Alone.")).ChangeSetID
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, "Alone"))
	var state string
	if err := d.db.QueryRow(ctx, `select state from change_sets where id = $1`, set).Scan(&state); err != nil || state != editorial.StateInReview {
		t.Errorf("a change set of another product is %s after it was submitted, %v", state, err)
	}
	d.refused(editorial.Approve(ctx, d.db, d.ada, set, d.hash(set)), fault.Forbidden, "")
	own := d.save(d.boss, d.product, []byte(`{"name":"Letters again"}`)).ChangeSetID
	d.ok(editorial.Submit(ctx, d.db, d.boss, own, "Alone"))
	d.refused(editorial.Approve(ctx, d.db, d.boss, own, d.hash(own)), fault.Forbidden, "")
	for _, sql := range []string{
		`insert into reviews (change_set_id, verdict, content_hash) values ($1, 'approved', sha256('x'))`,
		`with t as (insert into review_threads (change_set_id, item_id) select $1, min(item_id) from change_set_items where change_set_id = $1 returning id)
			insert into review_comments (thread_id, text) select id, 'x' from t`,
	} {
		err := db.InTx(ctx, d.db, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, sql, set)
			return err
		})
		if err == nil {
			t.Errorf("a reviewer is played on another product: %s", sql)
		}
	}

	// Practice of one is closed to the others.
	var guide int64
	if err := d.db.QueryRow(ctx, `select guide_id from tutor_progress where admin_user_id = $1`, d.ada.ID).Scan(&guide); err != nil {
		t.Fatal(err)
	}
	for _, other := range []editorial.Actor{d.ben, d.boss} {
		_, err := editorial.Save(ctx, d.db, other, editorial.Edit{ItemID: guide, Content: guideText("Begin here", "Mine.")})
		d.refused(err, fault.Forbidden, "")
	}
}
