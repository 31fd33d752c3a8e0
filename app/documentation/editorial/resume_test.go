package editorial_test

import (
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
)

// What was rejected can be drafted once more by somebody else, based on what it was
// written on.
func TestResume(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.approved("Mine.")
	d.save(d.ada, d.getA, d.live(d.postB))
	d.ok(editorial.Archive(ctx, d.db, d.ada, set, d.postB))
	_, err := editorial.Resume(ctx, d.db, d.ben, set)
	d.refused(err, fault.Conflict, "wrong_state")
	d.ok(editorial.Reject(ctx, d.db, d.ben, set, "Not now."))
	closed := d.changes(set)
	_, err = editorial.Resume(ctx, d.db, d.other, set)
	d.refused(err, fault.Forbidden, "")

	d.publishBehind(d.guide, guideText("Their title", "Begin."))
	id, err := editorial.Resume(ctx, d.db, d.ben, set)
	d.ok(err)
	d.wantState(id, editorial.StateDraft)
	d.wantState(set, editorial.StateRejected)
	now := d.changes(id)
	if len(now) != len(closed) || d.set(id).AuthorID != d.ben.ID {
		t.Fatalf("%d changes, want %d", len(now), len(closed))
	}
	for n, c := range now {
		if c.Item.ID != closed[n].Item.ID || c.Action != closed[n].Action || c.Action == "update" && (string(c.Content) != string(closed[n].Content) || c.AuthorID != d.ben.ID) {
			t.Errorf("it continues %+v with %+v", closed[n], c)
		}
	}
	d.refused(editorial.Publish(ctx, d.db, d.boss, id, true), fault.Conflict, "outdated")
	_, err = editorial.Rebase(ctx, d.db, d.ben, id, editorial.Choices{})
	d.ok(err)
	if got := string(d.changes(id)[indexOf(d, id)].Content); got != string(guideText("Their title", "Mine.")) {
		t.Errorf("rebased it is %s", got)
	}
	_, err = editorial.Resume(ctx, d.db, d.ada, set)
	d.refused(err, fault.Conflict, "draft_exists")
}

// indexOf finds the guide among the changes of a change set.
func indexOf(d *desk, set int64) int {
	for n, c := range d.changes(set) {
		if c.Item.ID == d.guide {
			return n
		}
	}
	return 0
}
