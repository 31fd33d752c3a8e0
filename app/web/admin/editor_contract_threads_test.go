package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/views/ui"
)

// A comment stands beside a change of the contract until the change set makes another
// one of it.
func TestThreadOnContractChange(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	set := p.breaks()
	if p.vic.Get(set).Find(".impact .difference-asks").Length() != 0 {
		t.Error("a Viewer may comment")
	}
	ask := p.ben.Get(set).Find(".impact-changes li .difference-asks a").First().AttrOr("href", "")
	form := p.ben.Get(ask)
	if form.Status != 200 || !strings.Contains(form.Find("blockquote").Text(), "Version 1.0: ") || !strings.Contains(form.Find("blockquote").Text(), "string → integer") {
		t.Fatalf("the form gives %d: %s", form.Status, form.Find("main").Text())
	}
	if a := p.ben.Post(ask, url.Values{"text": {" "}}); a.Status != 422 || a.Find("main form .error").Length() != 1 {
		t.Errorf("an empty comment gives %d", a.Status)
	}
	shown := p.ok(p.ben, p.ben.Post(ask, url.Values{"text": {"Why a **number**?"}}))
	region := "#thread-" + p.text(`select max(id)::text from review_threads`)
	if shown.Find(".impact-changes li "+region+" strong").Length() == 0 || shown.Find(".draft-item "+region).Length() != 0 || strings.Contains(shown.Find(region).Text(), "Outdated") {
		t.Errorf("the change set shows %s", shown.Find(region).Text())
	}
	place := p.ben.Get(set).Find(".impact-changes li .difference-asks a").First().AttrOr("hx-target", "")
	a := p.ben.HX(ui.Region(strings.TrimPrefix(place, "#"))).On(set).Post(ask, url.Values{"text": {"And why now?"}})
	if a.Status != 200 || a.Find("h1").Length() != 0 || a.Find(".thread summary[data-focus]").Length() != 1 {
		t.Errorf("in place it gives %d: %s", a.Status, a.Body)
	}
	// The author sees it beside the form of the schema, and answers.
	rail := p.ada.Get(p.page("schema", "letter")).Find(".rail " + region)
	if !strings.Contains(rail.Text(), "Change of the contract") || rail.Find("form").Length() != 1 {
		t.Errorf("the editor shows %q", rail.Text())
	}
	p.ok(p.ada, p.ada.Post(set+"/threads/"+strings.TrimPrefix(region, "#thread-"), url.Values{"text": {"It is one."}, "do": {"reply"}}))
	if got := p.text(`select details->>'change' from audit_entries where action = 'change_set.thread' order by seq limit 1`); !strings.Contains(got, "string → integer") {
		t.Errorf("the audit says %q", got)
	}
	p.ok(p.ada, p.save(p.ada, p.page("schema", "letter"), "in:/properties/id#type", "number"))
	thread := p.ben.Get(set).Find(".draft-item " + region)
	if text := thread.Text(); !strings.Contains(text, "Outdated") || !strings.Contains(text, "string → integer") {
		t.Errorf("a change that is made no more: %q", text)
	}
	if a := p.ben.Post(ask, url.Values{"text": {"Still?"}}); a.Status != 409 {
		t.Errorf("commenting on what is made no more gives %d", a.Status)
	}
}

// Who may comment begins a thread from the page of the item, on a field of it.
func TestThreadFromTheEditor(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	if p.ada.Get(p.guide).Find(".rail a[href*='/threads/new']").Length() != 0 {
		t.Error("an item without a change set takes comments")
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "One."))
	if p.vic.Get(p.guide).Find(".rail a[href*='/threads/new']").Length() != 0 || p.eva.Get(p.guide).Find(".rail a[href*='/threads/new']").Length() != 0 {
		t.Error("people who may not comment are asked to")
	}
	ask := p.ben.Get(p.guide).Find(".rail a[href*='/threads/new']")
	href, region := ask.AttrOr("href", ""), ui.Region(strings.TrimPrefix(ask.AttrOr("hx-target", ""), "#"))
	form := p.ben.HX(region).On(p.guide).Get(href)
	if form.Status != 200 || form.Find("h1").Length() != 0 || form.Find("select[name=field] option").Length() != 8 {
		t.Fatalf("in place it gives %d: %s", form.Status, form.Body)
	}
	sent := url.Values{"field": {"text"}, "revision": {form.Find("input[name=revision]").AttrOr("value", "")}, "text": {" "}}
	if a := p.ben.HX(region).On(p.guide).Post(href, sent); a.Status != 422 || a.Find("option[selected]").AttrOr("value", "") != "text" || a.Find(".error").Length() != 1 {
		t.Errorf("an empty comment gives %d: %s", a.Status, a.Body)
	}
	sent.Set("text", "Only one?")
	a := p.ben.HX(region).On(p.guide).Post(href, sent)
	if a.Status != 200 || a.Find(".thread a[href='#field-text']").Length() != 1 || a.Find("input[name=from]").AttrOr("value", "") != "item" {
		t.Errorf("in place the comment gives %d: %s", a.Status, a.Body)
	}
	sent.Set("field", "")
	b := p.ben.Post(href, sent)
	if location := b.Header.Get("Location"); b.Status != 303 || !strings.HasPrefix(location, p.guide+"?done=thread#thread-") {
		t.Errorf("the comment gives %d, %s", b.Status, location)
	}
	if got := p.ada.Get(p.guide).Find(".rail .thread").Length(); got != 2 {
		t.Errorf("the author sees %d threads", got)
	}
	// The text changed meanwhile: the comment is of what was seen.
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Two."))
	sent.Set("field", "text")
	p.ok(p.ben, p.ben.Post(href, sent))
	if got := p.ben.Get(p.guide).Find(".rail").Text(); strings.Count(got, "Outdated") != 2 {
		t.Errorf("the editor shows %s", got)
	}
}
