package editorial_test

import (
	"encoding/json"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// threads describes the threads of a change set: who said what, and the state of
// each.
func (d *desk) threads(set int64) string {
	d.Helper()
	changes, err := queries.ChangeSetItemList(d.Context(), d.db, set)
	d.ok(err)
	list, err := editorial.Threads(d.Context(), d.db, set, changes)
	d.ok(err)
	var lines []string
	for _, t := range list {
		line := t.Field + "[" + t.Excerpt + "]"
		for _, c := range t.Comments {
			line += " " + c.AuthorName + ": " + c.Text
		}
		if !t.IsOpen() {
			line += " (resolved by " + t.ResolvedByName + ")"
		}
		if t.Outdated {
			line += " (outdated)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func (d *desk) wantThreads(set int64, want string) {
	d.Helper()
	if got := d.threads(set); got != want {
		d.Errorf("threads:\n got %s\nwant %s", got, want)
	}
}

// head is the revision of an item that a reviewer sees.
func (d *desk) head(id int64) int64 { return d.item(id).Head() }

func (d *desk) thread(actor editorial.Actor, set int64, about editorial.Subject, text string) int64 {
	d.Helper()
	id, err := editorial.OpenThread(d.Context(), d.db, actor, set, about, text)
	d.ok(err)
	return id
}

func TestThreads(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.save(d.ada, d.guide, guideText("Begin here", "One.\n\nTwo.\n\nThree.")).ChangeSetID
	whole := d.thread(d.ben, set, editorial.Subject{ItemID: d.guide}, "Where is the **end**?")
	title := d.thread(d.ben, set, editorial.Subject{ItemID: d.guide, Field: "title", RevisionID: d.head(d.guide)}, "Too short.")
	d.thread(d.ben, set, editorial.Subject{ItemID: d.guide, Field: "text", RevisionID: d.head(d.guide), From: 3, To: 5}, "Both?")
	d.wantThreads(set, "[] Ben: Where is the **end**?; title[] Ben: Too short.; text[Two.\n\nThree.] Ben: Both?")

	d.ok(editorial.Reply(ctx, d.db, d.ada, whole, " Below. "))
	d.ok(editorial.ResolveThread(ctx, d.db, d.ada, whole))
	d.refused(editorial.ResolveThread(ctx, d.db, d.ben, whole), fault.Conflict, "")
	d.save(d.ada, d.guide, guideText("Begin with a letter", "Zero.\n\nOne.\n\nTwo.\n\nThree."))
	d.wantThreads(set, "[] Ben: Where is the **end**? Ada: Below. (resolved by Ada); title[] Ben: Too short. (outdated); text[Two.\n\nThree.] Ben: Both?")
	d.ok(editorial.ReopenThread(ctx, d.db, d.ben, whole))
	d.refused(editorial.ReopenThread(ctx, d.db, d.ben, whole), fault.Conflict, "")
	d.save(d.ada, d.guide, guideText("Begin here", "Two.\n\nAnd three."))
	d.wantThreads(set, "[] Ben: Where is the **end**? Ada: Below.; title[] Ben: Too short.; text[Two.\n\nThree.] Ben: Both? (outdated)")
	if n := d.count(`select count(*) from audit_entries where target = $1 and action in ('change_set.thread', 'change_set.reply', 'change_set.resolve', 'change_set.reopen')`, "change_set:"+itoa(set)); n != 6 {
		t.Errorf("the audit has %d entries of threads, want 6", n)
	}

	d.refused(second(editorial.OpenThread(ctx, d.db, d.ben, set, editorial.Subject{ItemID: d.guide}, " ")), fault.Invalid, "")
	d.refused(second(editorial.OpenThread(ctx, d.db, d.ben, set, editorial.Subject{ItemID: d.getA}, "x")), fault.NotFound, "")
	d.refused(second(editorial.OpenThread(ctx, d.db, d.ben, set, editorial.Subject{ItemID: d.guide, Field: "purpose", RevisionID: d.head(d.guide)}, "x")), fault.Invalid, "")
	d.refused(second(editorial.OpenThread(ctx, d.db, d.ben, set, editorial.Subject{ItemID: d.guide, Field: "text", RevisionID: d.head(d.getA)}, "x")), fault.Conflict, "changed")
	d.refused(second(editorial.OpenThread(ctx, d.db, d.ben, set, editorial.Subject{ItemID: d.guide, Field: "text", RevisionID: d.head(d.guide), From: 2, To: 9}, "x")), fault.Invalid, "")
	d.refused(editorial.Reply(ctx, d.db, d.ben, title, ""), fault.Invalid, "")
	d.refused(editorial.Reply(ctx, d.db, d.ben, 0, "x"), fault.NotFound, "")
	for _, actor := range []editorial.Actor{d.viewer, d.other, editorial.System} {
		d.refused(second(editorial.OpenThread(ctx, d.db, actor, set, editorial.Subject{ItemID: d.guide}, "x")), fault.Forbidden, "")
		d.refused(editorial.Reply(ctx, d.db, actor, title, "x"), fault.Forbidden, "")
		d.refused(editorial.ResolveThread(ctx, d.db, actor, title), fault.Forbidden, "")
	}
}

// A request for changes is answered before the change set is submitted again.
func TestResubmitNeedsAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.save(d.ada, d.guide, guideText("Begin here", "One.")).ChangeSetID
	d.thread(d.ada, set, editorial.Subject{ItemID: d.guide}, "I know of no better title.")
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, "A better start"))
	first := d.thread(d.ben, set, editorial.Subject{ItemID: d.guide}, "Why?")
	other := d.thread(d.boss, set, editorial.Subject{ItemID: d.guide, Field: "text", RevisionID: d.head(d.guide)}, "Longer.")
	d.ok(editorial.RequestChanges(ctx, d.db, d.ben, set, "See the comments."))
	d.refused(editorial.Submit(ctx, d.db, d.ada, set, "Again"), fault.Conflict, "unanswered")
	d.ok(editorial.ResolveThread(ctx, d.db, d.ada, first))
	d.refused(editorial.Submit(ctx, d.db, d.ada, set, "Again"), fault.Conflict, "unanswered")
	d.ok(editorial.Reply(ctx, d.db, d.ada, other, "It is long enough."))
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, "Again"))
	d.ok(editorial.Approve(ctx, d.db, d.ben, set, d.hash(set)))
	d.ok(editorial.Publish(ctx, d.db, d.ada, set, false))
	d.refused(editorial.Reply(ctx, d.db, d.ben, other, "Well."), fault.Conflict, "wrong_state")
	d.refused(editorial.ReopenThread(ctx, d.db, d.ben, first), fault.Conflict, "wrong_state")
}

// Threads stay with their item: through a rebase, when it is split off, and when it
// is taken out and put back.
func TestThreadsFollowTheirItem(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	set := d.save(d.ada, d.guide, guideText("Begin here", "Mine.")).ChangeSetID
	var endpoint content.Endpoint
	d.ok(json.Unmarshal(d.live(d.getA), &endpoint))
	endpoint.Name = "Read a letter"
	raw, err := json.Marshal(endpoint)
	d.ok(err)
	d.save(d.ada, d.getA, raw)
	d.thread(d.ben, set, editorial.Subject{ItemID: d.guide, Field: "text", RevisionID: d.head(d.guide)}, "Good.")
	d.thread(d.ben, set, editorial.Subject{ItemID: d.getA, Field: "name", RevisionID: d.head(d.getA)}, "Which?")

	d.publishBehind(d.guide, guideText("Their title", "Begin."))
	d.rebased(set)
	d.wantThreads(set, "text[] Ben: Good.; name[] Ben: Which?")

	into, err := editorial.Split(ctx, d.db, d.ada, set, []int64{d.getA})
	d.ok(err)
	d.wantThreads(set, "text[] Ben: Good.")
	d.wantThreads(into, "name[] Ben: Which?")

	entries, err := queries.ChangeSetEntryList(ctx, d.db, models.ChangeSetFilter{State: "open", Product: d.product, Limit: 9})
	d.ok(err)
	if len(entries) != 2 || entries[0].Threads != 1 || entries[1].Threads != 1 {
		t.Errorf("the list counts %+v", entries)
	}
	d.ok(editorial.Remove(ctx, d.db, d.ada, set, d.guide))
	d.wantThreads(set, "")
}
