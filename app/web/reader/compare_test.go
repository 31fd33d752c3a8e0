package reader_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/web/page"
)

const lensesHead = `{"openapi":"3.1.0","info":{"title":"Lenses","version":"1"},"paths":{`

// lenses is a product. Its version 2.0 breaks version 1.0.
func lenses(t *testing.T) *testPortal {
	t.Helper()
	p := publish(t)
	product := content.Product{Name: "Lenses", Summary: "Glass.", Homepage: true}
	get := `"/lenses/{id}":{"get":{"operationId":"getLens","summary":"Get a lens","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],
		"responses":{"200":{"description":"It","content":{"application/json":{"schema":{"type":"object","properties":{"focus":{"type":"integer"}}}}}}}}}`
	post := func(body string) string {
		return `"/lenses":{"post":{"operationId":"addLens","summary":"Add a lens","requestBody":{"content":{"application/json":{"schema":` + body + `}}},"responses":{"200":{"description":"Done"}}}}`
	}
	gone := `"/dust":{"delete":{"operationId":"wipe","summary":"Wipe","responses":{"204":{"description":"Clean"}}}}`
	fresh := `"/frames":{"get":{"operationId":"listFrames","summary":"List frames","responses":{"200":{"description":"All"}}}}`
	one := post(`{"type":"object","properties":{"focus":{"type":"integer","maximum":50},"coat":{"type":"string","enum":["none","blue"]},"tint":{"type":"string"}}}`)
	two := post(`{"type":"object","properties":{"focus":{"type":"integer","maximum":20},"coat":{"type":"string","enum":["none","blue","red"]},"grade":{"type":"object","properties":{"side":{"type":"string"}}}}}`)
	p.release(t, editorial.Import{ProductSlug: "lenses", Product: product, VersionSlug: "1.0", Version: content.Version{Label: "Deprecated", MigrateTo: "2.0"}}, lensesHead+get+","+one+","+gone+"}}")
	p.release(t, editorial.Import{ProductSlug: "lenses", Product: product, VersionSlug: "2.0", Version: content.Version{Label: "Current"}}, lensesHead+get+","+two+","+fresh+"}}")
	p.HTTPErrorHandler = func(err error, c echo.Context) {
		f := page.Fault(err)
		_ = c.String(page.Status(f), f.Message)
	}
	return p
}

func TestComparePage(t *testing.T) {
	t.Parallel()
	p := lenses(t)
	doc := p.page(t, "/docs/lenses/compare")
	if got := doc.Find("select option[selected]").Map(func(_ int, o *goquery.Selection) string { return o.AttrOr("value", "") }); strings.Join(got, " ") != "1.0 2.0" {
		t.Errorf("without versions it compares %v", got)
	}
	texts := doc.Find(".compared").Map(func(_ int, s *goquery.Selection) string { return said(s) })
	all := strings.Join(texts, "\n")
	for _, want := range []string{
		"POST Add a lens Changed", "Breaking Limit narrowed body.focus in 1.0 in 2.0 Before: maximum 50 After: maximum 20 Values beyond the new limit are refused. Check your values against the new limit.",
		"Safe Value added body.coat", "Risky Optional field removed body.tint in 1.0", "Safe Optional field added body.grade in 2.0",
		"DELETE Wipe Removed Breaking Endpoint removed", "GET List frames Added Safe Endpoint added",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the page does not say %q:\n%s", want, all)
		}
	}
	if got := said(doc.Find("[aria-labelledby=unchanged]")); got != "Unchanged Get a lens" {
		t.Errorf("unchanged: %q", got)
	}
	if got := said(doc.Find(".facts")); got != "Endpoints and callbacks: 1 added, 1 removed, 1 changed, 1 unchanged Fields: 1 added, 1 removed, 2 changed, 2 unchanged" {
		t.Errorf("sums: %q", got)
	}
	filtered := p.page(t, "/docs/lenses/compare?from=1.0&to=2.0&level=breaking")
	if n := filtered.Find("[data-change]").Length(); n != 2 {
		t.Errorf("the filter shows %d breaking changes, want 2", n)
	}
	if doc := p.page(t, "/docs/lenses/compare?from=1.0&to=2.0&class=unchanged"); doc.Find("[data-change]").Length() != 0 || doc.Find("#op-get-lens").Length() != 1 {
		t.Error("the filter for unchanged endpoints shows something else")
	}
	region := p.ask("GET", "/docs/lenses/compare?from=1.0&to=2.0", "HX-Request", "true", "HX-Target", "list")
	if body := region.Body.String(); !strings.HasPrefix(body, `<div id="list"`) || strings.Contains(body, "<form") {
		t.Errorf("the list alone begins %.80q", body)
	}
	before := p.queries.n.Load()
	if w := p.ask("GET", "/docs/lenses/compare?from=1.0&to=2.0"); w.Header().Get("Etag") == "" || p.queries.n.Load() != before {
		t.Errorf("the page is made again: %v, %d statements", w.Header(), p.queries.n.Load()-before)
	}
}

// Changes of texts are folded after the others, and open for readers who chose them.
func TestCompareFoldsTexts(t *testing.T) {
	t.Parallel()
	p := publish(t)
	lens := func(text, more string) string {
		return lensesHead + `"/lenses":{"get":{"operationId":"listLenses","summary":"List lenses","description":"` + text + `","parameters":[` + more + `],"responses":{"200":{"description":"Done"}}}}}}`
	}
	p.release(t, editorial.Import{ProductSlug: "lenses", Product: content.Product{Name: "Lenses", Summary: "Glass.", Homepage: true}, VersionSlug: "1.0", Version: content.Version{Label: "Current"}}, lens("All of the lenses in 2 rooms.", ""))
	p.release(t, editorial.Import{ProductSlug: "lenses", Product: content.Product{Name: "Lenses", Summary: "Glass.", Homepage: true}, VersionSlug: "2.0", Version: content.Version{Label: "Current"}},
		lens("All of the mirrors in 3 rooms.", `{"name":"shelf","in":"query","required":true,"schema":{"type":"string"}}`))
	doc := p.page(t, "/docs/lenses/compare?from=1.0&to=2.0")
	fold := doc.Find(".compared details:has([data-change])")
	if _, open := fold.Attr("open"); open || said(fold.Find("summary")) != "1 change of a text or an example" || fold.Find("[data-change]").Length() != 1 || doc.Find(".compared [data-change]").Length() < 2 {
		t.Errorf("texts are not folded alone: %s", said(doc.Find(".compared")))
	}
	if marks := fold.Find("mark").Map(func(_ int, m *goquery.Selection) string { return m.Text() }); strings.Join(marks, " ") != "lenses 2 mirrors 3" {
		t.Errorf("marked are %q", marks)
	}
	if doc := p.page(t, "/docs/lenses/compare?from=1.0&to=2.0&level=prose"); doc.Find(".compared details[open] [data-change]").Length() != 1 {
		t.Error("a reader of texts finds them folded")
	}
}

func TestCompareNamesUnknownVersions(t *testing.T) {
	t.Parallel()
	p := lenses(t)
	doc := p.parse(t, "/docs/lenses/compare?from=9.9", http.StatusNotFound)
	if got := said(doc.Find("[role=alert]")); got != "Lenses has no version 9.9. Its versions are 2.0, 1.0." {
		t.Errorf("it says %q", got)
	}
	if doc.Find("select").Length() != 2 {
		t.Error("the page offers no versions to choose from")
	}
	if w := p.ask("GET", "/docs/lenses/compare.json?to=nine"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "no version nine") {
		t.Errorf("JSON: %d %s", w.Code, w.Body)
	}
	if w := p.ask("GET", "/docs/glass/compare"); w.Code != http.StatusNotFound {
		t.Errorf("an unknown product answers %d", w.Code)
	}
	p = mirrors(t)
	if doc := p.parse(t, "/docs/cellar/compare", http.StatusNotFound); !strings.Contains(said(doc.Find("main")), "one version only") {
		t.Error("a product with one version is not said to have one")
	}
	if w := p.ask("GET", "/docs/lamps/compare"); w.Code != http.StatusNotFound {
		t.Errorf("a product that is coming soon answers %d", w.Code)
	}
}

func TestCompareAsJSONFailsABuild(t *testing.T) {
	t.Parallel()
	p := lenses(t)
	const path = "/docs/lenses/compare.json?from=1.0&to=2.0"
	w := p.ask("GET", path)
	var got struct {
		Product, From, To, URL string
		compare.Report
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK || w.Header().Get("Etag") == "" {
		t.Fatalf("%d %v %v", w.Code, err, w.Header())
	}
	if got.Product != "lenses" || got.From != "1.0" || got.To != "2.0" || got.Levels.Breaking != 2 || got.Endpoints.Unchanged != 1 {
		t.Errorf("%+v", got)
	}
	var breaking []string
	for _, op := range got.Operations {
		for _, c := range op.Changes {
			if c.Level == compare.Breaking {
				breaking = append(breaking, c.Fingerprint)
			}
		}
	}
	for query, want := range map[string]int{
		"":                  http.StatusOK,
		"&fail_on=breaking": http.StatusConflict,
		"&fail_on=risky":    http.StatusConflict,
		"&fail_on=prose":    http.StatusUnprocessableEntity,
		"&fail_on=breaking&accept=" + breaking[0]:                 http.StatusConflict,
		"&fail_on=breaking&accept=" + strings.Join(breaking, ","): http.StatusOK,
		"&fail_on=risky&accept=" + strings.Join(breaking, ","):    http.StatusConflict,
	} {
		if w := p.ask("GET", path+query); w.Code != want {
			t.Errorf("%s answers %d, want %d", query, w.Code, want)
		}
	}
	if back := p.ask("GET", "/docs/lenses/compare.json?from=2.0&to=2.0&fail_on=risky"); back.Code != http.StatusOK {
		t.Errorf("a version differs from itself: %d", back.Code)
	}
}

func TestCompareAsMarkdown(t *testing.T) {
	t.Parallel()
	w := lenses(t).ask("GET", "/docs/lenses/compare.md?from=1.0&to=2.0")
	for _, want := range []string{"# Changes from 1.0 to 2.0", "2 breaking, 1 risky and", "- **breaking** Limit narrowed `body.focus`: `maximum 50` → `maximum 20`.", "## Unchanged\n\n- Get a lens"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, w.Body)
		}
	}
	if got := w.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/markdown") {
		t.Error(got)
	}
}

func TestPagesLinkToTheirHistory(t *testing.T) {
	t.Parallel()
	p := lenses(t)
	for _, tt := range []struct{ path, selector, want string }{
		{"/docs/lenses/2.0/list-frames", ".heading .since", "since 2.0"},
		{"/docs/lenses/2.0/get-lens", ".heading .since", "since 1.0"},
		{"/docs/lenses/2.0/add-lens", ".heading .since", "since 1.0 changed in 2.0"},
		{"/docs/lenses/1.0/add-lens", ".heading .since", "since 1.0"},
		{"/docs/lenses/2.0/add-lens", `[id="body.grade"] > .field-head .since`, "since 2.0"},
		{"/docs/lenses/2.0/add-lens", `[id="body.focus"] .since`, "changed in 2.0"},
		{"/docs/lenses/1.0/add-lens", `[id="body.focus"] .since`, ""},
		{"/docs/lenses/2.0/add-lens?field=body.tint", ".lost", "body.tint is not part of this endpoint. Its nearest parent is body . It was removed in 2.0 ."},
		{"/docs/lenses/1.0/add-lens?field=body.grade.side", ".lost", "body.grade.side is not part of this endpoint. Its nearest parent is body . It was added in 2.0 ."},
		{"/docs/lenses/1.0/wipe", ".version-menu li:first-child", "2.0 without this endpoint: see the comparison"},
	} {
		doc := p.page(t, tt.path)
		if got := said(doc.Find(tt.selector)); got != tt.want {
			t.Errorf("%s: %s says %q, want %q", tt.path, tt.selector, got, tt.want)
		}
		doc.Find(tt.selector + "[href], " + tt.selector + " a[href*=compare]").Each(func(_ int, a *goquery.Selection) {
			path, id, _ := strings.Cut(a.AttrOr("href", ""), "#")
			if p.page(t, path).Find(`[id="`+id+`"]`).Length() != 1 {
				t.Errorf("%s links to %s#%s, which is not there", tt.path, path, id)
			}
		})
	}
}
