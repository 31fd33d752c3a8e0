package reader_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/static"
)

// Every public page is a page and a fragment with the same content, kept by
// caches side by side.
func TestFragmentsAreCachedBesidePages(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for _, path := range []string{
		"/", "/docs/business-messaging", "/docs/business-messaging/3.0", longPage, "/docs/business-messaging/3.0/schemas/ButtonsComponent",
		"/productguide", "/productguide/business-messaging/receive-callbacks",
	} {
		whole := p.ask("GET", path)
		doc := p.page(t, path)
		hx := []string{"HX-Request", "true", "HX-Boosted", "true", "HX-Target", "main"}
		part := p.ask("GET", path, hx...)
		fragment, err := goquery.NewDocumentFromReader(bytes.NewReader(part.Body.Bytes()))
		if err != nil || part.Code != http.StatusOK {
			t.Fatalf("%s: %d %v", path, part.Code, err)
		}
		for _, same := range []string{"title", "#canonical", "#alternate", "#accent", "#places", "#navigation", "#search-link", "#search-scope", "main"} {
			want, _ := goquery.OuterHtml(doc.Find(same).First())
			got, _ := goquery.OuterHtml(fragment.Find(same).First())
			if got != want || got == "" {
				t.Errorf("%s: %s is %.200s in the fragment and %.200s in the page", path, same, got, want)
			}
		}
		if fragment.Find("footer, dialog, script").Length() > 0 || part.Body.Len() >= whole.Body.Len() {
			t.Errorf("%s: the fragment carries the frame: %d of %d bytes", path, part.Body.Len(), whole.Body.Len())
		}
		if part.Header().Get("Etag") == whole.Header().Get("Etag") || part.Header().Get("Vary") != whole.Header().Get("Vary") || !strings.HasSuffix(part.Header().Get("Vary"), "HX-Request, HX-Target, Accept") {
			t.Errorf("%s: headers %v and %v", path, part.Header(), whole.Header())
		}
		if w := p.ask("GET", path, append(hx, "If-None-Match", part.Header().Get("Etag"))...); w.Code != http.StatusNotModified {
			t.Errorf("%s: its own tag: %d", path, w.Code)
		}
		if w := p.ask("GET", path, append(hx, "HX-Preloaded", "true")...); w.Header().Get("Cache-Control") != "private, max-age=30" {
			t.Errorf("%s: preloaded with %v", path, w.Header())
		}
		for _, headers := range [][]string{{"HX-Request", "true"}, {"HX-Request", "true", "HX-Target", "main", "HX-History-Restore-Request", "true"}} {
			if w := p.ask("GET", path, headers...); w.Body.String() != whole.Body.String() {
				t.Errorf("%s with %v is no whole page", path, headers)
			}
		}
	}
}

// Parts of pages are answered alone; a part that a page does not have is its main
// part.
func TestPartsOfPages(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	w := p.ask("GET", longPage+"?lang=go", "HX-Request", "true", "HX-Target", "samples")
	if body := w.Body.String(); !strings.HasPrefix(body, `<div id="called">`) || !strings.Contains(body, `id="samples"`) || strings.Contains(body, "<main") {
		t.Errorf("the samples are %.300s", body)
	}
	w = p.ask("GET", longPage, "HX-Request", "true", "HX-Target", "elsewhere")
	if h := w.Header(); h.Get("HX-Retarget") != "#main" || h.Get("HX-Reswap") != "outerHTML" || !strings.HasPrefix(w.Body.String(), "<main") {
		t.Errorf("an unknown part: %v", h)
	}
	w = p.ask("GET", "/docs/business-messaging/3.0/nothing", "HX-Request", "true", "HX-Boosted", "true", "HX-Target", "main")
	if h := w.Header(); w.Code != http.StatusNotFound || h.Get("HX-Retarget") != "#main" || h.Get("HX-Push-Url") == "false" || !strings.HasPrefix(w.Body.String(), "<main") {
		t.Errorf("a page that is missing: %d %v", w.Code, h)
	}
	generate(t, p.pool, 1, 300)
	p.refresh(t)
	w = p.ask("GET", "/docs/channel-0/1.0", "HX-Request", "true", "HX-Target", "groups")
	fragment, err := goquery.NewDocumentFromReader(w.Body)
	if err != nil || fragment.Find("#groups-1 a").Length() == 0 || fragment.Find("main").Length() > 0 {
		t.Errorf("the groups of the navigation: %v", err)
	}
	endpoint := p.documentation.Snapshot().Product("channel-0").Latest().Endpoints()[0]
	filter := p.page(t, "/docs/channel-0/1.0/"+endpoint.Slug).Find("#groups")
	if filter.AttrOr("hx-get", "") != "/docs/channel-0/1.0" || !strings.Contains(filter.AttrOr("hx-select-oob", ""), "#groups-1") {
		t.Errorf("the filter takes the groups from %v", filter.Nodes[0].Attr)
	}
}

// The first view of a page of the reference is felt by every visitor.
func TestFirstViewIsLight(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	total := p.ask("GET", longPage, "Accept-Encoding", "gzip").Body.Len()
	doc := p.page(t, longPage)
	doc.Find(`script[src], link[rel="stylesheet"], link[rel="icon"]`).Each(func(_ int, s *goquery.Selection) {
		address := s.AttrOr("src", s.AttrOr("href", ""))
		asset, ok := static.Open(address)
		if !ok {
			t.Errorf("%s is not there", address)
		}
		total += len(asset.Gzip)
		if asset.Gzip == nil {
			total += len(asset.Body)
		}
	})
	t.Logf("the first view takes %d bytes", total)
	if total > 75_000 {
		t.Errorf("the first view takes %d bytes, at most 75,000", total)
	}
}

// The filter of the navigation leaves the endpoints that have in method, path and name
// all of its words, in a part of the page and, without script, in the whole page.
func TestNavigationIsFiltered(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	part := func(path string) *goquery.Document {
		w := p.ask("GET", path, "HX-Request", "true", "HX-Target", "nav-groups")
		doc, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil || w.Code != http.StatusOK || doc.Find("main, title").Length() > 0 {
			t.Fatalf("%s: %d %v, with a page around it: %t", path, w.Code, err, doc.Find("main, title").Length() > 0)
		}
		return doc
	}
	const base = "/docs/business-messaging/3.0"
	for _, path := range []string{base, longPage, base + "/errors", base + "/schemas/ButtonsComponent"} {
		whole := p.page(t, path).Find("#nav-groups")
		all, without := part(path).Find("#nav-groups"), part(path+"?filter=+").Find("#nav-groups")
		want, _ := whole.Html()
		for name, got := range map[string]*goquery.Selection{"no filter": all, "an empty filter": without} {
			if html, _ := got.Html(); html != want || html == "" {
				t.Errorf("%s: %s leaves %.300s", path, name, html)
			}
		}
		for name, got := range map[string]*goquery.Selection{
			"the part": part(path + "?filter=GET+Template").Selection, "the part after another filter": part(path + "?filter=zzz&filter=get+template").Selection,
			"the whole page": p.page(t, path+"?filter=get+template").Find("#navigation"),
		} {
			links := got.Find("#nav-groups details[open] li a")
			if n := links.Length(); n == 0 || n == whole.Find("li a b").Length() || got.Find("#nav-groups details:not([open])").Length() > 0 {
				t.Errorf("%s: %s has %d endpoints", path, name, n)
			}
			links.Each(func(_ int, a *goquery.Selection) {
				if a.Find("b").Text() != "GET" || !strings.Contains(strings.ToLower(a.Text()+a.AttrOr("href", "")), "template") {
					t.Errorf("%s: %s keeps %s", path, name, words(a))
				}
			})
		}
	}
	one, none := part(longPage+"?filter=post+send+a+message"), part(longPage+"?filter=qqq")
	if got := one.Find("#nav-groups [aria-current=page]").AttrOr("href", "") + one.Find("#live").Text(); got != longPage+"1 endpoint" {
		t.Errorf("the current endpoint, and how many there are: %q", got)
	}
	if got := none.Find("#nav-groups .nav-none").Text() + none.Find("#live").Text(); got != "Nothing matches.Nothing matches." {
		t.Errorf("without a match: %q", got)
	}
	if field := p.page(t, longPage+"?filter=%3Cb%3E+qqq").Find("#nav-filter"); field.AttrOr("value", "") != "<b> qqq" {
		t.Errorf("the filter has %q", field.AttrOr("value", ""))
	}
}

// Error codes are found by their beginning and by words of what they say, in the list
// alone and, without script, in the whole page.
func TestErrorCodesAreFiltered(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	const path = "/docs/sms/1.0/errors"
	all := p.page(t, path).Find(".error-entry").Length()
	for text, want := range map[string]string{"306": "306", "invalid+credentials": "306"} {
		for name, got := range map[string]*goquery.Document{"the page": p.page(t, path+"?find="+text), "the list": part(t, p, path+"?find="+text)} {
			entries := got.Find(".error-entry")
			if n := entries.Length(); n == 0 || n >= all || !strings.Contains(entries.Text(), want) {
				t.Errorf("%s for %s has %d of %d codes", name, text, n, all)
			}
		}
	}
	if none := p.page(t, path+"?find=zzz"); none.Find(".error-entry").Length() != 0 || none.Find(".empty").Length() != 1 {
		t.Error("what matches nothing does not say so")
	}
	if n := part(t, p, path+"?find=+").Find(".error-entry").Length(); n != all {
		t.Errorf("an empty filter leaves %d of %d codes", n, all)
	}
}

// part is the list of a page as htmx asks for it.
func part(t *testing.T, p *testPortal, path string) *goquery.Document {
	t.Helper()
	w := p.ask("GET", path, "HX-Request", "true", "HX-Target", "list")
	doc, err := goquery.NewDocumentFromReader(w.Body)
	if err != nil || w.Code != http.StatusOK || doc.Find("main, article").Length() > 0 || doc.Find("#list").Length() != 1 {
		t.Fatalf("%s: %d %v, with a page around it: %t", path, w.Code, err, doc.Find("main, article").Length() > 0)
	}
	return doc
}
