package editorial_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// rebased rebases a change set without choices.
func (d *desk) rebased(set int64) {
	d.Helper()
	_, err := editorial.Rebase(d.Context(), d.db, d.ada, set, editorial.Choices{})
	d.ok(err)
}

func (d *desk) changes(set int64) []models.Change {
	d.Helper()
	changes, err := queries.ChangeSetItemList(d.Context(), d.db, set)
	d.ok(err)
	return changes
}

// diverged is what a rebase of a change set has to merge.
func (d *desk) diverged(set int64) editorial.Divergence {
	d.Helper()
	found, err := editorial.Diverge(d.Context(), d.db, d.changes(set))
	d.ok(err)
	return found
}

// Fields that only one side changed merge by themselves.
func TestRebaseMerges(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.approved("Mine.") // from "Begin."
	d.publishBehind(d.guide, guideText("Their title", "Begin."))
	d.refused(editorial.Publish(ctx, d.db, d.ben, set, false), fault.Conflict, "outdated")
	d.rebased(set)
	d.wantState(set, editorial.StateInReview) // the whole is not what was approved
	d.ok(editorial.Approve(ctx, d.db, d.ben, set, d.hash(set)))
	d.ok(editorial.Publish(ctx, d.db, d.ben, set, false))
	if diff := cmp.Diff(string(guideText("Their title", "Mine.")), string(d.live(d.guide))); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	other := d.approved("Again.")
	d.rebased(other) // nothing moved
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
	_, err := editorial.Rebase(ctx, d.db, d.ada, set, editorial.Choices{})
	d.refused(err, fault.Conflict, "overlap")
	found := d.diverged(set)
	if len(found.Items) != 1 || len(found.Items[0].Merge.Overlaps) != 1 {
		t.Fatalf("diverged: %+v", found)
	}
	theirs, mine := json.RawMessage(`"Theirs."`), json.RawMessage(`"Mine."`)
	want := editorial.Overlap{Field: "text", Base: json.RawMessage(`"Begin."`), Theirs: theirs, Mine: mine, WithTheirs: theirs, WithMine: mine}
	if diff := cmp.Diff(want, found.Items[0].Merge.Overlaps[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.item(d.guide) != before {
		t.Error("the item moved")
	}
	d.wantState(set, editorial.StateApproved)
	choices := editorial.Choices{Seen: found.Seen, Values: map[int64]map[string]json.RawMessage{d.guide: {"text": json.RawMessage(`"Both."`)}}}
	d.publishBehind(d.guide, guideText("Their next title", "Theirs."))
	_, err = editorial.Rebase(ctx, d.db, d.ada, set, choices)
	d.refused(err, fault.Conflict, "changed")
	choices.Seen = d.diverged(set).Seen
	done, err := editorial.Rebase(ctx, d.db, d.ada, set, choices)
	d.ok(err)
	if want := (editorial.Rebased{Taken: 1, Chosen: 1}); done != want {
		t.Errorf("the outcome is %+v, want %+v", done, want)
	}
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	if got := string(d.live(d.guide)); got != string(guideText("Their next title", "Both.")) {
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
	d.rebased(set)
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.Publish(ctx, d.db, d.ben, set, false))

	d.ok(editorial.Archive(ctx, d.db, d.ada, 0, d.guide))
	archive := int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.publishBehind(d.guide, guideText("Begin here", "Theirs."))
	d.refused(editorial.Publish(ctx, d.db, d.boss, archive, true), fault.Conflict, "outdated")
	d.rebased(archive)
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

// Paragraphs that different people changed merge within their field, and an approval
// is for exact bytes.
func TestRebaseJoinsWithinFields(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	d.publishBehind(d.guide, guideText("Begin here", "One.\n\nTwo."))
	set := d.approved("One.\n\nSecond.")
	d.publishBehind(d.guide, guideText("Begin here", "First.\n\nTwo."))
	done, err := editorial.Rebase(ctx, d.db, d.ada, set, editorial.Choices{})
	d.ok(err)
	if want := (editorial.Rebased{Joined: 1}); done != want {
		t.Errorf("the outcome is %+v, want %+v", done, want)
	}
	d.wantState(set, editorial.StateInReview)
	if got := string(d.changes(set)[0].Content); got != string(guideText("Begin here", "First.\n\nSecond.")) {
		t.Errorf("merged: %s", got)
	}
}

// Parameters that different people changed merge within an operation, which keeps
// its order and what nobody knows.
func TestRebaseJoinsOperations(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	operation := func(limit, after string) json.RawMessage {
		return json.RawMessage(`{"name":"Get a","method":"GET","path":"/a","order":1,"raw":{"x-first":[1,2],"parameters":[{"name":"limit","in":"query","schema":` + limit + `},{"name":"after","in":"query","schema":` + after + `}],"responses":{"200":{"description":"<ok>"}}}}`)
	}
	d.publishBehind(d.getA, operation(`{"type":"integer"}`, `{"type":"string"}`))
	saved := d.save(d.ada, d.getA, operation(`{"type":"integer","maximum":9}`, `{"type":"string"}`))
	d.publishBehind(d.getA, operation(`{"type":"integer"}`, `{"type":"string","maxLength":20}`))
	done, err := editorial.Rebase(ctx, d.db, d.ada, saved.ChangeSetID, editorial.Choices{})
	d.ok(err)
	if want := (editorial.Rebased{Joined: 1}); done != want {
		t.Errorf("the outcome is %+v, want %+v", done, want)
	}
	var got, want any
	d.ok(json.Unmarshal(d.changes(saved.ChangeSetID)[0].Content, &got))
	d.ok(json.Unmarshal(operation(`{"type":"integer","maximum":9}`, `{"type":"string","maxLength":20}`), &want))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}
