package editorial_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
)

func TestSaveRolls(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	first := d.save(d.ada, d.guide, guideText("Begin here", "One."))
	second := d.save(d.ada, d.guide, guideText("Begin here", "Two."))
	if !first.Changed || !second.Changed || first.ChangeSetID == 0 || first.ChangeSetID != second.ChangeSetID {
		t.Fatalf("first %+v, second %+v", first, second)
	}
	if got := d.item(d.guide); got.DraftRevisionID != second.Item.DraftRevisionID || got.LiveRevisionID == got.DraftRevisionID {
		t.Errorf("the item: %+v", got)
	}
	if n := d.count(`select count(*) from change_set_items where change_set_id = $1 and revision_id = $2`, first.ChangeSetID, second.Item.DraftRevisionID); n != 1 {
		t.Error("the change set did not follow the draft")
	}
	same := d.save(d.ada, d.guide, guideText("Begin here", "Two."))
	if same.Changed || same.ChangeSetID != first.ChangeSetID || d.count(`select count(*) from revisions where item_id = $1`, d.guide) != 3 {
		t.Errorf("saving the same again: %+v", same)
	}
	if n := d.count(`select count(*) from revisions where item_id = $1 and number > 1 and origin = 'edit' and author_id = $2 and base_id = $3`, d.guide, d.ada.ID, d.item(d.guide).LiveRevisionID); n != 2 {
		t.Errorf("%d revisions of Ada on what is live, want 2", n)
	}
	if !strings.Contains(string(d.live(d.guide)), "Begin.") {
		t.Error("a draft is public")
	}
}

func TestSaveOfWhatIsLiveMakesNoDraft(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	if saved := d.save(d.ada, d.guide, d.live(d.guide)); saved.Changed || saved.ChangeSetID != 0 || d.count(`select count(*) from change_sets where state = 'draft'`) != 0 {
		t.Errorf("saved: %+v", saved)
	}
}

func TestStaleSave(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	base := d.item(d.guide).LiveRevisionID
	theirs := guideText("Begin again", "One.")
	d.save(d.ada, d.guide, theirs)
	mine := guideText("Begin now", "One.")
	_, err := editorial.Save(t.Context(), d.db, d.ada, editorial.Edit{ItemID: d.guide, Content: mine, Base: base})
	d.refused(err, fault.Conflict, "stale")
	var stale *editorial.Stale
	if !errors.As(err, &stale) || stale.Base.ID != base || string(stale.Theirs.Content) != string(theirs) || string(stale.Mine) != string(mine) {
		t.Fatalf("the detail: %+v", stale)
	}
	if len(stale.Merge.Overlaps) != 1 || stale.Merge.Overlaps[0].Field != "title" || string(stale.Merge.Overlaps[0].Mine) != `"Begin now"` || string(stale.Merge.Overlaps[0].Theirs) != `"Begin again"` {
		t.Errorf("fields: %+v", stale.Merge.Overlaps)
	}
	// The same sent twice is no conflict: the answer to the first was lost.
	again, err := editorial.Save(t.Context(), d.db, d.ada, editorial.Edit{ItemID: d.guide, Content: theirs, Base: base})
	if err != nil || again.Changed {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	_, err = editorial.Save(t.Context(), d.db, d.ada, editorial.Edit{ItemID: d.guide, Content: mine, Base: d.item(d.getA).LiveRevisionID})
	d.refused(err, fault.Invalid, "")
}

func TestDraftOfSomebodyElse(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "One.")).ChangeSetID
	for _, base := range []int64{d.item(d.guide).LiveRevisionID, d.item(d.guide).DraftRevisionID} {
		_, err := editorial.Save(t.Context(), d.db, d.ben, editorial.Edit{ItemID: d.guide, Content: guideText("Mine", "."), Base: base})
		d.refused(err, fault.Conflict, "draft_exists")
		if !strings.Contains(err.Error(), "Ada") {
			t.Errorf("the conflict does not name Ada: %v", err)
		}
	}
	d.refused(editorial.Archive(t.Context(), d.db, d.ben, 0, d.guide), fault.Conflict, "draft_exists")
	_, err := editorial.Save(t.Context(), d.db, d.ben, editorial.Edit{ItemID: d.getA, Content: d.live(d.postB), Base: d.item(d.getA).Head(), ChangeSetID: set})
	d.refused(err, fault.Forbidden, "")
	d.ok(editorial.Discard(t.Context(), d.db, d.ada, set))
	d.wantState(set, editorial.StateWithdrawn)
	if d.item(d.guide).DraftRevisionID != 0 {
		t.Error("the draft of a discarded change set stays")
	}
	d.save(d.ben, d.guide, guideText("Mine", "."))
}

func TestSaveOfANewItem(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	guide := func(slug string) editorial.Edit {
		return editorial.Edit{Address: editorial.Address{Kind: content.KindGuide, ParentID: d.product, Slug: slug}, Content: guideText("New", ".")}
	}
	saved, err := editorial.Save(t.Context(), d.db, d.ada, guide("new"))
	if d.ok(err); !saved.Changed || saved.Item.LiveRevisionID != 0 {
		t.Fatalf("saved: %+v", saved)
	}
	_, err = editorial.Save(t.Context(), d.db, d.ben, guide("new"))
	d.refused(err, fault.Conflict, "address_taken")
	_, err = editorial.Save(t.Context(), d.db, d.ben, guide("begin"))
	d.refused(err, fault.Conflict, "address_taken")
	_, err = editorial.Save(t.Context(), d.db, d.ben, guide("Not a slug"))
	d.refused(err, fault.Invalid, "")
	e := guide("lost")
	e.ParentID = d.version
	_, err = editorial.Save(t.Context(), d.db, d.ben, e)
	d.refused(err, fault.Invalid, "")
	// Given up, the address is free.
	d.ok(editorial.Discard(t.Context(), d.db, d.ada, saved.ChangeSetID))
	again, err := editorial.Save(t.Context(), d.db, d.ben, guide("new"))
	if d.ok(err); again.Item.ID != saved.Item.ID {
		t.Errorf("item %d, want %d", again.Item.ID, saved.Item.ID)
	}
	for _, raw := range []string{``, `[]`, `{`, `"x"`} {
		e := guide("x")
		e.Content = json.RawMessage(raw)
		_, err := editorial.Save(t.Context(), d.db, d.ben, e)
		d.refused(err, fault.Invalid, "")
	}
	e = guide("long")
	e.Content = json.RawMessage(`{"text":"` + strings.Repeat("x", 4<<20) + `"}`)
	_, err = editorial.Save(t.Context(), d.db, d.ben, e)
	d.refused(err, fault.TooLarge, "")
	_, err = editorial.Save(t.Context(), d.db, d.ben, editorial.Edit{ItemID: 1 << 40, Content: guideText("x", "")})
	d.refused(err, fault.NotFound, "")
}

// A schema may have the slug of an endpoint.
func TestSlugsOfKinds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	for kind, free := range map[string]bool{content.KindSchema: true, content.KindCategory: true, content.KindCallback: false, content.KindEndpoint: false} {
		_, err := editorial.Save(t.Context(), d.db, d.ada, editorial.Edit{Address: editorial.Address{Kind: kind, ParentID: d.version, Slug: "get-a"}, Content: json.RawMessage(`{"name":"x"}`)})
		if free {
			d.ok(err)
		} else {
			d.refused(err, fault.Conflict, "address_taken")
		}
	}
}

func TestProductsAreAddedBySuperAdmins(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	e := editorial.Edit{Address: editorial.Address{Kind: content.KindProduct, Slug: "parcels"}, Content: json.RawMessage(`{"name":"Parcels"}`)}
	_, err := editorial.Save(t.Context(), d.db, d.ada, e)
	d.refused(err, fault.Forbidden, "")
	saved, err := editorial.Save(t.Context(), d.db, d.boss, e)
	d.ok(err)
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, saved.ChangeSetID, true))
	if !d.item(saved.Item.ID).Public() {
		t.Error("the product is not public")
	}
}

// Of two saves on one revision one is refused, also when they come at once.
func TestTwoSavesAtOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := newDesk(t, pool)
	base := d.item(d.guide).Head()
	tx, err := pool.Begin(t.Context())
	d.ok(err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // committed below
	_, err = editorial.Save(t.Context(), tx, d.ada, editorial.Edit{ItemID: d.guide, Content: guideText("First", "."), Base: base})
	d.ok(err)
	second := make(chan error, 1)
	go func() {
		_, err := editorial.Save(t.Context(), pool, d.ada, editorial.Edit{ItemID: d.guide, Content: guideText("Second", "."), Base: base})
		second <- err
	}()
	d.untilBlocked()
	d.ok(tx.Commit(t.Context()))
	d.refused(<-second, fault.Conflict, "stale")
	if n := d.count(`select count(*) from change_sets where state = 'draft'`); n != 1 {
		t.Errorf("%d change sets in draft, want 1", n)
	}
}

// untilBlocked waits until a statement of this database waits for a lock.
func (d *desk) untilBlocked() {
	d.Helper()
	for deadline := time.Now().Add(20 * time.Second); d.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 0; {
		if time.Now().After(deadline) {
			d.Fatal("nothing waits for a lock")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestChangesAreAudited(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.approved("Better.")
	d.ok(editorial.Publish(t.Context(), d.db, d.ben, set, false))
	var actions []string
	rows, err := d.db.Query(t.Context(), `select actor || ' ' || action from audit_entries where actor like 'admin:%' order by seq`)
	d.ok(err)
	var action string
	for rows.Next() {
		d.ok(rows.Scan(&action))
		actions = append(actions, action)
	}
	want := []string{d.ada.Name + " change_set.open", d.ada.Name + " item.save", d.ada.Name + " change_set.submit", d.ben.Name + " change_set.approve", d.ben.Name + " release.publish"}
	if strings.Join(actions, ",") != strings.Join(want, ",") {
		t.Errorf("audited %q, want %q", actions, want)
	}
}
