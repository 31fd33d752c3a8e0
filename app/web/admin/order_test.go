package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// listed returns the names of a list in its order.
func listed(a *webtest.Answer) string {
	var names []string
	a.Find(".order li > a").Each(func(_ int, s *goquery.Selection) { names = append(names, s.Text()) })
	return strings.Join(names, " ")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.ada.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {p.id("product", "letters")}, "title": {"Stamps"}, "group": {"Start"}, "order": {"7"}}))
	shown := p.ada.Get(p.guide + "/order")
	if got := listed(shown); got != "Begin Stamps" || shown.Find("h1").Text() != "Order of Start" {
		t.Fatalf("the list is %q under %q", got, shown.Find("h1").Text())
	}
	if shown.Find(".order [aria-disabled]").Length() != 2 {
		t.Error("the first can move up, or the last down")
	}
	stamps := p.page("guide", "stamps")
	if got := listed(p.ok(p.ada, p.ada.Post(stamps+"/order", url.Values{"to": {"up"}}))); got != "Stamps Begin" {
		t.Errorf("after a move up: %q", got)
	}
	inPlace := p.ada.HX(ui.List).Post(stamps+"/order", url.Values{"to": {"down"}})
	if got := listed(inPlace); got != "Begin Stamps" || inPlace.Find("h1").Length() != 0 || inPlace.Find("#down-"+p.id("guide", "stamps")).Length() != 1 {
		t.Errorf("in place: %q", got)
	}
	if a := p.ada.Post(stamps+"/order", url.Values{"to": {"down"}}); a.Status != 409 {
		t.Errorf("beyond the end: %d", a.Status)
	}
	if a := p.ada.Post(stamps+"/order", url.Values{"to": {"sideways"}}); a.Status != 422 && a.Status != 400 {
		t.Errorf("sideways: %d", a.Status)
	}
	if a := p.ben.Post(stamps+"/order", url.Values{"to": {"up"}}); a.Status != 409 || !strings.Contains(a.Find("main").Text(), "ada is changing") {
		t.Errorf("in the change set of another: %d", a.Status)
	}
	if got := p.vic.Get(p.guide + "/order"); got.Status != 403 {
		t.Errorf("a Viewer gets %d", got.Status)
	}
}

// The last save of a draft is taken back, and the one before it.
func TestUndo(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	if p.ada.Get(p.guide).Find("form[action$=undo]").Length() != 0 {
		t.Error("there is an Undo without a draft")
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "One."))
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Two."))
	if p.ben.Get(p.guide).Find("form[action$=undo]").Length() != 0 || p.ben.Post(p.guide+"/undo", nil).Status != 409 {
		t.Error("Ben undoes what Ada wrote")
	}
	a := p.ok(p.ada, p.ada.Post(p.guide+"/undo", nil))
	if got := strings.TrimSpace(a.Find("#field-text").Text()); got != "One." || a.Find(".toast .done").Text() != "The last save is taken back." {
		t.Errorf("undone: %q, %q", got, a.Find(".toast .done").Text())
	}
	a = p.ok(p.ada, p.ada.Post(p.guide+"/undo", nil))
	if got := a.Find("#field-text").Text(); !strings.Contains(got, "Then post it") {
		t.Errorf("undone twice: %q", got)
	}
}

// A duplicate begins with the content of its original, at another address and
// without its operation id.
func TestDuplicate(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	link := p.ada.Get(p.endpoint).Find(".rail-actions a[href*='copy=']").AttrOr("href", "")
	form := p.ada.Get(link)
	if form.Status != 200 || form.Find("#field-name").AttrOr("value", "") != "Mail a letter (copy)" || form.Find("#field-slug").AttrOr("value", "") != "" || form.Find("#field-operation_id").AttrOr("value", "") != "" {
		t.Fatalf("%q gives %d: %s", link, form.Status, form.Find("main").Text())
	}
	p.ok(p.ada, p.ada.Post(p.product+"/new", p.filled(form, "path", "/parcels")))
	content := p.text(`select content::text from revisions r join items i on i.draft_revision_id = r.id where i.slug = 'mail-a-letter-copy'`)
	if !strings.Contains(content, "x-first") || !strings.Contains(content, "/parcels") || strings.Contains(content, "sendLetter") {
		t.Errorf("the duplicate is %s", content)
	}
	if a := p.ada.Get(p.product + "/new?kind=guide&parent=" + p.id("product", "letters") + "&copy=" + p.id("endpoint", "send-letter")); a.Status != 404 {
		t.Errorf("a guide from an endpoint gives %d", a.Status)
	}
	if p.vic.Get(p.endpoint).Find(".rail-actions").Length() != 0 {
		t.Error("a Viewer may duplicate")
	}
}
