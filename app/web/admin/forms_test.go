package admin_test

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// Each form is sent with and without htmx, and taken.
func TestMain(m *testing.M) { os.Exit(webtest.RunForms(m, "admin")) }

// Forms that only show something of what was typed keep it, and change nothing.
func TestFormsThatOnlyShow(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	guide := url.Values{"kind": {"guide"}, "parent": {p.id("product", "letters")}, "title": {"More"}, "text": {"Written *in ink*."}}
	if a := p.ada.Post(p.product+"/new/preview", guide); a.Status != 200 || a.Find("main em").Text() != "in ink" || a.Find("input[name=title]").AttrOr("value", "") != "More" {
		t.Errorf("the preview of a new guide gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := p.sue.Post("/admin/products/new/preview", url.Values{"name": {"Voice"}, "description": {"Calls *at night*."}}); a.Status != 200 || a.Find("main em").Text() != "at night" {
		t.Errorf("the preview of a new product gives %d: %s", a.Status, a.Find("main").Text())
	}
	address := p.product + "/new?kind=endpoint&parent=" + p.id("version", "1.0")
	typed := p.filled(p.ada.Get(address), "name", "Post a card", "do", "response:/responses")
	typed.Set("kind", "endpoint")
	typed.Set("parent", p.id("version", "1.0"))
	if a := p.ada.Post(p.product+"/new/outline", typed); a.Status != 200 || a.Find("input[name=name]").AttrOr("value", "") != "Post a card" {
		t.Errorf("another row of a new endpoint gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := p.ada.Post(p.endpoint+"/checks", p.filled(p.ada.Get(p.endpoint))); a.Status != 303 || !strings.HasSuffix(p.endpoint, a.Address()) {
		t.Errorf("without htmx the checks give %d %s", a.Status, a.Address())
	}
	var drafts int
	if err := p.DB.QueryRow(t.Context(), `select count(*) from items where draft_revision_id is not null or slug like 'voice%'`).Scan(&drafts); err != nil || drafts != 0 {
		t.Errorf("%d items were changed: %v", drafts, err)
	}
}
