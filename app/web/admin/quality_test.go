package admin_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
)

// check runs the checks of a change set, as a worker does.
func (p *press) check(set string) {
	p.Helper()
	id, err := strconv.ParseInt(set[strings.LastIndex(set, "/")+1:], 10, 64)
	if err != nil {
		p.Fatal(err)
	}
	if err := editorial.RunChecks(p.Context(), p.DB, id); err != nil {
		p.Fatal(err)
	}
}

// The rail of an item and the page of its change set show what the checks found, with
// links to the field. What blocks is refused with its name, and a Super Admin may
// publish in spite of it.
func TestFindingsAreShown(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	if a := p.ada.Get(p.guide); a.Find("#quality").Length() != 1 || a.Find("#quality h2").Length() != 0 {
		t.Errorf("without a draft the rail has %s", a.Find("#quality").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Take a pen.\n\nGo [on](nowhere). Log in."))
	set := p.set()
	for _, path := range []string{p.guide, set} {
		if state := p.ada.Get(path).Find(".quality-state").Text(); state != "Being checked." {
			t.Errorf("%s says %q", path, state)
		}
	}
	p.check(set)
	a := p.vic.Get(p.guide)
	first := a.Find("#quality li").First()
	if !strings.HasPrefix(a.Find(".quality-state").Text(), "Checked ") || a.Find("#quality li").Length() != 2 || first.Find(".badge.bad").Text() != "Blocks" ||
		!strings.Contains(first.Text(), "Readers find no page at /productguide/letters/nowhere.") || first.Find("a").AttrOr("href", "") != "#field-text" || first.Find("a").Text() != "Text, line 3" {
		t.Errorf("the rail has %s", a.Find("#quality").Text())
	}
	a = p.ben.Get(set)
	if link := a.Find("#quality a").First(); link.AttrOr("href", "") != p.guide+"#field-text" || link.Text() != "Begin: Text, line 3" || a.Find(".concerns .good").Length() != 0 {
		t.Errorf("the change set shows %s", a.Find("#quality").Text())
	}
	if a := p.submit(set); a.Status != 409 || !strings.Contains(a.Find("main").Text(), "guide begin: Readers find no page at /productguide/letters/nowhere.") {
		t.Errorf("submitting gives %d: %s", a.Status, a.Find("main .alert").Text())
	}

	// The regions refresh on their own, and lead to the page without htmx.
	for path, target := range map[string]string{p.guide: p.guide, set: set} {
		if a := p.ada.Get(path + "/quality"); a.Status != 303 || a.Header.Get("Location") != target {
			t.Errorf("%s/quality gives %d to %s", path, a.Status, a.Header.Get("Location"))
		}
		if a := p.ada.HX("quality").Get(path + "/quality"); a.Status != 200 || a.Find("#quality li").Length() != 2 {
			t.Errorf("the region of %s is %d: %s", path, a.Status, a.Body)
		}
	}

	// What was approved before the page went away is published by an override alone.
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "See [the letter](/docs/letters/1.0/send-letter)."))
	if state := p.ada.Get(p.guide).Find(".quality-state").Text(); state != "Being checked again. The findings are those of an earlier text." {
		t.Errorf("after another save: %q", state)
	}
	p.ok(p.ada, p.submit(set))
	p.ok(p.ben, p.approve(set))
	exec(t, p.Site, `update items set archived_at = now() where slug = 'send-letter'`)
	p.check(set)
	if a := p.ben.Post(set+"/publish", nil); a.Status != 409 || !strings.Contains(a.Find("main").Text(), "Checks block change set") {
		t.Errorf("publishing gives %d", a.Status)
	}
	if p.ben.Get(set).Find("form[action$='/override']").Length() != 0 || p.sue.Get(set).Find("form[action$='/override']").Length() != 1 {
		t.Error("the override is not offered to the Super Admin alone")
	}
	// Each check that blocks is named, and asks for a reason of its own.
	if hint := p.sue.Get(set).Find("#field-override-links-hint").Text(); !strings.HasPrefix(hint, "Begin: Readers find no page") {
		t.Errorf("the override names %q", hint)
	}
	if a := p.sue.Post(set+"/override", url.Values{"reason": {"Urgent."}}); a.Status != 422 || a.Find("#field-override-links-error").Length() != 1 || p.sue.Get(set).Find(".remarks").Length() != 1 {
		t.Errorf("without a reason for the check, the override gives %d", a.Status)
	}
	p.ok(p.sue, p.sue.Post(set+"/override", url.Values{"reason": {"Urgent."}, "reason-links": {"The page comes back tomorrow."}}))
	if n := p.text(`select count(*)::text from audit_entries where action = 'release.publish' and details->'reasons'->>'links' = 'The page comes back tomorrow.'`); n != "1" {
		t.Errorf("%s entries of the audit say why", n)
	}
	if n := p.text(`select count(*)::text from audit_entries where action = 'release.publish' and details->'checks'->>0 like 'guide begin: %'`); n != "1" {
		t.Errorf("%s entries of the audit name what was overridden", n)
	}
}

// A Super Admin decides what the checks of a product do.
func TestPolicyPage(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	path := p.product + "/checks"
	if p.sue.Get(p.product).Find("a[href='"+path+"']").Length() != 1 || p.ada.Get(p.product).Find("a[href='"+path+"']").Length() != 0 || p.ada.Get(path).Status != 403 {
		t.Error("the page is not offered to Super Admins alone")
	}
	a := p.sue.Get(path)
	if a.Find("select").Length() < 10 || a.Find("select[name=links] option[selected]").AttrOr("value", "") != "block" {
		t.Errorf("the form has %s", a.Find("main").Text())
	}
	if a := p.sue.Post(path, levels("links", "loud")); a.Status != 422 || a.Find("#form-checks .error").Length() == 0 {
		t.Errorf("an unknown level gives %d", a.Status)
	}
	p.ok(p.sue, p.sue.Post(path, levels("links", "off", "terms", "block")))
	a = p.sue.Get(path)
	if a.Find("select[name=links] option[selected]").AttrOr("value", "") != "off" || a.Find("select[name=terms] option[selected]").AttrOr("value", "") != "block" {
		t.Error("the levels were not kept")
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Go [on](nowhere). Log in."))
	set := p.set()
	p.check(set)
	if a := p.ada.Get(p.guide); a.Find("#quality li").Length() != 1 || !strings.Contains(a.Find("#quality .badge.bad").Parent().Text(), "Words") {
		t.Errorf("the rail has %s", a.Find("#quality").Text())
	}
}
