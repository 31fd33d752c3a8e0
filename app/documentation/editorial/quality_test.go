package editorial_test

import (
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

func (d *desk) quality(set int64) editorial.Quality {
	d.Helper()
	changes, err := queries.ChangeSetItemList(d.Context(), d.db, set)
	d.ok(err)
	q, err := editorial.ReadQuality(d.Context(), d.db, d.set(set), changes)
	d.ok(err)
	return q
}

// A change set with a finding that blocks is neither submitted nor published, although
// no worker has checked it. A Super Admin may publish it with a reason.
func TestChecksBlock(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "Go [on](nowhere).")).ChangeSetID
	if q := d.quality(set); q.Pending != 1 || len(q.Findings) != 0 {
		t.Errorf("before any check: %+v", q)
	}
	err := editorial.Submit(t.Context(), d.db, d.ada, set, "Say it better.")
	d.refused(err, fault.Conflict, "checks")
	if message := fault.As(err).Message; !strings.Contains(message, "guide begin: Readers find no page at /productguide/letters/nowhere") {
		t.Errorf("the refusal: %s", message)
	}
	d.ok(editorial.RunChecks(t.Context(), d.db, set))
	q := d.quality(set)
	if q.Pending != 0 || len(q.Blocking()) != 1 || q.Findings[0].Level != checks.Block || q.Findings[0].Field != "text" || q.Findings[0].Line != 1 || q.CheckedAt.IsZero() {
		t.Errorf("after the checks: %+v", q)
	}

	// It was approved before the page that it links to was archived.
	d.save(d.ada, d.guide, guideText("Begin here", "See [a](/docs/letters/1.0/get-a)."))
	d.ok(editorial.Submit(t.Context(), d.db, d.ada, set, "Say it better."))
	d.ok(editorial.Approve(t.Context(), d.db, d.ben, set, d.hash(set)))
	d.exec(`update items set archived_at = now() where id = $1`, d.getA)
	d.refused(editorial.Publish(t.Context(), d.db, d.ben, set, false), fault.Conflict, "checks")
	scheduler := &editorial.Scheduler{DB: d.db, Now: time.Now}
	d.refused(scheduler.Schedule(t.Context(), d.ben, set, time.Now().Add(time.Hour)), fault.Conflict, "checks")
	d.refused(editorial.Publish(t.Context(), d.db, d.ben, set, true), fault.Forbidden, "")
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	d.wantState(set, editorial.StatePublished)
	if n := d.count(`select count(*) from audit_entries where action = 'release.publish' and (details->>'override')::boolean and details->'checks'->>0 like '%/docs/letters/1.0/get-a%'`); n != 1 {
		t.Error("the audit does not name what was overridden")
	}
}

// What is found depends on what surrounds an item: on other items of the change set
// and on what others publish.
func TestChecksFollowTheSurroundings(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "See [b](/docs/letters/1.0/post-b), [c](/docs/letters/1.0/post-c), [latest](/docs/letters/latest/post-b#x), [all](/docs/letters/1.0/errors), [log](/docs/letters/changelog), [v](/docs/letters/1.0), [gone](/docs/other), [deep](/docs/letters/1.0/a/b), [account](/account/keys), [what](/what).")).ChangeSetID
	found := func() (texts []string) {
		t.Helper()
		d.ok(editorial.RunChecks(t.Context(), d.db, set))
		for _, f := range d.quality(set).Findings {
			if f.Check == "links" {
				texts = append(texts, strings.Fields(strings.SplitAfter(f.Message, "at ")[1])[0])
			}
		}
		return texts
	}
	if got := strings.Join(found(), " "); got != "/docs/letters/1.0/post-c. /docs/other. /docs/letters/1.0/a/b. /what." {
		t.Errorf("links without a page: %s", got)
	}
	d.ok(editorial.MoveItem(t.Context(), d.db, d.ada, set, d.postB, editorial.Address{Slug: "post-c"}))
	if got := strings.Join(found(), " "); got != "/docs/other. /docs/letters/1.0/a/b. /what." {
		t.Errorf("after the move, links without a page: %s", got)
	}
	d.ok(editorial.Remove(t.Context(), d.db, d.ada, set, d.postB))
	d.ok(editorial.Archive(t.Context(), d.db, d.ada, set, d.postB))
	if got := strings.Join(found(), " "); !strings.Contains(got, "/docs/letters/1.0/post-b. ") || !strings.Contains(got, "/docs/letters/latest/post-b.") {
		t.Errorf("after archiving, links without a page: %s", got)
	}
	before := d.count(`select count(distinct checked_at) from check_results`)
	d.ok(editorial.RunChecks(t.Context(), d.db, set))
	if n := d.count(`select count(distinct checked_at) from check_results`); n != before {
		t.Error("what did not change was checked again")
	}
	d.ok(editorial.RunChecks(t.Context(), d.db, 1<<40)) // a change set that is gone
}

// A Super Admin decides what a check does. The audit has it.
func TestPolicy(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "Go [on](nowhere). Log in.")).ChangeSetID
	d.ok(editorial.RunChecks(t.Context(), d.db, set))
	for _, who := range []editorial.Actor{d.ada, d.viewer} {
		d.refused(editorial.SetPolicy(t.Context(), d.db, who, d.product, nil), fault.Forbidden, "")
	}
	d.refused(editorial.SetPolicy(t.Context(), d.db, d.boss, d.product, map[string]checks.Level{"links": "loud"}), fault.Invalid, "")
	d.refused(editorial.SetPolicy(t.Context(), d.db, d.boss, d.guide, nil), fault.Invalid, "")
	d.ok(editorial.SetPolicy(t.Context(), d.db, d.boss, d.product, map[string]checks.Level{"links": checks.Warn, "terms": checks.Block, "descriptions": checks.Off}))
	q := d.quality(set)
	if len(q.Blocking()) != 1 || q.Findings[0].Check != "terms" || q.Findings[1].Check != "links" || q.Findings[1].Level != checks.Warn {
		t.Errorf("findings: %+v", q.Findings)
	}
	d.refused(editorial.Submit(t.Context(), d.db, d.ada, set, "More."), fault.Conflict, "checks")
	d.ok(editorial.SetPolicy(t.Context(), d.db, d.boss, d.product, map[string]checks.Level{"links": checks.Off}))
	d.ok(editorial.Submit(t.Context(), d.db, d.ada, set, "More."))
	if n := d.count(`select count(*) from check_policies`); n != 1 {
		t.Errorf("%d levels are kept: those of the checks themselves are not", n)
	}
	if n := d.count(`select count(*) from audit_entries where action = 'product.checks' and details->'after'->>'links' = 'off' and details->'before'->>'terms' = 'block'`); n != 1 {
		t.Error("the audit does not have the change")
	}
}
