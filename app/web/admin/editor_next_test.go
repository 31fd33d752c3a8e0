package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// A saved draft leads to its review, and what a reviewer asked for stands on top of the
// change set and of the item until it is submitted again.
func TestThereIsAlwaysANextStep(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	if next := p.ada.Get(p.guide).Find("#item .actions a").Length(); next != 0 {
		t.Errorf("without changes, %d links lead on", next)
	}
	for path, want := range map[string]string{p.page("product", "letters"): "Add a version", p.version: "Add an endpoint"} {
		below := p.ada.Get(path).Find("#item .actions a").Last()
		if a := p.ada.Get(below.AttrOr("href", "/")); below.Text() != want || a.Status != 200 || a.Find("#item, main form").Length() == 0 {
			t.Errorf("%s leads to %q, which gives %d", path, below.Text(), a.Status)
		}
	}
	form := p.filled(p.ada.Get(p.guide), "text", "Write two letters.")
	part := p.ada.HX("saved").On(p.guide).Post(p.guide+"/autosave", form)
	if next := part.Find("#saved a"); next.Text() != "Review changes (1) →" || next.AttrOr("href", "") != p.set() {
		t.Errorf("a draft that saved itself leads to %q: %s", next.Text(), part.Body)
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write three letters."))
	set := p.set()
	next := p.ada.Get(p.guide).Find("#item .actions a")
	if next.Text() != "Review changes (1) →" || next.AttrOr("href", "") != set {
		t.Errorf("a saved draft leads to %q at %q", next.Text(), next.AttrOr("href", ""))
	}
	p.ok(p.ada, p.submit(set))
	box := p.ben.Get(set).Find("#form-comment")
	if box.Length() != 1 || box.Find("textarea").Length() != 1 || box.Find("button[formaction='"+set+"/request-changes']").Text() != "Request changes" {
		html, _ := box.Html()
		t.Errorf("the reviewer has no single box for a comment and a request: %d %s", box.Length(), html)
	}
	p.ok(p.ben, p.ben.Post(set+"/request-changes", url.Values{"reason": {"Say for **how long**."}}))
	for name, path := range map[string]string{"the change set": set, "the item": p.guide} {
		alert := p.ada.Get(path).Find("main .alert.warn").First()
		if !strings.Contains(alert.Text(), "ben asked for changes") || alert.Find("strong:contains('how long')").Length() != 1 {
			t.Errorf("%s begins with %q", name, alert.Text())
		}
	}
	p.ok(p.ada, p.submit(set))
	if alert := p.ada.Get(p.guide).Find("main .alert.warn"); alert.Length() != 0 {
		t.Errorf("after it was submitted again, the item says %q", alert.Text())
	}
}

// Staff find the form of a public page from its header. The page itself is the same for
// everybody.
func TestPublicPagesLeadToTheirForms(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	link := p.ada.HX("account-link").Get("/account/link")
	if a := link.Find("a#account-link"); a.Text() != "Edit page" || a.AttrOr("href", "") != "/admin/edit" {
		t.Errorf("an Editor gets %s", link.Body)
	}
	if a := p.vic.HX("account-link").Get("/account/link").Find("a"); a.Text() != "Admin" {
		t.Errorf("a Viewer gets %q", a.Text())
	}
	for from, want := range map[string]string{
		"/docs/letters": p.page("product", "letters"), "/docs/letters/1.0": p.version, "/docs/letters/1.0/send-letter": p.endpoint, "/docs/letters/1.0/errors": p.version,
		"/productguide/letters/begin": p.guide, "/": "/admin/products", "/docs/none/1.0": "/admin/products",
	} {
		a := p.ada.With("Referer", "http://localhost:8080"+from).Get("/admin/edit")
		if got := a.Header.Get("Location"); a.Status != 303 || got != want {
			t.Errorf("from %s, an Editor gets to %s (%d), want %s", from, got, a.Status, want)
		}
	}
}

// The form of what readers see leads to their page.
func TestFormsLeadToThePublicPage(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	for path, want := range map[string]string{
		p.page("product", "letters"): "/docs/letters", p.version: "/docs/letters/1.0", p.endpoint: "/docs/letters/1.0/send-letter", p.guide: "/productguide/letters/begin",
	} {
		if got := p.ada.Get(path).Find(".item-links a:contains('Public page')").AttrOr("href", ""); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
	exec(t, p.Site, `update items set archived_at = now() where slug = 'begin'`)
	if n := p.ada.Get(p.guide).Find(".item-links a:contains('Public page')").Length(); n != 0 {
		t.Error("an archived guide leads to a page that readers do not have")
	}
	p.ok(p.sue, p.save(p.sue, p.page("product", "letters"), "coming_soon", "true"))
	p.ok(p.sue, p.sue.Post(p.set()+"/override", url.Values{"reason": {"It is announced first."}}))
	if got := column(p.ada.Get("/admin/products"), "State"); len(got) != 1 || got[0] != "Coming soon" {
		t.Errorf("an announced product is shown as %q", got)
	}
}

// A new version has the title of its product and says how calls authenticate; the next
// one continues it. A new endpoint has the errors that its version shares.
func TestNewVersionsAndEndpointsBeginSensibly(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.sue, p.sue.Post("/admin/products", url.Values{"name": {"Fax"}, "slug": {"fax"}, "homepage": {"true"}}))
	product := p.id("product", "fax")
	form := p.sue.Get("/admin/products/" + product + "/new?kind=version&parent=" + product)
	value := func(a *webtest.Answer, label string) string {
		field := a.Find("#item label:contains('" + label + "')").First()
		control := a.Find("#" + field.AttrOr("for", ""))
		if control.Is("select") {
			return control.Find("option[selected]").Text()
		}
		return control.AttrOr("value", "")
	}
	if title, auth := value(form, "Title of the API"), value(form, "Endpoints need"); title != "Fax API" || auth != "apiKey" {
		t.Errorf("a first version begins with the title %q and the authentication %q", title, auth)
	}
	p.ok(p.sue, p.sue.Post("/admin/products/"+product+"/new", p.filled(form, "kind", "version", "parent", product, "slug", "1.0")))
	version := p.text(`select id::text from items where kind = 'version' and parent_id = ` + product)
	endpoint := p.sue.Get("/admin/products/" + product + "/new?kind=endpoint&parent=" + version)
	if raw := endpoint.Find("textarea[name=raw]").Text(); !strings.Contains(raw, `"401"`) || !strings.Contains(raw, "#/components/responses/Unauthorized") {
		t.Errorf("a new endpoint begins with %s", raw)
	}
	if first := endpoint.Find("#item .field label").First().Text(); !strings.Contains(first, "Address") && !strings.Contains(first, "Title") {
		t.Errorf("the form begins with %q", first)
	}
	if n := endpoint.Find("#item > details #field-operation_id, #item > details #field-order").Length(); n != 2 {
		t.Errorf("%d technical fields are folded", n)
	}
	next := p.sue.Get("/admin/products/" + product + "/new?kind=version&parent=" + product)
	if title := value(next, "Title of the API"); title != "Fax API" || next.Find("textarea[name=frame]").Length() != 1 {
		t.Errorf("the next version begins with %q", title)
	}
}
