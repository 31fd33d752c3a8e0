package admin_test

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// publish saves fields of an item as Sue and publishes them at once.
func (p *press) publish(path string, change ...string) {
	p.Helper()
	p.ok(p.sue, p.save(p.sue, path, change...))
	p.ok(p.sue, p.sue.Post(p.set()+"/override", url.Values{"reason": {"Urgent"}}))
}

// live is a field of what is public of an item.
func (p *press) live(slug, field string) string {
	p.Helper()
	return p.text(`select coalesce((select r.content->>'` + field + `' from items i join revisions r on r.id = i.live_revision_id where i.slug = '` + slug + `' and i.archived_at is null), '')`)
}

// A draft is shown on the pages that readers get, and readers get nothing of it.
func TestPreviewAsReader(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Nine **herons**."))
	p.ok(p.ada, p.save(p.ada, p.endpoint, "purpose", "Carries one letter."))
	p.ok(p.ada, p.save(p.ada, p.page("schema", "letter"), "raw", "type: object\nproperties: {stamp: {type: string}}"))
	p.ok(p.ada, p.save(p.ada, p.version, "release_notes", "Stamps."))
	p.ok(p.ada, p.save(p.ada, p.product+"/items/"+p.id("product", "letters"), "description", "Ink and paper."))
	set := p.set()
	for item, want := range map[[2]string]string{
		{"guide", "begin"}: "herons", {"endpoint", "send-letter"}: "Carries one letter.", {"schema", "letter"}: "stamp", {"version", "1.0"}: "Stamps.", {"product", "letters"}: "Ink and paper.",
	} {
		a := p.vic.Get(set + "/items/" + p.id(item[0], item[1]) + "/preview")
		if a.Status != 200 || !strings.Contains(a.Find("main").Text(), want) || a.Find(".draft-strip a").AttrOr("href", "") != set || a.Find("meta[name=robots]").Length() != 1 {
			t.Errorf("the preview of the %s gives %d: %s", item[0], a.Status, a.Find("main").Text())
		}
	}
	if a := p.Client(p.T).Get("/productguide/letters/begin"); strings.Contains(a.Body, "herons") {
		t.Error("a reader gets the draft")
	}
}

// An earlier revision is compared, restored as a draft, and a release reverted.
func TestHistory(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.publish(p.guide, "text", "Second text.")
	a := p.vic.Get(p.guide + "/history")
	if a.Find("tbody tr").Length() != 2 || strings.TrimSpace(a.Find("tbody tr").First().Find("td[data-label=State]").Text()) != "Live" {
		t.Errorf("the history shows %s", a.Find("main").Text())
	}
	if a := p.vic.Get(p.guide + "/history/2"); a.Find(".diff-line.added").Length() != 1 || a.Find("a[href$=restore]").Length() != 0 {
		t.Errorf("the comparison shows %s", a.Find("main").Text())
	}
	if a := p.sue.Get(p.guide + "/history/2?from=9"); a.Status != 404 {
		t.Errorf("a revision that does not exist gives %d", a.Status)
	}
	a = p.sue.Get(p.guide + "/history/1/restore")
	base := a.Find("input[name=base]").AttrOr("value", "")
	if a.Find(".diff").Length() != 1 || base == "" {
		t.Fatalf("the question shows %s", a.Find("main").Text())
	}
	p.ok(p.sue, p.sue.Post(p.guide+"/history/1/restore", url.Values{"base": {base}}))
	if a := p.sue.Post(p.guide+"/history/1/restore", url.Values{"base": {"1"}}); a.Status != 409 && a.Status != 303 {
		t.Errorf("restoring twice gives %d", a.Status)
	}
	p.ok(p.sue, p.sue.Post(p.set()+"/override", url.Values{"reason": {"Back"}}))
	if got := p.live("begin", "text"); !strings.Contains(got, "**one** letter") {
		t.Errorf("published is %q", got)
	}
	a = p.sue.Get(p.product + "/releases")
	revert := a.Find("a[href$=revert]").First().AttrOr("href", "")
	if p.ada.Get(revert).Status != 403 || p.ada.Get(p.product+"/releases").Find("a[href$=revert]").Length() != 0 {
		t.Error("an Editor may revert a release")
	}
	if a := p.sue.HX("confirm-" + "x").Get(revert); a.Find("button.danger").Length() != 1 {
		t.Errorf("the question shows %s", a.Body)
	}
	p.ok(p.sue, p.sue.Post(revert, nil))
	if got := p.live("begin", "text"); got != "Second text." {
		t.Errorf("after the revert, published is %q", got)
	}
}

// Items are added, moved, archived and taken out of a change set, which is split,
// scheduled and cancelled.
func TestChangeSet(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	add := p.product + "/new?kind=guide&parent=" + p.id("product", "letters")
	form := p.filled(p.ada.Get(add), "title", "Errors", "text", "Why letters come back.")
	form.Set("slug", "errors")
	if a := p.ada.Post(p.product+"/new", form); a.Status != 422 || a.Find("#field-slug-error").Length() != 1 || a.Find("#field-title").AttrOr("value", "") != "Errors" {
		t.Errorf("a reserved address gives %d: %s", a.Status, a.Find("#item").Text())
	}
	form.Set("slug", "")
	form.Set("title", "Come back")
	p.ok(p.ada, p.ada.Post(p.product+"/new", form))
	p.ok(p.ada, p.ada.Post(p.endpoint+"/move", url.Values{"slug": {"post-letter"}, "parent": {p.id("version", "1.0")}}))
	p.ok(p.ada, p.ada.Post(p.page("schema", "letter")+"/archive", nil))
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Other."))
	set := p.set()
	a := p.ada.Get(set)
	if a.Find(".draft-item").Length() != 4 || !strings.Contains(a.Find("main").Text(), "from send-letter to post-letter") {
		t.Errorf("the change set shows %s", a.Find("main").Text())
	}
	guide := p.id("guide", "begin")
	if a := p.ada.HX("confirm-" + "1").Get(set + "/items/" + guide + "/removal"); a.Find("button.danger").Length() != 1 {
		t.Errorf("the question shows %s", a.Body)
	}
	p.ok(p.ada, p.ada.Post(set+"/items/"+guide+"/removal", nil))
	a = p.ok(p.ada, p.ada.Post(set+"/split", url.Values{"item": {p.id("schema", "letter")}}))
	if p.set() == set || a.Find(".draft-item").Length() != 1 {
		t.Errorf("the split shows %s", a.Find("main").Text())
	}
	p.ok(p.ada, p.ada.Post(p.set()+"/discard", nil))
	p.ok(p.ada, p.ada.Post(set+"/submit", url.Values{"summary": {"Move"}}))
	p.ok(p.ben, p.ben.Post(set+"/approve", url.Values{"hash": {p.ben.Get(set).Find("input[name=hash]").AttrOr("value", "")}}))
	if a := p.ada.HX("form-schedule").On(set).Post(set+"/schedule", url.Values{"scheduled_for": {"2020-01-01T10:00"}}); a.Status != 422 || a.Find("#field-scheduled_for-error").Length() != 1 {
		t.Errorf("a time that is over gives %d: %s", a.Status, a.Body)
	}
	at := time.Now().UTC().Add(48 * time.Hour).Format("2006-01-02T15:04")
	if a := p.ok(p.ada, p.ada.Post(set+"/schedule", url.Values{"scheduled_for": {at}})); a.Find("input[name=scheduled_for]").AttrOr("value", "") != at || strings.TrimSpace(a.Find(".state-line .badge").Text()) != "Scheduled" {
		t.Errorf("the schedule shows %s", a.Find("main").Text())
	}
	p.ok(p.ada, p.ada.Post(set+"/cancel", nil))
	p.ok(p.ada, p.ada.Post(set+"/publish", nil))
	if got := p.live("post-letter", "name"); got != "Mail a letter" {
		t.Errorf("the moved endpoint is %q", got)
	}
	if a := p.vic.Get("/admin/reviews"); a.Status != 308 || a.Address() != "/admin/drafts_and_reviews" {
		t.Errorf("an old address gives %d", a.Status)
	}
	if a := p.vic.Get("/admin/versions/" + p.id("version", "1.0")); a.Address() != p.version {
		t.Errorf("the address of a version goes to %s", a.Address())
	}
}
