package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/documentation/published"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// preview makes a preview link of an item and returns its path.
func (p *press) preview(item, revision string) string {
	p.Helper()
	if a := p.ada.Post(item+"/previews", url.Values{"revision": {revision}}); a.Status != 303 || a.Header.Get("Location") != item+"/previews" {
		p.Fatalf("making a link gives %d: %s", a.Status, a.Find("main").Text())
	}
	a := p.ada.Get(item + "/previews")
	_, token, ok := strings.Cut(a.Find("main pre").Text(), "/preview/")
	if !ok {
		p.Fatalf("no link is shown: %s", a.Find("main").Text())
	}
	return "/preview/" + token
}

// revocation is where the newest preview link is revoked.
func (p *press) revocation() string {
	p.Helper()
	return p.guide + "/previews/" + p.text(`select max(id)::text from preview_links`) + "/revocation"
}

func (p *press) views() string {
	p.Helper()
	return p.text(`select views::text from preview_links order by id desc limit 1`)
}

// Somebody without an account opens the link, until it is revoked.
func TestPreviewLink(t *testing.T) {
	t.Parallel()
	var deps web.Deps
	p := newPress(t, func(d *web.Deps) { deps = *d })
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Nine **herons**."))
	p.ok(p.ben, p.save(p.ben, p.endpoint, "name", "Post a secret"))
	if err := deps.Documentation.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	link, reader := p.preview(p.guide, "0"), p.Client(t)
	if a := p.ada.Get(p.guide + "/previews"); strings.Contains(a.Body, link) || a.Find("table form, table a[href$=revocation]").Length() != 1 {
		t.Errorf("the list shows the link again or cannot revoke it: %s", a.Find("main").Text())
	}
	if a := p.vic.Get(p.guide + "/previews"); a.Status != 200 || a.Find("main form, a[href$=revocation]").Length() != 0 {
		t.Errorf("a Viewer gets %d: %s", a.Status, a.Find("main").Text())
	}
	a := reader.Get(link)
	if a.Status != 200 || a.Find("main strong").Text() != "herons" || !strings.Contains(a.Find(".draft-strip").Text(), "Preview of a draft, not published. Valid until ") {
		t.Fatalf("the reader gets %d: %s", a.Status, a.Find("body").Text())
	}
	if a.Find("link[rel=stylesheet][href*=area]").Length() != 1 {
		t.Error("the notice has no style")
	}
	if strings.Contains(a.Body, "secret") {
		t.Error("the page has something of another draft")
	}
	for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Set-Cookie": ""} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if a.Find("meta[name=robots][content=noindex]").Length() != 1 || a.Find("link[rel=canonical]").Length() != 0 || a.Find("body[hx-boost=false]:not([data-boost])").Length() != 1 {
		t.Error("the page may be indexed, or its notice stays beside the next page")
	}
	reader.Head(link)
	if got := p.views(); got != "2" { // Get asks as htmx too
		t.Errorf("%s views are counted, want 2", got)
	}
	if a := reader.Get("/productguide/letters/begin"); strings.Contains(a.Body, "herons") {
		t.Error("readers get the draft")
	}
	if a := p.ben.Get(p.revocation()); a.Status != 200 || a.Find("main form").Length() == 0 {
		t.Errorf("revoking asks with %d: %s", a.Status, a.Find("main").Text())
	}
	p.ok(p.ben, p.ben.Post(p.revocation(), nil))
	a, unknown := reader.Get(link), reader.Get("/preview/unknown")
	if a.Status != 404 || a.Find("h1").Text() != "This preview has ended" || a.Find("main p").First().Text() != unknown.Find("main p").First().Text() || unknown.Status != 404 {
		t.Errorf("a revoked link gives %d %q, an unknown one %d %q", a.Status, a.Find("main").Text(), unknown.Status, unknown.Find("main").Text())
	}
	if got := a.Header.Get("Referrer-Policy") + a.Header.Get("Cache-Control") + a.Header.Get("X-Robots-Tag"); got != "no-referrerno-storenoindex" || p.views() != "2" {
		t.Errorf("a revoked link has %s and %s views", got, p.views())
	}
	if log := p.Site.Log.String(); strings.Contains(log, strings.TrimPrefix(link, "/preview/")) || !strings.Contains(log, `"route":"preview"`) {
		t.Error("the log tells the token of a preview, or nothing of it")
	}
}

// Each kind of item has a preview. When its draft is published, links go on to the
// page of readers.
func TestPreviewLinkRedirectsOnceLive(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t) // releases are compared side by side
	listener := db.NewListener(pool)
	published := published.New(pool, listener)
	p := newPressOver(t, pool, func(deps *web.Deps) { deps.Listener, deps.Documentation = listener, published })
	if err := published.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader := p.Client(t)
	for item, c := range map[string]struct{ field, value, shown, to string }{
		p.guide:                      {"text", "Nine herons.", "Nine herons.", "/productguide/letters/begin"},
		p.endpoint:                   {"purpose", "Carries one heron.", "Carries one heron.", "/docs/letters/1.0/send-letter"},
		p.version:                    {"release_notes", "Herons.", "Letters", "/docs/letters/1.0"},
		p.page("schema", "letter"):   {"raw", "type: object\nproperties: {heron: {type: string}}", "heron", "/docs/letters/1.0/schemas/Letter"},
		p.page("product", "letters"): {"description", "Ink and herons.", "Ink and herons.", "/docs/letters"},
	} {
		p.ok(p.sue, p.save(p.sue, item, c.field, c.value))
		follow := p.preview(item, "0")
		pin := p.preview(item, p.text(`select max(number)::text from revisions where item_id = `+item[strings.LastIndex(item, "/")+1:]))
		for _, link := range []string{follow, pin} {
			if a := reader.Get(link); a.Status != 200 || !strings.Contains(a.Find("main").Text(), c.shown) {
				t.Errorf("%s: the preview is %d: %s", c.to, a.Status, a.Find("main").Text())
			}
		}
		p.ok(p.sue, p.sue.Post(p.set()+"/override", url.Values{"reason": {"Urgent"}}))
		for _, link := range []string{follow, pin} {
			if a := reader.Get(link); a.Status != 302 || a.Header.Get("Location") != c.to {
				t.Errorf("once live, the preview gives %d to %s, want %s", a.Status, a.Header.Get("Location"), c.to)
			}
		}
	}
}

// A form that cannot be taken comes back with what is wrong.
func TestPreviewLinkRefused(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	if a := p.ada.Get(p.guide + "/previews"); a.Find("main form").Length() != 0 || !strings.Contains(a.Find("main .note").Text(), "Save a draft") {
		t.Errorf("without a draft the page is %s", a.Find("main").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Nine herons."))
	for field, value := range map[string]string{"days": "400", "revision": "1"} {
		if a := p.ada.Post(p.guide+"/previews", url.Values{field: {value}}); a.Status != 422 || a.Find("main [aria-invalid=true][name="+field+"]").Length() != 1 {
			t.Errorf("%s %s gives %d: %s", field, value, a.Status, a.Find("main").Text())
		}
	}
	if a := p.eva.Post(p.guide+"/previews", url.Values{"days": {"7"}}); a.Status != 403 {
		t.Errorf("an Editor of another product gets %d", a.Status)
	}
	// The limit of one network.
	reader := p.Client(t)
	var last *webtest.Answer
	for range 125 {
		if last = reader.Get("/preview/unknown"); last.Status == 429 {
			break
		}
	}
	if last.Status != 429 {
		t.Errorf("125 guesses end with %d", last.Status)
	}
}
