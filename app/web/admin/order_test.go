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

// An item goes to a number of a group by form, and to where it was dragged in the
// tree. A list that somebody else changed answers with the tree as it is, and says so.
func TestPlaceItem(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.ada.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {p.id("product", "letters")}, "title": {"Stamps"}, "group": {"Start"}, "order": {"7"}}))
	begin, stamps := p.id("guide", "begin"), p.id("guide", "stamps")
	p.ada.Get(p.page("guide", "stamps") + "/order")
	a := p.ok(p.ada, p.ada.Post(p.page("guide", "stamps")+"/place", url.Values{"group": {"Start"}, "number": {"1"}}))
	if got := listed(a); got != "Stamps Begin" || !strings.Contains(a.Find(".toast .done").Text(), "The item is moved.") {
		t.Errorf("to the first place: %q, %s", got, a.Find(".toast").Text())
	}
	if a := p.ada.Post(p.page("guide", "stamps")+"/place", url.Values{"group": {"Start"}, "number": {"first"}}); a.Status != 422 || a.Find("#field-number").AttrOr("value", "") != "first" {
		t.Errorf("a place that is no number gives %d: %s", a.Status, a.Find("main").Text())
	}

	tree := p.ada.Get(p.product)
	if tree.Find("[data-place]").AttrOr("action", "") != p.product+"/order" || tree.Find("[data-list] [data-at] .grip").Length() == 0 || tree.Find(".leaf-move").Length() < 2 {
		t.Errorf("the tree has no places: %s", tree.Find("#list").Text())
	}
	for path, c := range map[string]*webtest.Client{p.product + "?q=begin": p.ada, p.product: p.vic} {
		if a := c.Get(path); a.Find("[data-place], [data-list], .leaf-move").Length() != 0 {
			t.Errorf("%s lets items be dragged", path)
		}
	}
	drop := url.Values{"moved": {stamps}, "group": {"Start"}, "before": {""}, "seen": {begin}, "open": {"guide " + p.id("product", "letters") + " Start"}}
	p.ada.Get(p.product)
	p.ok(p.ada, p.ada.Post(p.product+"/order", drop))
	in := p.ada.HX(ui.Filtered).On(p.product).Post(p.product+"/order", drop)
	if in.Status != 200 || in.Find("h1").Length() != 0 || in.Find("[data-at='"+stamps+"'] a[autofocus]").Length() != 1 || in.Find("#live").Text() != "Stamps is now 2 of 2 in Start." {
		t.Errorf("in place: %d, %s", in.Status, in.Body)
	}
	drop.Set("before", begin)
	drop.Set("seen", begin+","+stamps+","+p.id("endpoint", "send-letter"))
	if a := p.ada.HX(ui.Filtered).On(p.product).Post(p.product+"/order", drop); a.Status != 409 || !strings.Contains(a.Find(".alert.bad").Text(), "Somebody else changed this list") || a.Find(".leaves").Length() == 0 {
		t.Errorf("a list that changed gives %d: %s", a.Status, a.Body)
	}
	drop.Set("seen", begin)
	drop.Set("group", "Later")
	drop.Set("before", "")
	drop.Set("seen", "")
	p.ok(p.ada, p.ada.Post(p.product+"/order", drop))
	if got := p.text(`select r.content->>'group' from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'stamps'`); got != "Later" {
		t.Errorf("the group is %q", got)
	}
	drop.Set("moved", "1000000")
	if a := p.ada.Post(p.product+"/order", drop); a.Status != 422 {
		t.Errorf("an unknown item gives %d", a.Status)
	}
	if a := p.ben.Post(p.product+"/order", url.Values{"moved": {stamps}, "group": {"Start"}, "seen": {begin}}); a.Status != 409 || !strings.Contains(a.Find("main").Text(), "ada is changing") {
		t.Errorf("in the change set of another: %d, %s", a.Status, a.Find("main").Text())
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
	link := p.ada.Get(p.endpoint).Find(".item-menu a[href*='copy=']").AttrOr("href", "")
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
	if p.vic.Get(p.endpoint).Find(".item-menu").Length() != 0 {
		t.Error("a Viewer may duplicate")
	}
}
