package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// breaks drafts a change that breaks programs, and returns the page of its change
// set.
func (p *press) breaks() string {
	p.Helper()
	p.ok(p.ada, p.save(p.ada, p.page("schema", "letter"), "in:/properties/id#type", "integer"))
	return p.set()
}

// accept gives the first breaking change of a change set its reason.
func (p *press) accept(set string) *webtest.Answer {
	p.Helper()
	form := p.ben.Get(set).Find("form[action$='/accept']").First()
	return p.ben.Post(set+"/accept", url.Values{
		"version": {form.Find("input[name=version]").AttrOr("value", "")}, "fingerprint": {form.Find("input[name=fingerprint]").AttrOr("value", "")},
		"reason": {"Ids outgrew texts."},
	})
}

// A breaking change to a Current version is seen in the change set and not
// published without a reason. The reason stays with the change in later drafts.
func TestBreakingChangesNeedAReason(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	set := p.breaks()
	a := p.vic.Get(set)
	if a.Find(".impact .badge.bad").Length() != 1 || !strings.Contains(a.Find(".concerns").Text(), "need a reason: 1") || a.Find(".concerns .good").Length() != 0 || a.Find(".impact form").Length() != 0 || !strings.Contains(a.Find(".impact").Text(), "1 breaking") {
		t.Errorf("a reader sees %s", a.Find(".impact").Text())
	}
	p.ok(p.ada, p.submit(set))
	p.ok(p.ben, p.approve(set))
	for _, c := range []*webtest.Answer{
		p.ada.Post(set+"/publish", nil), p.sue.Post(set+"/schedule", url.Values{"scheduled_for": {"2027-01-01T10:00"}}),
	} {
		if c.Status != 409 || !strings.Contains(c.Find("main").Text(), "Give a reason for each of the 1 breaking changes") {
			t.Errorf("publishing without a reason gives %d: %s", c.Status, c.Find("main .problem, main .alert").Text())
		}
	}
	fingerprint := p.ben.Get(set).Find("input[name=fingerprint]").AttrOr("value", "")
	if a := p.ben.Post(set+"/accept", url.Values{"version": {strings.TrimPrefix(p.version, p.product+"/items/")}, "fingerprint": {fingerprint}, "reason": {" "}}); a.Status != 422 || a.Find("#form-accept-"+fingerprint+" .error").Length() != 1 {
		t.Errorf("an empty reason gives %d: %s", a.Status, a.Find(".impact").Text())
	}
	if a := p.ben.Post(set+"/accept", url.Values{"version": {"1"}, "fingerprint": {"0000000000000000"}, "reason": {"R"}}); a.Status != 409 {
		t.Errorf("accepting another change gives %d", a.Status)
	}
	if a := p.eva.Post(set+"/accept", url.Values{"reason": {"R"}}); a.Status != 403 {
		t.Errorf("an Editor of another product gets %d", a.Status)
	}
	p.ok(p.ben, p.accept(set))
	if a := p.vic.Get(set); !strings.Contains(a.Find(".impact-accepted").Text(), "ben accepted it: Ids outgrew texts.") {
		t.Errorf("the change set shows %s", a.Find(".impact").Text())
	}
	if a := p.vic.Get(set); a.Find(".concerns .good").Length() != 1 {
		t.Errorf("the checks say %s", a.Find(".concerns").Text())
	}
	p.ok(p.ada, p.ada.Post(set+"/publish", nil))

	// The other way round and back: the same change needs no other reason.
	schema := p.page("schema", "letter")
	p.ok(p.ada, p.save(p.ada, schema, "in:/properties/id#type", "string"))
	back := p.set()
	p.ok(p.sue, p.accept(back))
	p.ok(p.sue, p.sue.Post(back+"/override", url.Values{"reason": {"Urgent."}}))
	again := p.breaks()
	p.ok(p.ada, p.submit(again))
	p.ok(p.ben, p.approve(again))
	p.ok(p.ada, p.ada.Post(again+"/publish", nil))
}

// Texts and additions need no reason, and neither do versions that are not Current.
func TestOtherChangesNeedNoReason(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.endpoint, "purpose", "Sends one letter by post."))
	set := p.set()
	if a := p.ada.Get(set); a.Find(".impact").Length() != 0 {
		t.Errorf("a text is shown as %s", a.Find(".impact").Text())
	}
	p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "parameter:/parameters"))
	if a := p.ada.Get(set); a.Find(".impact .badge.good").Length() != 1 || a.Find(".impact form").Length() != 0 {
		t.Errorf("an optional parameter is shown as %s", a.Find(".impact").Text())
	}
	p.ok(p.ada, p.submit(set))
	p.ok(p.ben, p.approve(set))
	p.ok(p.ada, p.ada.Post(set+"/publish", nil))
	p.publish(p.version, "label", "Beta")
	broken := p.breaks()
	if a := p.ada.Get(broken); a.Find(".impact .badge.bad").Length() != 1 || a.Find(".impact form").Length() != 0 {
		t.Errorf("a Beta version asks for reasons: %s", a.Find(".impact").Text())
	}
	p.ok(p.sue, p.sue.Post(broken+"/override", url.Values{"reason": {"Urgent."}}))
}
