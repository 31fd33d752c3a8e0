package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/web/webtest"
)

// raw is the source of an operation as its newest draft has it.
func (p *press) raw(slug string) string {
	p.Helper()
	return p.text(`select (r.content->'raw')::text from items i join revisions r on r.id = coalesce(i.draft_revision_id, i.live_revision_id) where i.slug = '` + slug + `' and i.kind in ('endpoint', 'schema')`)
}

// row returns the row of a form at a pointer.
func row(a *webtest.Answer, at string) *goquery.Selection {
	return a.Find(".outline-row").FilterFunction(func(_ int, s *goquery.Selection) bool { return s.AttrOr("data-at", "") == at })
}

// A row changes what it says in the source and nothing else. An action with a
// row saves the draft and shows the form again, in place and as a page.
func TestRowsOfAnOperation(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	before := p.raw("send-letter")
	p.ok(p.ada, p.save(p.ada, p.endpoint, "in:/responses/200#description", "Sent today"))
	if got, want := p.raw("send-letter"), strings.Replace(before, `"Sent"`, `"Sent today"`, 1); got != want || got == before {
		t.Errorf("the source is %s, want %s", got, want)
	}
	a := p.ada.HX("item").On(p.endpoint).Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "response:/responses"))
	if a.Status != 200 || a.Find("h1").Length() != 0 || row(a, "/responses/400").Find("[autofocus]").Length() != 1 || !strings.Contains(a.Find("#saved p").Text(), "Saved at") {
		t.Errorf("adding a status gives %d: %s", a.Status, a.Find("#item").Text())
	}
	a = p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "parameter:/parameters"))
	if a.Status != 200 || row(a, "/parameters/0").Length() != 1 || !strings.Contains(p.raw("send-letter"), `"parameters":[{"name":"parameter","in":"query","schema":{"type":"string"}}]`) {
		t.Errorf("adding a parameter gives %d: %s", a.Status, p.raw("send-letter"))
	}
	if source := p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "source")); source.Find("textarea[name=raw]:not([hidden])").Length() != 1 || source.Find(".outline-row").Length() != 0 {
		t.Errorf("the source is not shown: %s", source.Find("#item").Text())
	}
	wrong := p.filled(p.ada.Get(p.endpoint), "in:/responses/400#code", "40")
	for _, path := range []string{p.endpoint, p.endpoint + "/outline"} {
		a := p.ada.Post(path, wrong)
		if a.Status != 422 || a.Find(".alert[data-focus] a").Length() != 1 || row(a, "/responses/400").Find("[aria-invalid=true]").AttrOr("value", "") != "40" {
			t.Errorf("a wrong status gives %d: %s", a.Status, a.Find("#item").Text())
		}
	}
}

// A schema says which endpoints use it, and an endpoint can have a copy of its
// own.
func TestSharedSchema(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	schema := p.page("schema", "letter")
	if a := p.vic.Get(schema); !strings.Contains(a.Find(".users").Text(), "Used by 1 endpoint") || a.Find(".users a").AttrOr("href", "") != p.endpoint {
		t.Errorf("the schema says %s", a.Find(".rail").Text())
	}
	a := p.ada.Get(p.endpoint)
	const at = "/responses/200/content/application~1json/schema"
	if got := row(a, at).Find(".outline-refers"); got.Find("a").AttrOr("href", "") != schema || !strings.Contains(got.Text(), "Used by 1 endpoint") {
		t.Errorf("the row says %s", got.Text())
	}
	p.ada.Post(p.endpoint+"/outline", p.filled(a, "do", "split:"+at))
	if raw := p.raw("send-letter"); strings.Contains(raw, "$ref") || !strings.Contains(raw, `"schema":{"type":"object","properties":{"id":{"type":"string"},"text":{"type":"string"}}}`) {
		t.Errorf("the copy is %s", raw)
	}
	if a := p.vic.Get(schema); a.Find(".users").Length() != 0 {
		t.Errorf("the schema still says %s", a.Find(".rail").Text())
	}
	p.ok(p.ada, p.save(p.ada, schema, "in:/properties/id#name", "letter_id"))
	if raw := p.raw("letter"); !strings.HasPrefix(raw, `{"type":"object","properties":{"letter_id":`) {
		t.Errorf("the schema is %s", raw)
	}
}

// What is typed is saved by itself, as one revision of the history. Forms that
// began elsewhere never overwrite it, and what is reviewed stays.
func TestAutosave(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	page := p.ada.Get(p.guide)
	form := p.filled(page, "text", "One")
	enter := func(form url.Values, text string) *webtest.Answer {
		form.Set("text", text)
		return p.ada.HX("saved").On(p.guide).Post(p.guide+"/autosave", form)
	}
	state := func(a *webtest.Answer) string { return a.Find("#saved p").Text() }
	drafted := `select r.content->>'text' from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'begin'`
	a := enter(form, "One")
	if a.Status != 200 || !strings.HasPrefix(state(a), "Saved at") || a.Find("#item").Length() != 0 || a.Find("input[name=base]").AttrOr("value", "") == form.Get("base") {
		t.Fatalf("the first save gives %d: %s", a.Status, a.Body)
	}
	other := p.filled(p.ada.Get(p.guide)) // another tab
	for _, text := range []string{"One t", "One two"} {
		if a := enter(form, text); !strings.HasPrefix(state(a), "Saved at") { // the answer before was lost
			t.Errorf("%q gives %s", text, a.Body)
		}
	}
	if got := p.text(drafted); got != "One two" {
		t.Errorf("the draft is %q", got)
	}
	if n := p.ada.Get(p.guide + "/history").Find("tbody tr").Length(); n != 2 {
		t.Errorf("the history has %d revisions, want 2", n)
	}
	if a := enter(other, "Mine"); !strings.Contains(state(a), "Not saved: somebody else") || p.text(drafted) != "One two" {
		t.Errorf("the other tab gives %s", a.Body)
	}
	if a := p.ada.Post(p.guide, other); a.Status != 409 || !strings.Contains(a.Find(".conflict").Text(), "One two") {
		t.Errorf("saving in the other tab gives %d", a.Status)
	}
	form.Set("order", "first")
	if a := enter(form, "One two three"); !strings.Contains(state(a), "Not saved: Enter a whole number.") {
		t.Errorf("a wrong field gives %s", a.Body)
	}
	form.Set("order", "0")
	a = p.ok(p.ada, p.ada.Post(p.guide, form))
	if a.Find(".toast .done").Text() != "The draft is saved." || p.text(drafted) != "One two three" {
		t.Errorf("saving says %q and holds %q", a.Find(".toast .done").Text(), p.text(drafted))
	}
	set := p.set()
	p.ok(p.ada, p.submit(set))
	p.ok(p.ada, p.approve(set))
	if a := enter(p.filled(p.ada.Get(p.guide)), "Four"); !strings.Contains(state(a), "is approved, so nothing is saved while you type") || p.text(drafted) != "One two three" {
		t.Errorf("typing into what is approved gives %s", a.Body)
	}
	if a := p.ben.HX("saved").On(p.guide).Post(p.guide+"/autosave", form); a.Status != 403 {
		t.Errorf("typing into the draft of another gives %d", a.Status)
	}
}

// Archiving names what still needs an item.
func TestArchivingNamesWhatLinksHere(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "See [it](/docs/letters/1.0/send-letter#body), not [that](/docs/letters/1.0/send-letters)."))
	for path, want := range map[string]string{p.endpoint: "1 page links here", p.page("schema", "letter"): "Used by 1 endpoint", p.guide: ""} {
		a := p.ada.Get(path + "/archive")
		if text := a.Find("main").Text(); !strings.Contains(text, want) || want == "" && strings.Contains(text, "link") {
			t.Errorf("archiving %s says %s", path, text)
		}
	}
	if a := p.ada.Get(p.endpoint + "/archive"); a.Find("a[href='"+p.guide+"']").Length() != 1 {
		t.Errorf("the guide is not named: %s", a.Find("main").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "See [that](/docs/letters/1.0/send-letters)."))
	if a := p.ada.Get(p.endpoint + "/archive"); strings.Contains(a.Find("main").Text(), "links here") {
		t.Errorf("a longer address counts: %s", a.Find("main").Text())
	}
}
