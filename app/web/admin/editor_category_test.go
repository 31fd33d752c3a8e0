package admin_test

import (
	"net/url"
	"testing"
)

// A category needs no Tag Object: one with an empty field for it goes public with
// its version, and clearing the field takes what the tag had beside its name.
func TestCategoryWithoutTag(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	version := p.id("version", "1.0")
	form := p.filled(p.ada.Get(p.product+"/new?kind=category&parent="+version), "name", "Parcels", "raw", "")
	p.ok(p.ada, p.ada.Post(p.product+"/new", form))
	p.ok(p.ada, p.save(p.ada, p.page("category", "letters"), "raw", ""))
	p.ok(p.ada, p.save(p.ada, p.endpoint, "category", "Parcels"))
	set := p.set()
	p.ok(p.ada, p.submit(set))
	p.ok(p.ben, p.approve(set))
	p.ok(p.ada, p.ada.Post(set+"/publish", url.Values{}))
	for _, slug := range []string{"parcels", "letters"} {
		if got := p.text(`select r.content->>'raw' from items i join revisions r on r.id = i.live_revision_id where i.id = ` + p.id("category", slug)); got != "{}" {
			t.Errorf("the tag of %s is %q", slug, got)
		}
	}
	// Opening and saving what is public without a change changes nothing.
	if a := p.save(p.ada, p.page("category", "parcels")); a.Address() != p.page("category", "parcels")+"?done=unchanged" {
		t.Errorf("saving without a change goes to %s", a.Address())
	}
}
