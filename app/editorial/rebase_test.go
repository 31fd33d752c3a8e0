package editorial_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/db/queries"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Fields that only one side changed merge by themselves.
func TestRebaseMerges(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.approved("Mine.") // from "Begin."
	d.publishBehind(d.guide, guideText("Their title", "Begin."))
	d.refused(editorial.Publish(ctx, d.db, d.ben, set, false), fault.Conflict, "outdated")
	d.ok(editorial.Rebase(ctx, d.db, d.ada, set, nil))
	d.wantState(set, editorial.StateInReview) // the whole is not what was approved
	d.ok(editorial.Approve(ctx, d.db, d.ben, set, d.hash(set)))
	d.ok(editorial.Publish(ctx, d.db, d.ben, set, false))
	if diff := cmp.Diff(string(guideText("Their title", "Mine.")), string(d.live(d.guide))); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	other := d.approved("Again.")
	d.ok(editorial.Rebase(ctx, d.db, d.ada, other, nil)) // nothing moved
	d.wantState(other, editorial.StateApproved)
}

// A field that both changed needs a decision, and until then nothing happens.
func TestRebaseOverlaps(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.approved("Mine.")
	d.publishBehind(d.guide, guideText("Their title", "Theirs."))
	before := d.item(d.guide)
	err := editorial.Rebase(ctx, d.db, d.ada, set, nil)
	d.refused(err, fault.Conflict, "overlap")
	var overlaps *editorial.Overlaps
	if !errors.As(err, &overlaps) || len(overlaps.Items[d.guide]) != 1 {
		t.Fatalf("overlaps: %+v", overlaps)
	}
	want := editorial.Overlap{Field: "text", Base: json.RawMessage(`"Begin."`), Theirs: json.RawMessage(`"Theirs."`), Mine: json.RawMessage(`"Mine."`)}
	if diff := cmp.Diff(want, overlaps.Items[d.guide][0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.item(d.guide) != before {
		t.Error("the item moved")
	}
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.Rebase(ctx, d.db, d.ada, set, editorial.Choices{d.guide: {"text": json.RawMessage(`"Both."`)}}))
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	if got := string(d.live(d.guide)); got != string(guideText("Their title", "Both.")) {
		t.Errorf("resolved: %s", got)
	}
}

// An archive follows what is live; a merge that gives what was approved keeps
// the approval.
func TestRebaseKeepsWhatWasApproved(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.approved("Mine.")
	d.publishBehind(d.guide, guideText("Begin here", "Mine."))
	d.ok(editorial.Rebase(ctx, d.db, d.ada, set, nil))
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.Publish(ctx, d.db, d.ben, set, false))

	d.ok(editorial.Archive(ctx, d.db, d.ada, 0, d.guide))
	archive := int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.publishBehind(d.guide, guideText("Begin here", "Theirs."))
	d.refused(editorial.Publish(ctx, d.db, d.boss, archive, true), fault.Conflict, "outdated")
	d.ok(editorial.Rebase(ctx, d.db, d.ada, archive, nil))
	d.ok(editorial.Publish(ctx, d.db, d.boss, archive, true))
	if !d.item(d.guide).Archived {
		t.Error("the guide is not archived")
	}
}

func TestRestore(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	first := d.item(d.guide).LiveRevisionID
	d.ok(editorial.Publish(ctx, d.db, d.ben, d.approved("Second."), false))
	second := d.item(d.guide).LiveRevisionID
	_, err := editorial.Restore(ctx, d.db, d.ada, first, second)
	d.refused(err, fault.Forbidden, "")
	_, err = editorial.Restore(ctx, d.db, d.boss, 1<<40, second)
	d.refused(err, fault.NotFound, "")
	_, err = editorial.Restore(ctx, d.db, d.boss, first, first)
	if err != nil { // what is restored is not the head: the history moved on
		d.refused(err, fault.Conflict, "stale")
	}
	saved, err := editorial.Restore(ctx, d.db, d.boss, first, second)
	d.ok(err)
	r, err := queries.RevisionGet(ctx, d.db, saved.Item.DraftRevisionID)
	d.ok(err)
	if r.Number != 3 || r.RestoredFromID != first || r.Origin != "restore" || r.BaseID != second || r.AuthorID != d.boss.ID {
		t.Errorf("restored: %+v", r)
	}
	if d.item(d.guide).LiveRevisionID != second {
		t.Error("restoring publishes")
	}
	d.ok(editorial.Publish(ctx, d.db, d.boss, saved.ChangeSetID, true))
	want, err := queries.RevisionGet(ctx, d.db, first)
	d.ok(err)
	if string(d.live(d.guide)) != string(want.Content) || d.count(`select count(*) from revisions where item_id = $1`, d.guide) != 3 {
		t.Error("the restored content is not public, or the history was rewritten")
	}
}

// Reverting a release takes back what it changed, added and left out, with a
// release of its own.
func TestRevert(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	im := importOf(t, document, `"/b":{"post"`, `"/c":{"put"`, "postB", "putC", "Get a", "Get the letter")
	set, err := editorial.Draft(ctx, d.db, d.ada, im)
	d.ok(err)
	d.accept(set)
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	release := int64(d.count(`select max(id) from releases where scope_id = $1`, d.version))
	putC := d.find("endpoint", "put-c")
	mine := d.save(d.ada, d.getA, json.RawMessage(`{"name":"Mine","method":"GET","path":"/a","raw":{}}`))

	_, err = editorial.Revert(ctx, d.db, d.ada, release)
	d.refused(err, fault.Forbidden, "")
	_, err = editorial.Revert(ctx, d.db, d.boss, int64(d.count(`select min(id) from releases where scope_id = $1`, d.version)))
	d.refused(err, fault.Conflict, "")
	_, err = editorial.Revert(ctx, d.db, d.boss, 1<<40)
	d.refused(err, fault.NotFound, "")
	reverted, err := editorial.Revert(ctx, d.db, d.boss, release)
	d.ok(err)
	d.wantState(reverted, editorial.StatePublished)
	if !d.item(d.postB).Public() || d.item(putC).Public() {
		t.Error("what the release left out does not come back, or what it added stays")
	}
	var e struct{ Name string }
	if d.ok(json.Unmarshal(d.live(d.getA), &e)); e.Name != "Get a" {
		t.Errorf("the name is %q again", e.Name)
	}
	if n := d.count(`select count(*) from releases where scope_id = $1`, d.version); n != 3 {
		t.Errorf("%d releases, want 3", n)
	}
	if d.count(`select count(*) from search_rows where url = '/docs/letters/1.0/post-b'`) != 1 || d.count(`select count(*) from search_rows where url like '%/put-c%'`) != 0 {
		t.Error("the index does not follow")
	}
	if got := d.item(d.getA); got.DraftRevisionID != mine.Item.DraftRevisionID {
		t.Error("the draft of somebody else is gone")
	}
	d.refused(editorial.Publish(ctx, d.db, d.boss, mine.ChangeSetID, true), fault.Conflict, "outdated")
	_, err = editorial.Revert(ctx, d.db, d.boss, release)
	d.refused(err, fault.Conflict, "outdated")
}
