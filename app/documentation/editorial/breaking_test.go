package editorial_test

import (
	"testing"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

// accept gives every breaking change of a change set a reason.
func (d *desk) accept(set int64) {
	d.Helper()
	changes, err := queries.ChangeSetItemList(d.Context(), d.db, set)
	d.ok(err)
	impacts, err := editorial.Impacts(d.Context(), d.db, changes)
	d.ok(err)
	for _, i := range impacts {
		for _, c := range i.Changes(compare.Breaking) {
			d.ok(editorial.AcceptChange(d.Context(), d.db, d.boss, set, editorial.Acceptance{VersionID: i.VersionID, Fingerprint: c.Fingerprint, Reason: "It was never used."}))
		}
	}
}

// Archiving an endpoint of a Current version needs a reason, from a Super Admin too.
// The reason is in the audit.
func TestBreakingChangeNeedsAReason(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	d.ok(editorial.Archive(ctx, d.db, d.ada, 0, d.postB))
	set := int64(d.count(`select max(id) from change_sets`))
	d.ok(editorial.Submit(ctx, d.db, d.ada, set, "Without b"))
	d.ok(editorial.Approve(ctx, d.db, d.ben, set, d.hash(set)))
	d.refused(editorial.Publish(ctx, d.db, d.ada, set, false), fault.Conflict, "breaking")
	d.refused(editorial.Publish(ctx, d.db, d.boss, set, true), fault.Conflict, "breaking")
	d.refused(editorial.AcceptChange(ctx, d.db, d.ada, set, editorial.Acceptance{VersionID: d.version, Fingerprint: "0000000000000000", Reason: "R"}), fault.Conflict, "")
	d.refused(editorial.AcceptChange(ctx, d.db, d.ada, set, editorial.Acceptance{VersionID: d.version, Reason: " "}), fault.Invalid, "")
	d.accept(set)
	if n := d.count(`select count(*) from audit_entries where action = 'change_set.accept'`); n != 1 {
		t.Errorf("the audit has %d reasons, want 1", n)
	}
	d.ok(editorial.Publish(ctx, d.db, d.ada, set, false))
	if !d.item(d.postB).Archived {
		t.Error("the release does not archive")
	}
}
