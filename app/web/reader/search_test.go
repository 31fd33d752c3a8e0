package reader_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/fault"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/seed"
	"heliograph/storage"
)

// searchable is a whole site over a database of its own, with what fill
// publishes.
func searchable(t testing.TB, pool *pgxpool.Pool, fill func(db.Beginner)) *webtest.Site {
	t.Helper()
	fill(pool)
	return withCards(t, pool, cardsIn(t, t.TempDir()))
}

// withCards is a whole site over a database with what is published there.
func withCards(t testing.TB, pool *pgxpool.Pool, cards *card.Cards) *webtest.Site {
	t.Helper()
	return webtest.New(t, func(d *web.Deps) {
		listener := db.NewListener(pool)
		d.DB, d.Pool, d.Documentation, d.Search = pool, pool, published.New(pool, listener), search.New(pool, listener)
		d.Cards = cards
		if err := d.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// cardsIn returns the pictures of pages that a folder keeps.
func cardsIn(t testing.TB, folder string) *card.Cards {
	t.Helper()
	store, err := storage.OpenFolder(folder, "http://localhost", make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return card.New(store)
}

// seedOnce returns the address of a database with the documentation that comes with
// the program.
func seedOnce(t testing.TB) string {
	t.Helper()
	return seedtest.URL(t)
}

// documentation is the database of seedOnce.
func documentation(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), seedOnce(t), db.Options{MaxConns: 8, Application: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// documented is a whole site with the documentation that comes with the program.
func documented(t testing.TB) *webtest.Site {
	t.Helper()
	return withCards(t, documentation(t), cardsIn(t, t.TempDir()))
}

type found struct {
	Total      int
	Corrected  string
	Suggestion string
	Results    []struct {
		Kind, Title, URL, Snippet, Product, Version, Method string
		Deprecated                                          bool
	}
}

func decode(t testing.TB, body string) (f found) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &f); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return f
}

func TestSearchKeepsItsContract(t *testing.T) {
	t.Parallel()
	document, err := seed.Files.ReadFile("portal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spectest.New(document)
	if err != nil {
		t.Fatal(err)
	}
	c := documented(t).Client(t)
	for query, status := range map[string]int{
		"q=create+bot": 200, "q=++send%0Amessage+": 200, "q=botName&kind=field&product=rcs&version=1.0&method=POST&limit=50": 200,
		"q=telegraph": 200, "q=tempalte": 200, "q=131026": 200, "q=post:": 200, "q=%2Fmessages": 200, "q=%27%3A*%26%21%28": 200, "q=%22": 200,
		"q=webhook&product=sms&kind=endpoint": 200, "q=x&kind=&product=": 200, "q=" + strings.Repeat("a", 200): 200,
		"q=%F0%9F%98%80": 200, "q=%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82": 200, "q=%25_%5C": 200,
		"q=": 400, "": 400, "q=+": 400, "q=" + strings.Repeat("a", 201): 400, "q=a&kind=page": 400, "q=a&limit=0": 400, "q=a&limit=51": 400,
		"q=a&limit=x": 400, "q=a&version=1.0": 400, "q=a&method=get": 400, "q=a&product=../x": 400, "q=a%00b": 400, "q=%FF": 400,
	} {
		a := c.Get("/api/search?" + query)
		if a.Status != status {
			t.Errorf("%s answers %d, want %d: %s", query, a.Status, status, a.Body)
			continue
		}
		if err := contract.Response("searchDocumentation", a.Status, a.Header, []byte(a.Body)); err != nil {
			t.Errorf("%s: %v %v\n%s", query, err, fault.As(err), a.Body)
		}
	}
}

func TestSearchNarrows(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	f := decode(t, c.Get("/api/search?q=template&kind=endpoint&product=rcs&method=GET&limit=50").Body)
	if len(f.Results) < 4 {
		t.Errorf("%d results", len(f.Results))
	}
	for _, r := range f.Results {
		if r.Kind != "endpoint" || r.Product != "rcs" || r.Method != "GET" {
			t.Errorf("%+v is outside the filters", r)
		}
	}
	if f := decode(t, c.Get("/api/search?q=hlr&product=rcs").Body); f.Total != 0 || !strings.HasPrefix(f.Suggestion, "Remove the filters: ") {
		t.Errorf("nothing in a product suggests %q", f.Suggestion)
	}
	if f := decode(t, c.Get("/api/search?q=uplaod+media").Body); f.Corrected != "upload media" || f.Results[0].URL != "/docs/business-messaging/3.0/upload-media" {
		t.Errorf("a slip gives %+v", f)
	}
	if f := decode(t, c.Get("/api/search?q=zzzzqqqq").Body); f.Total != 0 || len(f.Results) != 0 || f.Suggestion == "" {
		t.Errorf("nonsense gives %+v", f)
	}
	for _, r := range decode(t, c.Get("/api/search?q=bot+name&limit=50").Body).Results {
		if rest := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(r.Snippet); strings.ContainsAny(rest, "<>") {
			t.Errorf("%s: the snippet holds more than marks: %s", r.URL, r.Snippet)
		}
	}
}

func TestSearchPage(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	a := c.Get("/search?q=template")
	if a.Status != 200 || a.Find("h1").Length() != 1 || a.Find("main mark").Length() == 0 {
		t.Errorf("the page answers %d", a.Status)
	}
	if value, _ := a.Find("main input[name=q]").Attr("value"); value != "template" {
		t.Errorf("the input holds %q", value)
	}
	if n := a.Find(".search-group").First().Find("li").Length(); n != 3 {
		t.Errorf("%d best matches, want 3", n)
	}
	for _, group := range a.Find(".search-group").EachIter() {
		if n := group.Find("li").Length(); n > 4 {
			t.Errorf("%s has %d results", words(group.Find("h2")), n)
		}
	}
	more, _ := a.Find("#kind-field").Parent().Find(".search-more a").Attr("href")
	if narrowed := c.Get(more); narrowed.Find(".search-group li").Length() < 20 || words(narrowed.Find(".search-filters [aria-current]").First()) != "Fields" {
		t.Errorf("%s shows %d fields", more, narrowed.Find(".search-group li").Length())
	}
	if a := c.Get("/search?q=template&product=rcs&kind=field"); a.Find("main input[hidden]").Length() != 2 {
		t.Error("another query forgets the filters")
	}
	if a := c.Get("/search"); a.Status != 200 || a.Find("#start").Length() != 1 {
		t.Errorf("the empty page answers %d", a.Status)
	}
	if a := c.Get("/search?q=dlt_entity_id&product=business-messaging"); !strings.HasPrefix(a.Find("#exact").Parent().Find("a").AttrOr("href", ""), "/docs/sms/") {
		t.Errorf("the exact name of another product is not offered: %s", words(a.Find("main")))
	}
	if a := c.Get("/search?q=dlt_entity_id&product=sms"); a.Find("#exact").Length() != 0 {
		t.Error("the exact name of the product itself is offered as another one")
	}
	if a := c.Get("/search?q=hlr&product=rcs"); !strings.Contains(a.Find(".empty a").Text(), "Search everything") {
		t.Error("an empty answer does not lead to a wider one")
	}
	if a := c.Get("/search?q=zzqqxx&product=rcs"); !strings.Contains(a.Find(".empty").Text(), "none without them") {
		t.Errorf("an empty answer does not say that a wider one is empty too: %s", a.Find(".empty").Text())
	}
	for _, address := range []string{"/search?q=typeahead", "/search?q=typeahead&product=rcs"} {
		a := c.Get(address)
		if a.Find("#nearest").Length() != 1 || a.Find(".search-group li").Length() != 3 || a.Find(`.empty a[href="/contact-us"]`).Length() != 1 {
			t.Errorf("%s offers %d pages, and the form for questions %d times", address, a.Find(".search-group li").Length(), a.Find(`.empty a[href="/contact-us"]`).Length())
		}
	}
	if a := c.HX().Get("/api/search?q=typeahead"); a.Find("[role=listbox] [role=option]").Length() != 4 || a.Find(`#search-ask[href="/contact-us"]`).Length() != 1 {
		t.Errorf("the dialog offers %s", a.Body)
	}
	if text := words(c.Get("/search?q=phone_number_id&kind=field").Find(".search-crumbs").First()); !strings.Contains(text, "also in") {
		t.Errorf("a field of many endpoints stands at %q", text)
	}
	if a := c.Get("/search?q=a&kind=page"); a.Status != 422 || a.Find("#problem").Length() != 1 {
		t.Errorf("a wrong kind answers %d", a.Status)
	}
	if a := c.Get("/search?q=%3Cscript%3Ealert(1)%3C/script%3E"); a.Find("main script").Length() > 0 {
		t.Error("the query is not escaped")
	}
	if a := c.HX().Get("/api/search?q="); a.Find("[role=group]:not([data-recent]) [role=option]").Length() != 4 {
		t.Error("the dialog begins without places to start")
	}
	if a := c.HX().Get("/api/search?q=template"); a.Find("[role=listbox] > [role=group] > [role=option]").Length() < 10 || a.Find("html head title").Length() > 0 {
		t.Errorf("the dialog gets %s", a.Body)
	}
}

// The latest version comes first, what is deprecated last and marked.
func TestSearchPrefersTheLatest(t *testing.T) {
	t.Parallel()
	c := searchable(t, dbtest.Pool(t), func(b db.Beginner) {
		for version, label := range map[string]string{"1.0": "Deprecated", "2.0": "Current", "10.0": "Beta"} {
			document, err := openapi.Read([]byte(described("", "")))
			if err != nil {
				t.Fatal(err)
			}
			set, err := editorial.Draft(t.Context(), b, editorial.System, editorial.Import{
				ProductSlug: "letters", Product: content.Product{Name: "Letters"}, VersionSlug: version, Version: content.Version{Label: label}, Document: document,
			})
			if err == nil {
				err = editorial.Publish(t.Context(), b, editorial.System, set, true)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}).Client(t)
	f := decode(t, c.Get("/api/search?q=get+a&kind=endpoint").Body)
	if len(f.Results) != 3 || f.Results[0].Version != "2.0" || f.Results[1].Version != "10.0" || f.Results[2].Version != "1.0" || !f.Results[2].Deprecated || f.Results[0].Deprecated {
		t.Errorf("the versions come as %+v", f.Results)
	}
	if f := decode(t, c.Get("/api/search?q=get+a&kind=endpoint&product=letters&version=1.0").Body); len(f.Results) != 1 {
		t.Errorf("one version has %d results", len(f.Results))
	}
	if a := c.Get("/search?q=get+a&product=letters&kind=endpoint"); a.Find(".search-hit .badge.warn").Length() != 1 || a.Find(`nav[aria-label="Version"] a`).Length() != 4 {
		t.Error("the page does not tell the versions apart")
	}
	if value, _ := c.Get("/docs/letters/1.0/get-a").Find("#search-version").Attr("value"); value != "1.0" {
		t.Errorf("the dialog can be narrowed to version %q, want 1.0", value)
	}
}

// A result about a field that its page folds opens the branch around it, for a
// reader without script too.
func TestResultsOpenFoldedFields(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	folded := 0
	for _, hit := range c.Get("/search?kind=field&product=business-messaging&q=components.parameters").Find("a.search-hit").EachIter() {
		href := hit.AttrOr("href", "")
		address, anchor, _ := strings.Cut(href, "#")
		row := `[id="` + anchor + `"]`
		if folded > 2 || c.Get(longPage).Find(row).Length() > 0 {
			continue
		}
		folded++
		if c.Get(address).Find(row).Length() != 1 {
			t.Errorf("%s does not show the field", href)
		}
	}
	if folded == 0 {
		t.Error("no result is about a folded field")
	}
}

func TestFieldPagesAreLimited(t *testing.T) {
	t.Parallel()
	c := searchable(t, dbtest.Pool(t), func(b db.Beginner) { secretive(t, b) }).Client(t)
	const page = "/docs/live/1.0/get-a"
	allowed, refused := 0, c.Get(page+"?field=query.x")
	for refused.Status == 200 && allowed < 500 {
		allowed++
		refused = c.Get(page + "?field=query.x")
	}
	if refused.Status != 429 || refused.Header.Get("Retry-After") == "" || allowed < 100 { // Get asks for a page twice
		t.Errorf("after %d pages the next answers %d", allowed, refused.Status)
	}
	if a := c.Get(page); a.Status != 200 || a.Queries != 0 {
		t.Errorf("the page itself gives %d after %d queries", a.Status, a.Queries)
	}
}

func TestSearchIsLimited(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	site := searchable(t, pool, func(db.Beginner) {})
	c := site.Client(t)
	allowed, refused := 0, c.Get("/api/search?q=a")
	for refused.Status == 200 && allowed < 1000 {
		allowed++
		refused = c.Get("/api/search?q=a")
	}
	// While they are sent, some are allowed again.
	if refused.Status != 429 || refused.Header.Get("Retry-After") == "" || allowed < 600 {
		t.Errorf("after %d searches the next answers %d", allowed, refused.Status)
	}
	other := site.Client(t)
	other.Address = "192.0.2.2:4000"
	if a := other.Get("/api/search?q=a"); a.Status != 200 {
		t.Errorf("another address gets %d", a.Status)
	}
	if _, err := pool.Exec(t.Context(), `drop table rate_limits`); err != nil {
		t.Fatal(err)
	}
	if a := c.Get("/api/search?q=a"); a.Status != 200 {
		t.Errorf("a limit that cannot be counted gives %d", a.Status)
	}
}

// Every result leads to a page that is there, and to an anchor on it.
func TestSearchLeadsSomewhere(t *testing.T) {
	t.Parallel()
	pool := documentation(t)
	c := withCards(t, pool, cardsIn(t, t.TempDir())).Client(t)
	rows, err := pool.Query(t.Context(), `select distinct url from search_rows`)
	if err != nil {
		t.Fatal(err)
	}
	byPage := map[string][]string{}
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			t.Fatal(err)
		}
		path, anchor, _ := strings.Cut(address, "#")
		byPage[path] = append(byPage[path], anchor)
	}
	if len(byPage) < 70 {
		t.Fatalf("only %d pages are to be found", len(byPage))
	}
	for path, anchors := range byPage {
		a := c.Get(path)
		if a.Status != 200 {
			t.Errorf("%s answers %d", path, a.Status)
			continue
		}
		ids := map[string]bool{"": true}
		for _, s := range a.Find("[id]").EachIter() {
			ids[s.AttrOr("id", "")] = true
		}
		folded := 0
		for _, anchor := range anchors {
			if ids[anchor] || folded > 4 {
				continue
			}
			folded++
			if c.Get(path+"?field="+url.QueryEscape(anchor)).Find(`[id="`+anchor+`"]`).Length() == 0 {
				t.Errorf("%s has no %s", path, anchor)
			}
		}
	}
}

// canary is in everything that is not public, and nowhere else.
const canary = "canarybird"

// described is a small description; the words go where a marked one has them.
func described(operation, words string) string {
	secret, sent := "", ""
	if words != "" {
		sent = `,"` + words + `":{"post":{"operationId":"` + words + `Sent","summary":"Sent ` + words + `","tags":["` + words + `"],"requestBody":{"content":{"application/json":{"example":{"` + words + `":987654}}}},"responses":{"200":{"description":"` + words + `"}}}}`
		secret = `,"properties":{"a":{"$ref":"#/components/schemas/` + words + `"}}},"` + words + `":{"type":"object","properties":{"` + words + `":{"type":"string"}}`
	}
	return `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"operationId":"getA","summary":"Get a","responses":{"200":{"description":"ok"}}}}` + operation + `},
		"webhooks":{"b":{"post":{"operationId":"sentB","summary":"Sent b","responses":{"200":{"description":"ok"}}}}` + sent + `},
		"components":{"schemas":{"X":{"type":"object","description":"` + words + `"` + secret + `}}}}`
}

const marked = `,"/` + canary + `":{"post":{"operationId":"` + canary + `Post","summary":"Post a ` + canary + `","tags":["` + canary + `"],"description":"` + canary + `",
	"parameters":[{"name":"` + canary + `","in":"query","schema":{"type":"string"}}],
	"responses":{"400":{"description":"no","content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"},"examples":{"` + canary + `":{"value":{"code":987654,"message":"` + canary + `"}}}}}}}}}`

// secretive publishes products that hold the canary where it cannot be seen:
// in drafts, in endpoints that a release left out, hidden, announced, withdrawn.
func secretive(t *testing.T, b db.Beginner) {
	t.Helper()
	publish := func(im editorial.Import, document string, live bool) {
		var err error
		if im.Document, err = openapi.Read([]byte(document)); err != nil {
			t.Fatal(err)
		}
		im.VersionSlug = "1.0"
		set, err := editorial.Draft(t.Context(), b, editorial.System, im)
		if err == nil && live {
			err = editorial.Publish(t.Context(), b, editorial.System, set, true)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	product := func(name string) editorial.Import {
		return editorial.Import{ProductSlug: name, Product: content.Product{Name: name, Homepage: true}, Version: content.Version{Label: "Current"}}
	}
	guided := func(im editorial.Import, slug, words string) editorial.Import {
		im.Guides = []editorial.ImportGuide{{Slug: slug, Guide: content.Guide{Title: "Begin " + words, Group: "Start", Summary: words, Text: "## How to " + words + "\n\n" + words}}}
		return im
	}
	publish(guided(product("live"), "begin", "well"), described("", ""), true)
	publish(guided(product("live"), "begin", canary), described("", ""), false)
	publish(guided(product("live"), canary, canary), described("", ""), false)
	publish(product("archived"), described(marked, canary), true)
	publish(product("archived"), described("", ""), true)
	publish(product("drafted"), described("", ""), true)
	publish(product("drafted"), described(marked, canary), false)
	publish(product("unborn"), described(marked, canary), false)
	hidden, soon, withdrawn := product("hidden"), product("soon"), product("withdrawn")
	hidden.Product.Hidden, hidden.Product.Summary = true, canary
	soon.Product.ComingSoon = true
	publish(guided(hidden, "begin", canary), described(marked, canary), true)
	publish(guided(soon, "begin", canary), described(marked, canary), true)
	publish(guided(withdrawn, "begin", canary), described(marked, canary), true)
	withdrawn.Product.Hidden = true
	publish(withdrawn, described(marked, canary), true)
	practised := guided(product("practised"), "begin", canary)
	practised.Product.Summary = canary
	if _, err := writes.PracticeInsert(t.Context(), b, identitytest.AddAdmin(t, b, "Asha", "asha@example.com", "editor"), "practised"); err != nil {
		t.Fatal(err)
	}
	publish(practised, described(marked, canary), true)
}

// shows reports whether results tell of what is not public.
func shows(results string) bool {
	for _, secret := range []string{"canary", "/docs/hidden", "/docs/soon", "/docs/unborn", "/docs/withdrawn", "/productguide/hidden", "/productguide/soon", "/productguide/withdrawn"} {
		if strings.Contains(strings.ToLower(results), secret) {
			return true
		}
	}
	return false
}

// Search pages obey the rules of all pages, whatever they found, and every kind
// can be asked for alone.
func TestSearchPagesAreWhole(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	queries := []string{"", "?q=template", "?q=tempalte", "?q=zzqqxx", "?q=hlr&product=rcs", "?q=get&product=sms&version=1.0&method=GET", "?q=a&kind=nothing"}
	for _, kind := range search.Kinds {
		queries = append(queries, "?q=message&kind="+kind)
	}
	for _, q := range queries {
		checkPage(t, "/search"+q, goquery.NewDocumentFromNode(c.Get("/search"+q).Find("html").Get(0)))
	}
	filters := c.Get("/search?q=message").Find(".search-filters a[href*='kind=']")
	if n := filters.Length(); n != len(search.Kinds) {
		t.Errorf("%d kinds can be chosen, want %d", n, len(search.Kinds))
	}
	found := c.Get("/search?q=check+signature&kind=guide").Find("main .search-hit")
	if got := found.First().AttrOr("href", ""); got != "/productguide/business-messaging/receive-callbacks#verify-the-signature" {
		t.Errorf("check signature finds %q first among guides", got)
	}
}

// What is not public is found by nothing.
func TestSearchFindsNothingUnpublished(t *testing.T) {
	t.Parallel()
	c := searchable(t, dbtest.Pool(t), func(b db.Beginner) { secretive(t, b) }).Client(t)
	if f := decode(t, c.Get("/api/search?q=get+a").Body); len(f.Results) < 3 {
		t.Fatalf("what is published is not found: %+v", f)
	}
	for _, query := range []string{canary, "canary", "canarybrid", canary + "Post", "/" + canary, "post:" + canary, "post:", "987654", "post a " + canary, "unborn", "soon", "hidden", "withdrawn", "get"} {
		for _, filter := range []string{"", "&kind=endpoint", "&kind=field", "&kind=error", "&kind=guide", "&product=hidden", "&product=drafted", "&method=POST"} {
			at := "?q=" + url.QueryEscape(query) + filter
			if f := decode(t, c.Get("/api/search"+at).Body); shows(fmt.Sprint(f.Results, f.Corrected)) {
				t.Errorf("%s finds %+v", at, f)
			}
			for _, a := range []*webtest.Answer{c.Get("/search" + at), c.HX().Get("/api/search" + at)} {
				if a.Status != 200 || shows(a.Find(".search-corrected").Text()) {
					t.Errorf("%s answers %d with %s", at, a.Status, a.Find(".search-corrected").Text())
				}
				for _, hit := range a.Find(".search-hit:not([data-does=widen])").EachIter() {
					if markup, err := goquery.OuterHtml(hit); err != nil || shows(markup) {
						t.Errorf("%s shows %s %v", at, markup, err)
					}
				}
			}
		}
	}
	for _, query := range []string{canary, "987654", canary + "post", "/" + canary} {
		if f := decode(t, c.Get("/api/search?q="+url.QueryEscape(query)).Body); f.Total != 0 || f.Corrected != "" {
			t.Errorf("%s finds %+v", query, f)
		}
	}
}
