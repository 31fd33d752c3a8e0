package reader_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/openapi/model"
	"heliograph/static"
)

// fileEndings are the endings of files, which are no pages.
var fileEndings = []string{".md", ".json", ".atom"}

// crawl follows every link from the homepage and returns the pages by path.
func crawl(t *testing.T, p *testPortal) map[string]*goquery.Document {
	t.Helper()
	pages := map[string]*goquery.Document{}
	open := []string{"/"}
	for len(open) > 0 {
		path := open[0]
		open = open[1:]
		if pages[path] != nil {
			continue
		}
		pages[path] = p.page(t, path)
		pages[path].Find("a[href]").Each(func(_ int, a *goquery.Selection) {
			if next, ok := internal(a.AttrOr("href", "")); ok && next != "" && !slices.Contains(fileEndings, filepath.Ext(next)) {
				open = append(open, next)
			}
		})
	}
	return pages
}

// history asks for the history of every version, which is read from the
// database once for each release.
func history(t *testing.T, p *testPortal) {
	t.Helper()
	for _, product := range p.documentation.Snapshot().Products {
		if len(product.VisibleVersions()) > 0 {
			p.page(t, "/docs/"+product.Slug+"/changelog")
		}
		if len(product.VisibleVersions()) > 1 {
			p.page(t, "/docs/"+product.Slug+"/compare")
		}
	}
}

// internal returns the path that a link leads to, "" for the same page.
func internal(href string) (path string, ok bool) {
	path, _, _ = strings.Cut(href, "#")
	path, _, _ = strings.Cut(path, "?")
	return path, path == "" || strings.HasPrefix(path, "/") && !elsewhere(path) // the account pages are tested where they are
}

func TestEveryPage(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	history(t, p)
	before := p.queries.n.Load()
	pages := crawl(t, p)
	if n := p.queries.n.Load() - before; n != 0 {
		t.Errorf("%d queries for %d pages, want none", n, len(pages))
	}
	titles := map[string]string{}
	for path, doc := range pages {
		title := doc.Find("title").Text()
		if other := titles[title]; other != "" {
			t.Errorf("%s and %s have one title: %s", path, other, title)
		}
		titles[title] = path
		checkPage(t, path, doc)
		checkAddress(t, pages, path, doc)
		doc.Find("a[href]").Each(func(_ int, a *goquery.Selection) { checkLink(t, pages, path, a.AttrOr("href", "")) })
	}
	endpoints := 0
	for _, product := range p.documentation.Snapshot().Products {
		for _, v := range product.Versions {
			for _, e := range v.Operations() {
				endpoints++
				path := "/docs/" + product.Slug + "/" + v.Slug + "/" + e.Slug
				if pages[path] == nil {
					t.Errorf("no page leads to %s", path)
					continue
				}
				checkModel(t, p.rows(t, path, pages[path]), path, pages[path], everyChoice(t, p, path, pages[path]), compile(t, v, e))
			}
		}
	}
	if endpoints < 60 {
		t.Errorf("the seed has %d endpoints; the crawl proves little", endpoints)
	}
}

// everyChoice returns the samples of a page in all of its choices.
func everyChoice(t *testing.T, p *testPortal, path string, doc *goquery.Document) (text string) {
	t.Helper()
	choose := func(name, value string) *goquery.Document {
		w := p.ask("GET", path+"?"+url.Values{name: {value}}.Encode(), "HX-Request", "true", "HX-Target", "samples")
		part, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s with %s %q: %d %v", path, name, value, w.Code, err)
		}
		if got := part.Find("select[name="+name+"] [selected]").AttrOr("value", value); got != value && !strings.HasPrefix(got, value+"-") {
			t.Errorf("%s with %s %q shows %q", path, name, value, got)
		}
		text += words(part.Find("#samples"))
		return part
	}
	doc.Find("select[name=example] option").Each(func(_ int, o *goquery.Selection) { choose("example", o.AttrOr("value", "")) })
	doc.Find("#answer .tab").Each(func(_ int, a *goquery.Selection) {
		choose("status", strings.ToLower(a.Text())).Find("select[name=status] option").Each(func(_ int, o *goquery.Selection) { choose("status", o.AttrOr("value", "")) })
	})
	return text
}

// checkPage holds a page against the rules of all pages.
func checkPage(t *testing.T, path string, doc *goquery.Document) {
	t.Helper()
	if n := doc.Find("h1").Length(); n != 1 {
		t.Errorf("%s has %d h1", path, n)
	}
	ids := map[string]bool{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) {
		id := s.AttrOr("id", "")
		if id == "" || ids[id] {
			t.Errorf("%s: id %q is empty or not unique", path, id)
		}
		ids[id] = true
	})
	if n := doc.Find("[style], style, script:not([src]):not([type='application/ld+json']), [onclick], [nonce]").Length(); n > 0 {
		t.Errorf("%s has %d inline styles or scripts", path, n)
	}
	checkHeadings(t, path, doc)
}

// checkAddress holds what a page says of itself to search engines against the
// address that it has.
// checkAddress expects a page to be canonical itself, or to name the same page of
// a later version.
func checkAddress(t *testing.T, pages map[string]*goquery.Document, path string, doc *goquery.Document) {
	t.Helper()
	canonical := doc.Find("link[rel=canonical]").AttrOr("href", "")
	newer := strings.Replace(path, "/portal/1.0/", "/portal/1.1/", 1)
	if canonical != origin+path && (canonical != origin+newer || pages[newer] == nil) {
		t.Errorf("%s says that its address is %q", path, canonical)
	}
	if description := doc.Find("meta[name=description]").AttrOr("content", ""); len(description) < 20 || len(description) > 200 {
		t.Errorf("%s has the description %q", path, description)
	}
}

// checkHeadings looks for levels that are left out.
func checkHeadings(t *testing.T, path string, doc *goquery.Document) {
	t.Helper()
	level := 0
	doc.Find("h1, h2, h3, h4, h5, h6").Each(func(_ int, h *goquery.Selection) {
		now := int(goquery.NodeName(h)[1] - '0')
		if now > level+1 {
			t.Errorf("%s: the heading %q is of level %d after %d", path, words(h), now, level)
		}
		level = now
	})
}

// elsewhere reports whether a page that documentation links to is part of another
// area.
func elsewhere(path string) bool {
	return path == "/register" || path == "/forgot-password" || strings.HasPrefix(path, "/contact-us") || strings.HasPrefix(path, "/feedback") || path == "/login" || path == "/account" || strings.HasPrefix(path, "/account/") ||
		strings.HasPrefix(path, "/openapi/") || strings.HasPrefix(path, "/sdk/") || path == "/productguide/portal/mock-server" || strings.HasPrefix(path, "/console") || strings.HasPrefix(path, "/simulators") || strings.HasPrefix(path, "/postman/") || strings.HasSuffix(path, ".json")
}

func checkLink(t *testing.T, pages map[string]*goquery.Document, from, href string) {
	t.Helper()
	path, ok := internal(href)
	if !ok {
		if u, err := url.Parse(href); !elsewhere(href) && (err != nil || u.Scheme != "https" && u.Scheme != "mailto") {
			t.Errorf("%s leads to %q", from, href)
		}
		return
	}
	if path == "" {
		path = from
	}
	_, fragment, _ := strings.Cut(href, "#")
	if fragment == "" {
		return
	}
	found := pages[path].Find("[id]").FilterFunction(func(_ int, s *goquery.Selection) bool { return s.AttrOr("id", "") == fragment })
	if found.Length() == 0 {
		t.Errorf("%s leads to %s, where no %q is", from, path, fragment)
	}
}

// rows returns the words of each row of a page by its id, with the rows of the
// branches that the page folds.
func (p *testPortal) rows(t *testing.T, path string, doc *goquery.Document) map[string]string {
	t.Helper()
	rows := map[string]string{}
	var read func(doc *goquery.Document)
	read = func(doc *goquery.Document) {
		for _, s := range doc.Find("[id]").EachIter() {
			id := s.AttrOr("id", "")
			if text := words(s); len(text) > len(rows[id]) {
				rows[id] = text
			}
		}
		for _, branch := range doc.Find("[data-branch]").EachIter() {
			query, anchor, _ := strings.Cut(branch.AttrOr("href", ""), "#")
			if _, known := rows[anchor+" unfolded"]; !known {
				rows[anchor+" unfolded"] = ""
				read(p.page(t, path+query))
			}
		}
	}
	read(doc)
	return rows
}

// checkModel finds all that the model knows of an endpoint among the rows of its page,
// or among its samples.
func checkModel(t *testing.T, rows map[string]string, path string, doc *goquery.Document, samples string, e *model.Endpoint) {
	t.Helper()
	text := words(doc.Find("main")) + samples
	var walk func(f *model.Field, holder string)
	walk = func(f *model.Field, holder string) {
		row, ok := rows[f.Path]
		if !ok {
			t.Errorf("%s has no row %s", path, f.Path)
		}
		if holder == "" {
			row = text // the heading of a body is apart from what it holds
		}
		told := append([]string{f.Type, f.Format, f.Default, f.Example, f.Recursive}, append(f.Constraints, f.Enum...)...)
		for _, word := range told {
			if word = strings.Join(strings.Fields(word), " "); word != "object" && !strings.Contains(row, word) {
				t.Errorf("%s: the row %s does not say %q", path, f.Path, word)
			}
		}
		for _, child := range f.Children {
			walk(child, f.Path)
		}
		for _, v := range f.Variants {
			walk(v.Field, f.Path)
		}
	}
	bodies := func(list []model.Body) {
		for _, b := range list {
			if b.Root != nil {
				walk(b.Root, "")
			}
			for _, example := range b.Examples {
				value := strings.Join(strings.Fields(example.Value), " ")
				sent := value // with placeholders
				for _, p := range e.Placeholders {
					sent = strings.ReplaceAll(sent, `"`+p.Value+`"`, `"<`+p.Name+`>"`)
				}
				if !strings.Contains(text, value) && !strings.Contains(text, sent) && !strings.Contains(text, "--data-urlencode") && !strings.Contains(text, "--form") {
					t.Errorf("%s does not show the example %q", path, example.Name)
				}
			}
		}
	}
	for _, g := range e.Parameters {
		for _, f := range g.Fields {
			walk(f, g.In)
		}
	}
	bodies(e.Bodies)
	for _, r := range e.Responses {
		for _, h := range r.Headers {
			walk(h, r.Status)
		}
		bodies(r.Bodies)
		if _, ok := rows["response-"+strings.ToLower(r.Status)]; !ok {
			t.Errorf("%s does not show the answer %s", path, r.Status)
		}
	}
}

// What a page loads is there too.
func TestAssetsOfPages(t *testing.T) {
	t.Parallel()
	p := publish(t)
	doc := p.page(t, "/")
	doc.Find("link[rel=stylesheet], link[rel=icon], script:not([type='application/ld+json'])").Each(func(_ int, s *goquery.Selection) {
		path := s.AttrOr("src", s.AttrOr("href", ""))
		if asset, ok := static.Open(path); !ok || !asset.Immutable {
			t.Errorf("%s is no file of a name that lasts", path)
		}
	})
}
