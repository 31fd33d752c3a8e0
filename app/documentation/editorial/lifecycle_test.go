package editorial_test

import (
	"encoding/json"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
)

// dated is the live content of the version, with changes.
func (d *desk) dated(change func(v *content.Version)) json.RawMessage {
	d.Helper()
	var v content.Version
	d.ok(json.Unmarshal(d.live(d.version), &v))
	change(&v)
	raw, err := json.Marshal(v)
	d.ok(err)
	return raw
}

func impossible(v *content.Version) { v.ReleasedOn, v.SunsetOn = "2031-01-01", "0001-01-02" }

// wantSunset expects the refusal of a day of sunset.
func (d *desk) wantSunset(err error, kind fault.Kind) {
	d.Helper()
	if f := fault.As(err); f == nil || f.Kind != kind || len(f.Fields) != 1 || f.Fields[0].Name != "sunset_on" {
		d.Errorf("refused with %v", err)
	}
}

// A version with days that cannot be is not saved, whoever saves it.
func TestDaysThatCannotBeAreNotSaved(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	raw := d.dated(impossible)
	for name, e := range map[string]editorial.Edit{
		"a save":        {ItemID: d.version, Content: raw, Base: d.item(d.version).Head()},
		"an own save":   {ItemID: d.version, Content: raw, Base: d.item(d.version).Head(), Form: "form-of-ada", Auto: true},
		"a new version": {Address: editorial.Address{Kind: content.KindVersion, ParentID: d.product, Slug: "2.0"}, Content: raw},
	} {
		_, err := editorial.Save(t.Context(), d.db, d.ada, e)
		d.wantSunset(err, fault.Invalid)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	if n := d.count(`select count(*) from items where slug = '2.0'`); n != 0 {
		t.Error("a version that was refused is there")
	}
}

// A version that was published with such days stays readable. Saving it with possible
// days corrects it, and a change that leaves the days alone can be published.
func TestStoredDaysThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	d.publishBehind(d.version, d.dated(impossible))
	again := d.draftBehind(d.dated(func(v *content.Version) { v.Description = "Imported again." }))
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, again, true))
	d.compiled()

	_, err := editorial.Save(t.Context(), d.db, d.ada, editorial.Edit{ItemID: d.version, Content: d.dated(func(v *content.Version) { v.Notes = "New." }), Base: d.item(d.version).Head()})
	d.wantSunset(err, fault.Invalid)
	fixed := d.save(d.ada, d.version, d.dated(func(v *content.Version) { v.SunsetOn = "2032-01-01" }))
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, fixed.ChangeSetID, true))

	// A draft stored before this rule cannot be published until somebody corrects it.
	set := d.draftBehind(d.dated(impossible))
	d.wantSunset(editorial.Publish(t.Context(), d.db, d.boss, set, true), fault.Conflict)
	fixed = d.save(d.boss, d.version, d.dated(func(v *content.Version) { v.Description = "Corrected." }))
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, fixed.ChangeSetID, true))

	// An earlier revision comes back as a draft, and a release is reverted whatever it was.
	_, err = editorial.Restore(t.Context(), d.db, d.boss, int64(d.count(`select min(id) from revisions where item_id = $1 and content->>'sunset_on' = '0001-01-02'`, d.version)), d.item(d.version).Head())
	d.ok(err)
	_, err = editorial.Revert(t.Context(), d.db, d.boss, int64(d.count(`select max(id) from releases where scope_id = $1`, d.version)))
	d.ok(err)
}

// draftBehind drafts content of the version behind the rules, and returns its change set.
func (d *desk) draftBehind(raw json.RawMessage) int64 {
	d.Helper()
	saved := d.save(d.boss, d.version, d.dated(func(v *content.Version) { v.Notes, v.SunsetOn = "In draft.", "" }))
	d.exec(`with r as (insert into revisions (item_id, number, content, content_hash, base_id, author_id, origin)
		select id, (select max(number) from revisions where item_id = $1) + 1, $2::text::json, sha256(convert_to($2::text, 'UTF8')), live_revision_id, $3, 'edit' from items where id = $1 returning id),
		i as (update items set draft_revision_id = r.id from r where items.id = $1)
		update change_set_items set revision_id = r.id from r where change_set_id = $4 and item_id = $1`, d.version, string(raw), d.boss.ID, saved.ChangeSetID)
	return saved.ChangeSetID
}
