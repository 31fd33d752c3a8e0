package editorial_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/jobs/args"
)

// queue keeps what is inserted.
type queue struct {
	args.Inserter
	jobs  []args.PublishScheduled
	times []time.Time
}

func (q *queue) InsertTx(_ context.Context, _ pgx.Tx, job river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	q.jobs, q.times = append(q.jobs, job.(args.PublishScheduled)), append(q.times, opts.ScheduledAt)
	return nil, nil
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newScheduler(d *desk) (*editorial.Scheduler, *queue) {
	q := &queue{}
	return &editorial.Scheduler{DB: d.db, Jobs: q, Now: func() time.Time { return noon }}, q
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	s, q := newScheduler(d)
	set := d.approved("Better.")
	for _, at := range []time.Time{{}, noon, noon.Add(-time.Hour), noon.AddDate(2, 0, 0)} {
		d.refused(s.Schedule(ctx, d.ben, set, at), fault.Invalid, "")
	}
	one, two := noon.Add(time.Hour), noon.Add(2*time.Hour)
	d.ok(s.Schedule(ctx, d.ben, set, one))
	if got := d.set(set); got.State != editorial.StateScheduled || !got.ScheduledFor.Equal(one) || got.ScheduledBy != d.ben.ID {
		t.Fatalf("scheduled: %+v", got)
	}
	d.ok(s.Schedule(ctx, d.ben, set, two))
	if len(q.jobs) != 2 || !q.times[0].Equal(one) || !q.times[1].Equal(two) || q.jobs[1] != (args.PublishScheduled{ChangeSetID: set, At: two}) {
		t.Fatalf("jobs: %+v at %v", q.jobs, q.times)
	}
	d.ok(editorial.PublishDue(ctx, d.db, set, one)) // given another time since
	d.wantState(set, editorial.StateScheduled)
	d.ok(editorial.Cancel(ctx, d.db, d.ada, set))
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.PublishDue(ctx, d.db, set, two))
	d.wantState(set, editorial.StateApproved)
	d.ok(s.Schedule(ctx, d.ben, set, two))
	d.ok(editorial.PublishDue(ctx, d.db, set, two))
	d.wantState(set, editorial.StatePublished)
	d.ok(editorial.PublishDue(ctx, d.db, set, two))
	d.ok(editorial.PublishDue(ctx, d.db, 1<<40, two))
	if !strings.Contains(string(d.live(d.guide)), "Better.") {
		t.Error("what was due is not public")
	}
	if n := d.count(`select count(*) from releases where change_set_id = $1 and published_by = $2`, set, d.ben.ID); n != 1 {
		t.Errorf("%d releases in the name of who scheduled it", n)
	}
	if n := d.count(`select count(*) from audit_entries where action = 'release.publish' and actor = 'system' and target = $1`, "change_set:"+itoa(set)); n != 1 {
		t.Errorf("%d entries", n)
	}
}

// Drafts go on while a release is scheduled, and wait for a release of their
// own.
func TestScheduledContentIsFrozen(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	s, _ := newScheduler(d)
	set := d.approved("Frozen.")
	at := noon.Add(time.Hour)
	d.ok(s.Schedule(ctx, d.ada, set, at))
	later := d.save(d.ada, d.guide, guideText("Begin here", "Later."))
	if later.ChangeSetID != set || !later.Changed {
		t.Fatalf("saved: %+v", later)
	}
	d.wantState(set, editorial.StateScheduled)
	d.refused(editorial.Remove(ctx, d.db, d.ada, set, d.guide), fault.Conflict, "")
	_, err := editorial.Save(ctx, d.db, d.ada, editorial.Edit{ItemID: d.getA, Content: d.live(d.postB), Base: d.item(d.getA).Head(), ChangeSetID: set})
	d.refused(err, fault.Conflict, "")
	d.ok(editorial.PublishDue(ctx, d.db, set, at))
	d.wantState(set, editorial.StatePublished)
	if !strings.Contains(string(d.live(d.guide)), "Frozen.") {
		t.Errorf("public: %s", d.live(d.guide))
	}
	next := int64(d.count(`select change_set_id from change_set_items where item_id = $1 and open`, d.guide))
	d.wantState(next, editorial.StateDraft)
	d.ok(editorial.Submit(ctx, d.db, d.ada, next, "Later"))
	d.refused(editorial.Approve(ctx, d.db, d.ada, next, d.hash(next)), fault.Forbidden, "")
	d.ok(editorial.Approve(ctx, d.db, d.ben, next, d.hash(next)))
	d.ok(editorial.Publish(ctx, d.db, d.ada, next, false))
	if !strings.Contains(string(d.live(d.guide)), "Later.") {
		t.Errorf("public: %s", d.live(d.guide))
	}
}

// Withdrawn after a schedule, a change set has what was drafted meanwhile.
func TestWithdrawTakesUpLaterDrafts(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	s, _ := newScheduler(d)
	set := d.approved("Frozen.")
	d.ok(s.Schedule(ctx, d.ada, set, noon.Add(time.Hour)))
	d.save(d.ada, d.guide, guideText("Begin here", "Later."))
	d.ok(editorial.Cancel(ctx, d.db, d.ada, set))
	d.wantState(set, editorial.StateApproved)
	d.ok(editorial.Withdraw(ctx, d.db, d.ada, set))
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	if !strings.Contains(string(d.live(d.guide)), "Later.") || d.item(d.guide).DraftRevisionID != 0 {
		t.Errorf("public: %s", d.live(d.guide))
	}
}

// What cannot be published when it is due is blocked, with the reason, and
// nothing of it is public.
func TestBlocked(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	s, _ := newScheduler(d)
	set := d.approved("Better.")
	at := noon.Add(time.Hour)
	d.ok(s.Schedule(ctx, d.ada, set, at))
	d.publishBehind(d.guide, guideText("Begin here", "Others'."))
	before := d.live(d.guide)
	d.ok(editorial.PublishDue(ctx, d.db, set, at))
	got := d.set(set)
	if got.State != editorial.StateBlocked || !strings.Contains(got.BlockedReason, "rebase") || !got.ScheduledFor.Before(noon.AddDate(-1, 0, 0)) {
		t.Errorf("blocked: %+v", got)
	}
	if string(d.live(d.guide)) != string(before) || d.count(`select count(*) from releases where change_set_id = $1`, set) != 0 {
		t.Error("something was published")
	}
	if n := d.count(`select count(*) from audit_entries where action = 'change_set.block'`); n != 1 {
		t.Errorf("%d entries", n)
	}
	d.ok(editorial.Cancel(ctx, d.db, d.ada, set))
	d.wantState(set, editorial.StateApproved)
	d.refused(s.Schedule(ctx, d.ada, set, at), fault.Conflict, "outdated")
}

// publishBehind publishes content of an item behind the rules, as somebody else
// would.
func (d *desk) publishBehind(id int64, raw []byte) {
	d.Helper()
	d.exec(`with r as (insert into revisions (item_id, number, content, content_hash, base_id, author_id, origin)
		select id, (select max(number) from revisions where item_id = $1) + 1, $2::text::json, sha256(convert_to($2::text, 'UTF8')), live_revision_id, $3, 'edit' from items where id = $1 returning id)
		update items set live_revision_id = r.id from r where items.id = $1`, id, string(raw), d.ben.ID)
}
