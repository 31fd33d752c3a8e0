package editorial_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

// Viewers and Editors of other products change nothing.
func TestWhoMayEdit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.approved("Better.")
	for _, actor := range []editorial.Actor{d.viewer, d.other, {}, {ID: 0, Name: "nobody", Role: "editor"}} {
		for name, err := range map[string]error{
			"save":    second(editorial.Save(t.Context(), d.db, actor, editorial.Edit{ItemID: d.getA, Content: d.live(d.postB), Base: d.item(d.getA).Head()})),
			"open":    second(editorial.Open(t.Context(), d.db, actor, d.product, "Mine")),
			"archive": editorial.Archive(t.Context(), d.db, actor, 0, d.getA),
			"publish": editorial.Publish(t.Context(), d.db, actor, set, false),
			"comment": editorial.Comment(t.Context(), d.db, actor, set, "Hm."),
			"cancel":  editorial.Cancel(t.Context(), d.db, actor, set),
			"remove":  editorial.Remove(t.Context(), d.db, actor, set, d.guide),
			"split":   second(editorial.Split(t.Context(), d.db, actor, set, []int64{d.guide})),
			"rebase":  second(editorial.Rebase(t.Context(), d.db, actor, set, editorial.Choices{})),
			"trash":   editorial.Trash(t.Context(), d.db, actor, d.getA),
			"restore": second(editorial.Restore(t.Context(), d.db, actor, d.item(d.getA).LiveRevisionID, d.item(d.getA).LiveRevisionID)),
			"revert":  second(editorial.Revert(t.Context(), d.db, actor, int64(d.count(`select max(id) from releases`)))),
		} {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s by %s: %v, want Forbidden", name, actor.Name, err)
			}
		}
	}
	d.wantState(set, editorial.StateApproved)
}

func second[T any](_ T, err error) error { return err }

func TestReview(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.save(d.ada, d.guide, guideText("Begin here", "One.")).ChangeSetID
	d.refused(editorial.Submit(ctx, d.db, d.ada, set, "  "), fault.Invalid, "")
	d.refused(editorial.Submit(ctx, d.db, d.ada, set, strings.Repeat("x", 2001)), fault.Invalid, "")
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, " A better start "))
	if got := d.set(set); got.Summary != "A better start" || got.AuthorName != "Ada" {
		t.Errorf("submitted: %+v", got)
	}
	d.refused(editorial.RequestChanges(ctx, d.db, d.ben, set, ""), fault.Invalid, "")
	d.ok(editorial.Comment(ctx, d.db, d.ben, set, "Nearly."))
	d.ok(editorial.RequestChanges(ctx, d.db, d.ben, set, "Say how."))
	d.wantState(set, editorial.StateChangesRequested)
	d.save(d.ada, d.guide, guideText("Begin here", "Like so."))
	d.wantState(set, editorial.StateChangesRequested)
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, "A better start"))
	d.refused(editorial.Approve(ctx, d.db, d.ada, set, d.hash(set)), fault.Forbidden, "")
	d.refused(editorial.Approve(ctx, d.db, d.ben, set, []byte("another")), fault.Conflict, "changed")
	d.ok(editorial.Approve(ctx, d.db, d.ben, set, d.hash(set)))
	d.wantState(set, editorial.StateApproved)
	reviews, err := queries.ReviewList(ctx, d.db, set)
	d.ok(err)
	var said []string
	for _, r := range reviews {
		said = append(said, r.ReviewerName+": "+r.Verdict+" "+r.Reason)
	}
	if got := strings.Join(said, "; "); got != "Ben: comment Nearly.; Ben: changes_requested Say how.; Ben: approved " {
		t.Errorf("said: %s", got)
	}
	d.ok(editorial.Publish(ctx, d.db, d.ada, set, false))
	if !strings.Contains(string(d.live(d.guide)), "Like so.") || d.item(d.guide).DraftRevisionID != 0 {
		t.Error("what was approved is not public")
	}
	for name, err := range map[string]error{
		"submit": editorial.Submit(ctx, d.db, d.ada, set, "x"), "comment": editorial.Comment(ctx, d.db, d.ben, set, "x"), "reject": editorial.Reject(ctx, d.db, d.ben, set, "x"),
		"withdraw": editorial.Withdraw(ctx, d.db, d.ada, set), "publish": editorial.Publish(ctx, d.db, d.ada, set, false), "override": editorial.Publish(ctx, d.db, d.boss, set, true),
	} {
		if f := fault.As(err); f == nil || f.Code != "wrong_state" {
			t.Errorf("%s of what is published: %v", name, err)
		}
	}
	d.refused(editorial.Comment(ctx, d.db, d.ben, 1<<40, "x"), fault.NotFound, "")
}

// An approval is of exact contents: an edit makes it stale, saving the same does
// not, and going back to what was approved makes it hold again.
func TestApprovalIsBoundToContent(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.approved("Better.")
	d.save(d.ada, d.guide, guideText("Begin here", "Better."))
	d.wantState(set, editorial.StateApproved)
	d.save(d.ada, d.guide, guideText("Begin here", "Worse."))
	d.wantState(set, editorial.StateInReview)
	d.refused(editorial.Publish(t.Context(), d.db, d.ben, set, false), fault.Conflict, "wrong_state")
	d.save(d.ada, d.guide, guideText("Begin here", "Better."))
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.Archive(t.Context(), d.db, d.ada, set, d.getA))
	d.wantState(set, editorial.StateInReview)
	d.ok(editorial.Remove(t.Context(), d.db, d.ada, set, d.getA))
	d.wantState(set, editorial.StateApproved)
	// Whatever moved the content behind the rules, it is not published.
	d.exec(`update change_set_items set revision_id = (select min(id) from revisions r where r.item_id = change_set_items.item_id and number = 3) where change_set_id = $1`, set)
	d.refused(editorial.Publish(t.Context(), d.db, d.ben, set, false), fault.Conflict, "approval_stale")
	d.refused(editorial.Publish(t.Context(), d.db, d.ben, set, true), fault.Forbidden, "")
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	if n := d.count(`select count(*) from audit_entries where action = 'release.publish' and actor = $1 and details->>'override' = 'false'`, d.boss.Name); n != 1 {
		t.Errorf("%d entries of the release", n)
	}
}

func TestOverrideIsAudited(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "One.")).ChangeSetID
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	if n := d.count(`select count(*) from audit_entries where action = 'release.publish' and actor = $1 and details->>'override' = 'true' and details->>'from' = 'draft'`, d.boss.Name); n != 1 {
		t.Errorf("%d entries of the override", n)
	}
}

// A later request for changes takes an approval back, a comment does not.
func TestLastVerdictCounts(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.approved("Better.")
	d.ok(editorial.Comment(t.Context(), d.db, d.ben, set, "Good."))
	d.save(d.ada, d.guide, guideText("Begin here", "Other."))
	d.save(d.ada, d.guide, guideText("Begin here", "Better."))
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.RequestChanges(t.Context(), d.db, d.ben, set, "No, wait."))
	d.ok(editorial.Submit(t.Context(), d.db, d.ada, set, "Again"))
	d.save(d.ada, d.guide, guideText("Begin here", "Other."))
	d.save(d.ada, d.guide, guideText("Begin here", "Better."))
	d.wantState(set, editorial.StateInReview)
}

func TestRejectAndWithdraw(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.approved("Better.")
	d.ok(editorial.Withdraw(t.Context(), d.db, d.ada, set))
	d.wantState(set, editorial.StateDraft)
	d.ok(editorial.Submit(t.Context(), d.db, d.ada, set, "Again"))
	d.refused(editorial.Reject(t.Context(), d.db, d.ben, set, " "), fault.Invalid, "")
	d.ok(editorial.Reject(t.Context(), d.db, d.ben, set, "Not now."))
	d.wantState(set, editorial.StateRejected)
	if d.item(d.guide).DraftRevisionID != 0 || d.count(`select count(*) from revisions where item_id = $1`, d.guide) != 2 {
		t.Error("the item is not free, or its revision is gone")
	}
	next := d.save(d.ben, d.guide, guideText("Ben's", "."))
	if next.ChangeSetID == set {
		t.Error("a rejected change set is filled again")
	}
}

// Two items in one change set: one is taken out and published alone.
func TestSplit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "Better.")).ChangeSetID
	d.ok(editorial.Archive(t.Context(), d.db, d.ada, set, d.postB))
	d.ok(editorial.Submit(t.Context(), d.db, d.ada, set, "Both"))
	d.ok(editorial.Approve(t.Context(), d.db, d.ben, set, d.hash(set)))
	for _, ids := range [][]int64{nil, {d.guide, d.postB}} {
		_, err := editorial.Split(t.Context(), d.db, d.ada, set, ids)
		d.refused(err, fault.Invalid, "")
	}
	_, err := editorial.Split(t.Context(), d.db, d.ada, set, []int64{d.getA})
	d.refused(err, fault.NotFound, "")
	part, err := editorial.Split(t.Context(), d.db, d.ada, set, []int64{d.postB})
	d.ok(err)
	d.wantState(part, editorial.StateDraft)
	d.wantState(set, editorial.StateInReview)
	d.ok(editorial.Approve(t.Context(), d.db, d.ben, set, d.hash(set)))
	d.ok(editorial.Publish(t.Context(), d.db, d.ben, set, false))
	if !strings.Contains(string(d.live(d.guide)), "Better.") || d.item(d.postB).Archived {
		t.Error("not exactly what stayed was published")
	}
	d.accept(part)
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, part, true))
	if !d.item(d.postB).Archived {
		t.Error("what was split off was not published")
	}
}

// A published setting of the product lets authors approve their own changes. When it
// is taken back, such an approval counts no more.
func TestOwnApproval(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	permit := func(own bool) {
		d.ok(editorial.Publish(ctx, d.db, d.boss, d.save(d.boss, d.product, json.RawMessage(fmt.Sprintf(`{"name":"Letters","own_approval":%t}`, own))).ChangeSetID, true))
	}
	set := d.save(d.ada, d.guide, guideText("Begin here", "Alone.")).ChangeSetID
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, "Alone"))
	d.refused(editorial.Approve(ctx, d.db, d.ada, set, d.hash(set)), fault.Forbidden, "")
	permit(true)
	d.ok(editorial.Approve(ctx, d.db, d.ada, set, d.hash(set)))
	permit(false)
	d.refused(editorial.Publish(ctx, d.db, d.ada, set, false), fault.Conflict, "approval_stale")
	permit(true)
	d.ok(editorial.Publish(ctx, d.db, d.ada, set, false))
	if !strings.Contains(string(d.live(d.guide)), "Alone.") {
		t.Error("the change is not public")
	}
}
