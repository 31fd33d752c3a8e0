package reader_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/openapi/sample"
)

// calls reads the part of an endpoint's page that its language decides.
// causing matches the label of a call that gets an error.
var causing = regexp.MustCompile(`^\d\d\d · `)

func calls(t *testing.T, body string) *goquery.Document {
	t.Helper()
	_, body, _ = strings.Cut(body, `<aside `)
	body, _, _ = strings.Cut(body, "</aside>")
	doc, err := goquery.NewDocumentFromReader(strings.NewReader("<aside" + body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The address decides on the language, then the cookie; what is no language of
// samples is as if it were not there.
func TestLanguageIsChosen(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	const path = "/docs/mirrors/2.0/get-mirror"
	tags := map[string]string{}
	for _, tt := range []struct{ query, cookie, want string }{
		{"", "", "cURL"},
		{"?lang=python", "", "Python"},
		{"", "lang=go", "Go"},
		{"", "theme=dark; lang=csharp", "C#"},
		{"?lang=python", "lang=go", "Python"},
		{"?lang=cobol", "lang=go", "Go"},
		{"?lang=cobol", "", "cURL"},
		{"?lang=", "lang=GO", "cURL"},
		{"?lang=%zz", `lang="><script>`, "cURL"},
		{"?other=python", "language=go", "cURL"},
	} {
		w := p.ask("GET", path+tt.query, "Cookie", tt.cookie)
		doc := calls(t, w.Body.String())
		if got := doc.Find("[data-kept=lang] [aria-current]").Text(); w.Code != http.StatusOK || got != tt.want {
			t.Errorf("%s with %q: %d in %q, want %s", tt.query, tt.cookie, w.Code, got, tt.want)
		}
		if title := doc.Find("#calls figcaption span").First().Text(); title != tt.want {
			t.Errorf("%s with %q: a sample in %q, want %s", tt.query, tt.cookie, title, tt.want)
		}
		if !strings.Contains(w.Body.String(), `<link id="canonical" rel="canonical" href="`+origin+path+`">`) {
			t.Errorf("%s has another canonical address", tt.query)
		}
		h := w.Header()
		if h.Get("Vary") != "Accept-Encoding, Cookie, HX-Request, HX-Target, Accept" || h.Get("Set-Cookie") != "" {
			t.Errorf("%s with %q: headers %v", tt.query, tt.cookie, h)
		}
		if tag := tags[tt.want]; tag != "" && tag != h.Get("Etag") {
			t.Errorf("%s has two tags", tt.want)
		}
		tags[tt.want] = h.Get("Etag")
	}
	seen := map[string]string{}
	for name, tag := range tags {
		if seen[tag] != "" {
			t.Errorf("%s and %s share a tag", name, seen[tag])
		}
		seen[tag] = name
	}
	for cookie, want := range map[string]int{"lang=go": http.StatusNotModified, "lang=python": http.StatusOK, "": http.StatusOK} {
		if w := p.ask("HEAD", path, "Cookie", cookie, "If-None-Match", tags["Go"]); w.Code != want || w.Body.Len() > 0 || w.Header().Get("Vary") != "Accept-Encoding, Cookie, HX-Request, HX-Target, Accept" {
			t.Errorf("the tag of Go with %q: %d, want %d; %v", cookie, w.Code, want, w.Header())
		}
	}
	if w := p.ask("GET", "/docs/mirrors/2.0?lang=go"); w.Code != http.StatusOK || w.Header().Get("Vary") != "Accept-Encoding, HX-Request, HX-Target, Accept" {
		t.Errorf("a page without samples: %d %v", w.Code, w.Header())
	}
}

// Every endpoint of the seed shows every call in every language.
func TestEveryLanguage(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for _, product := range p.documentation.Snapshot().Products {
		for _, v := range product.Versions {
			for _, e := range v.Endpoints() {
				for _, l := range sample.Languages() {
					path := "/docs/" + product.Slug + "/" + v.Slug + "/" + e.Slug + "?lang=" + l.Slug
					w := p.ask("GET", path, "Accept-Encoding", "gzip")
					if w.Code != http.StatusOK || w.Body.Len() > 40_000 {
						t.Errorf("%s: %d with %d bytes", path, w.Code, w.Body.Len())
						continue
					}
					doc := calls(t, string(unzip(t, w.Body)))
					choices := doc.Find("#calls option").FilterFunction(func(_ int, o *goquery.Selection) bool { return !causing.MatchString(o.Text()) })
					if want := len(sample.Choices(compile(t, v, e))); choices.Length() != want && (want > 1 || choices.Length() > 0) {
						t.Errorf("%s offers %d calls, want %d", path, choices.Length(), want)
					}
					last := path + "&example=" + choices.Last().AttrOr("value", "")
					shown := doc.Find("#calls .code").AddSelection(calls(t, p.ask("GET", last, "HX-Request", "true", "HX-Target", "samples").Body.String()).Find("#calls .code"))
					shown.Each(func(_ int, s *goquery.Selection) {
						if s.Find("figcaption span").Text() != l.Title || !strings.Contains(s.Find("pre").Text(), "://") && l.Slug != "javascript" || s.Find("i.s").Length() == 0 {
							t.Errorf("%s shows %q", path, s.Text())
						}
					})
				}
			}
		}
	}
}
