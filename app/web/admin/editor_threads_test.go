package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// newThread is the address at which Ben comments on a field of an item.
func (p *press) newThread(set, kind, slug, field string) string {
	p.Helper()
	path := set + "/items/" + p.id(kind, slug) + "/threads/new"
	if field == "" {
		return path
	}
	return path + "?field=" + field + "&revision=" + p.text(`select draft_revision_id::text from items where id = `+p.id(kind, slug))
}

// thread has Ben comment on a field of an item.
func (p *press) thread(set, kind, slug, field, text string) *webtest.Answer {
	p.Helper()
	return p.ok(p.ben, p.ben.Post(p.newThread(set, kind, slug, field), url.Values{"text": {text}}))
}

// lastThread is where replies to the last thread go.
func (p *press) lastThread(set string) string {
	p.Helper()
	return set + "/threads/" + p.text(`select max(id)::text from review_threads`)
}

func TestThreads(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "One.\n\nTwo."))
	set := p.set()
	form := p.ben.Get(p.newThread(set, "guide", "begin", "text") + "&from=3&to=3")
	if got := form.Find("blockquote").Text(); form.Status != 200 || got != "Two." {
		t.Fatalf("the form gives %d about %q", form.Status, got)
	}
	refused := p.ben.Post(p.newThread(set, "guide", "begin", "text"), url.Values{"text": {" "}})
	if refused.Status != 422 || !strings.Contains(refused.Find("form .error").Text(), "Write something") {
		t.Errorf("an empty comment gives %d: %s", refused.Status, refused.Find("main").Text())
	}
	shown := p.thread(set, "guide", "begin", "text", "Where is **three**?\n\n<script>alert(1)</script>")
	region := "#thread-" + p.text(`select max(id)::text from review_threads`)
	if shown.Find(region+" .prose strong").Text() != "three" || shown.Find(region+" script").Length() != 0 || shown.Find("#live-threads").Text() == "" {
		t.Errorf("the change set shows %s", shown.Find(region).Text())
	}
	if got := p.ada.Get("/admin/drafts_and_reviews").Find("#list tbody tr td:nth-child(6)").Text(); strings.TrimSpace(got) != "1" {
		t.Errorf("the list counts %q open comments", got)
	}

	// The author sees it beside the form, and answers there.
	rail := p.ada.Get(p.guide).Find(".rail " + region)
	if rail.Find("a[href='#field-text']").Length() != 1 || rail.Find("form").Length() != 1 {
		t.Fatalf("the editor shows %q", rail.Text())
	}
	answered := p.ada.Post(p.lastThread(set), url.Values{"text": {"Below."}, "do": {"resolve"}, "from": {"item"}})
	if location := answered.Header.Get("Location"); answered.Status != 303 || !strings.HasPrefix(location, p.guide) || !strings.HasSuffix(location, region) {
		t.Fatalf("the answer gives %d, %s", answered.Status, location)
	}
	thread := p.vic.Get(set).Find(region)
	if text := thread.Text(); !strings.Contains(text, "Below.") || !strings.Contains(text, "Resolved by ada") || thread.Find("form").Length() != 0 {
		t.Errorf("a Viewer sees %q", text)
	}
	if a := p.ada.Post(p.lastThread(set), url.Values{"do": {"resolve"}}); a.Status != 409 || !strings.Contains(a.Find(region).Text(), "already resolved") {
		t.Errorf("resolving it again gives %d: %s", a.Status, a.Find("main").Text())
	}
	for name, c := range map[string]*webtest.Client{"a Viewer": p.vic, "an Editor of other products": p.eva} {
		if a := c.Post(p.lastThread(set), url.Values{"text": {"Hm."}}); a.Status != 403 {
			t.Errorf("%s replies with %d", name, a.Status)
		}
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Three."))
	if got := p.ben.Get(set).Find(region).Text(); !strings.Contains(got, "Outdated") {
		t.Errorf("a thread on a text that was changed: %q", got)
	}
}

// In place the answer to a reply is the thread alone, with what was typed if it is
// refused.
func TestReplyInPlace(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "One."))
	set := p.set()
	p.thread(set, "guide", "begin", "", "Why?")
	region := "thread-" + p.text(`select max(id)::text from review_threads`)
	a := p.ada.HX(ui.Region(region)).Post(p.lastThread(set), url.Values{"text": {strings.Repeat("x", 2001)}, "do": {"reply"}})
	if a.Status != 422 || a.Find("h1").Length() != 0 || len(a.Find("textarea").Text()) != 2001 || a.Find("details[open] .error").Length() != 1 {
		t.Errorf("refused in place with %d: %s", a.Status, a.Body)
	}
	a = p.ada.HX(ui.Region(region)).Post(p.lastThread(set), url.Values{"text": {"So."}, "do": {"reply"}})
	if a.Status != 200 || a.Find("h1").Length() != 0 || a.Find("#"+region+" .remarks > li").Length() != 2 || a.Find("summary[data-focus]").Length() != 1 {
		t.Errorf("replied in place with %d: %s", a.Status, a.Body)
	}
}

// A request for changes can begin a thread, and is answered before the change set is
// submitted again.
func TestRequestChangesOfAField(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "One."))
	set := p.set()
	p.ok(p.ada, p.submit(set))
	about := p.id("guide", "begin") + ".text"
	if got := p.ben.Get(set).Find("#form-comment option[value='" + about + "']").Text(); got != "Begin: Text" {
		t.Errorf("the form offers %q", got)
	}
	a := p.ben.Post(set+"/request-changes", url.Values{"reason": {""}, "about": {about}})
	if a.Status != 422 || a.Find("#form-comment option[selected]").AttrOr("value", "") != about || a.Find("#form-comment .error").Length() != 1 {
		t.Errorf("no reason gives %d", a.Status)
	}
	p.ok(p.ben, p.ben.Post(set+"/request-changes", url.Values{"reason": {"Say more."}, "about": {about}}))
	a = p.submit(set)
	if a.Status != 409 || !strings.Contains(a.Find("#form-submit").Text(), "A comment waits for an answer") {
		t.Errorf("submitted again with %d: %s", a.Status, a.Find("main").Text())
	}
	p.ok(p.ada, p.ada.Post(p.lastThread(set), url.Values{"text": {"It is enough."}}))
	p.ok(p.ada, p.submit(set))
}
