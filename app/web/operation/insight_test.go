package operation_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/operation/insight"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	claude  = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)"
)

// desk is a site that counts.
type desk struct {
	*webtest.Site
	*testing.T
	counter *insight.Counter
	admin   *webtest.Client
}

// TestReaders shares one site with the documentation that the program ships.
func TestReaders(t *testing.T) {
	t.Parallel()
	pool := seedtest.Pool(t)
	d := desk{T: t}
	d.Site = webtest.New(t, func(deps *web.Deps) {
		listener := db.NewListener(pool)
		deps.DB, deps.Pool, deps.Documentation, deps.Search = pool, pool, published.New(pool, listener), search.New(pool, listener)
		if err := deps.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		d.counter = insight.NewCounter(pool, time.UTC)
		deps.Insight = d.counter
	})
	admin := d.SignInAdmin(t, identity.SuperAdmin)
	for name, run := range map[string]func(desk){
		"what is a view": whatIsAView, "what else is counted": whatElseIsCounted, "simulators": simulated, "planted words": plantedWords, "pages": analyticsPages, "editors": editorsSeeTheirProducts,
	} {
		t.Run(name, func(t *testing.T) {
			for _, table := range []string{"insight_views", "insight_totals", "insight_days"} {
				if _, err := pool.Exec(t.Context(), "truncate "+table); err != nil {
					t.Fatal(err)
				}
			}
			run(desk{d.Site, t, d.counter, admin})
		})
	}
}

// ask sends a request with headers, in pairs.
func (d desk) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	d.Helper()
	r := httptest.NewRequestWithContext(d.Context(), method, path, strings.NewReader(body))
	r.Header.Set("User-Agent", firefox)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.Server.Handler().ServeHTTP(w, r)
	return w
}

// written returns everything that was counted, by what identifies it.
func (d desk) written() map[string]int {
	d.Helper()
	if err := d.counter.Write(d.Context()); err != nil {
		d.Fatal(err)
	}
	got := map[string]int{}
	rows, err := d.DB.Query(d.Context(), `
		select concat_ws(' ', page, kind, product, version, reader), count::int from insight_views where grain = 'hour'
		union all select concat_ws(' ', what, product, version, name, detail), count::int from insight_days where what not in ('agent', 'language', 'source', 'shown')`)
	if err != nil {
		d.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			d.Fatal(err)
		}
		got[strings.Join(strings.Fields(name), " ")] = n
	}
	return got
}

const endpoint = "/docs/business-messaging/3.0/send-message"

// A view is a page that someone asked for. What is loaded ahead, parts of pages, other
// methods and missing pages are none.
func whatIsAView(d desk) {
	first := d.ask("GET", endpoint, "")
	d.ask("GET", endpoint, "", "If-None-Match", first.Header().Get("Etag")) // again, from the cache
	d.ask("GET", endpoint+"?lang=python&server=secret", "", "User-Agent", claude)
	d.ask("GET", endpoint+".md", "", "User-Agent", claude)
	d.ask("GET", endpoint, "", "Hx-Request", "true", "Hx-Boosted", "true", "Hx-Target", "main", "Hx-Current-Url", "http://localhost:8080/")
	for _, ahead := range [][]string{
		{"Hx-Preloaded", "true"}, {"Hx-Request", "true", "Hx-Boosted", "true", "Hx-Preloaded", "true", "Hx-Target", "main"},
		{"Sec-Purpose", "prefetch"}, {"Sec-Purpose", "prefetch;prerender"}, {"Purpose", "prefetch"}, {"X-Moz", "prefetch"},
		{"Hx-Request", "true", "Hx-Target", "samples"}, {"Hx-Request", "true", "Hx-Target", "main"}, {"Hx-Request", "true", "Hx-Boosted", "true", "Hx-History-Restore-Request", "true"},
	} {
		d.ask("GET", endpoint, "", ahead...)
	}
	d.ask("HEAD", endpoint, "")
	d.ask("GET", "/docs/business-messaging/3.0/missing", "")
	d.ask("GET", "/docs/business-messaging/latest", "") // redirects
	d.ask("GET", "/docs/no-such-product", "")
	d.ask("GET", "/static/img/favicon.svg", "")
	want := map[string]int{
		endpoint + " endpoint business-messaging 3.0 person": 3,
		endpoint + " endpoint business-messaging 3.0 ai":     2,
	}
	if diff := cmp.Diff(want, d.written()); diff != "" {
		d.Error(diff)
	}
}

// Everything else that readers do is counted by what it is.
func whatElseIsCounted(d desk) {
	page := []string{"Hx-Request", "true", "Hx-Current-Url", "http://localhost:8080" + endpoint + "?lang=python#body", "Content-Type", "application/x-www-form-urlencoded"}
	d.ask("POST", "/copied", "language=python", page...)
	d.ask("POST", "/copied", "language=planted", page...)
	d.ask("POST", "/copied", "language=python", "Content-Type", "application/x-www-form-urlencoded") // of no page
	d.ask("GET", "/search?q=send+message", "")
	d.ask("GET", "/api/search?q=zzzzqqqq", "", "User-Agent", "curl/8.5.0")
	d.ask("GET", "/api/search?q=webhook", "", "Hx-Request", "true", "Hx-Target", "search-found")
	d.ask("GET", "/openapi/business-messaging/3.0.json", "")
	d.ask("GET", "/postman/business-messaging/3.0/collection.json", "")
	d.ask("GET", "/mock/business-messaging/3.0/nothing-here", "")
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"query":"planted"}}}`
	mcp := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "User-Agent", "claude-code/2.0 (cli)"}
	d.ask("POST", "http://localhost/mcp", fmt.Sprintf(call, "search_api_docs"), mcp...)
	d.ask("POST", "http://localhost/mcp", fmt.Sprintf(call, "planted"), mcp...)
	d.ask("POST", "http://localhost/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Planted Person","version":"1"}}}`, mcp...)
	want := map[string]int{
		"copy business-messaging 3.0 " + endpoint + " python": 1,
		"copy business-messaging 3.0 " + endpoint:             1,
		"search page 11-20/6-20":                              1,
		"search program 7-10/0":                               1,
		"search dialog 7-10/21+":                              1,
		"export business-messaging 3.0 OpenAPI":               1,
		"export business-messaging 3.0 Postman collection":    1,
		"mcp search_api_docs Claude Code":                     1,
		"mcp initialize Another client":                       1,
		"mock business-messaging 3.0 refused":                 1,
	}
	got := d.written()
	for name := range got { // how much is found is not the question here
		if strings.HasPrefix(name, "search page") || strings.HasPrefix(name, "search dialog") {
			place, results, _ := strings.Cut(name, "/")
			if results == "0" {
				d.Errorf("%s found nothing", place)
			}
			for wanted := range want {
				if strings.HasPrefix(wanted, place) {
					delete(want, wanted)
				}
			}
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.Error(diff)
	}
}

// Messages in simulators are counted by channel, and so are the ones that were refused.
// What they say is in no table.
func simulated(d desk) {
	reader := d.Client(d.T)
	reader.Get("/simulators/sms")
	for _, text := range []string{
		`{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"quetzalword"}]}`,
		`{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"quetzalword too"}]}`, `{"messages": quetzalword`,
	} {
		reader.Once().Post("/simulators/sms", url.Values{"text": {text}})
	}
	reader.Get("/simulators/rcs")
	reader.Once().Post("/simulators/rcs", url.Values{"text": {`{"botId":"b","to":"+919812345678","contentMessage":{"text":"quetzalword","y":1}}`}})
	got := d.written()
	for name, want := range map[string]int{"simulator sms 1.0 sms valid": 2, "simulator sms 1.0 sms refused": 1, "simulator rcs 1.0 rcs refused": 1} {
		if got[name] != want {
			d.Errorf("%s: %d, want %d: %v", name, got[name], want, got)
		}
	}
	if strings.Contains(dbtest.Dump(d.T, d.DB), "quetzalword") {
		d.Error("a message of a simulator is in the database")
	}
	if a := d.admin.Get("/admin/analytics/use"); !strings.Contains(a.Find("#simulators").Text(), "SMS, valid") {
		d.Errorf("analytics show %s", a.Find("#simulators").Text())
	}
}

// Words that are planted in everything that a request carries are in no table.
func plantedWords(d desk) {
	var planted []string
	plant := func() string {
		planted = append(planted, fmt.Sprintf("planted%03d", len(planted)))
		return planted[len(planted)-1]
	}
	for range 20 {
		d.ask("GET", endpoint+"?field="+plant()+"&lang="+plant(), "", "User-Agent", "Mozilla/5.0 "+plant(), "Referer", "https://"+plant()+"/"+plant(), "Cookie", "lang="+plant()+"; name="+plant(), "Accept-Language", plant(), "X-Forwarded-For", "203.0.113.77")
		d.ask("GET", "/search?q="+plant()+"&product="+plant(), "")
		d.ask("GET", "/docs/"+plant()+"/"+plant(), "")
		d.ask("POST", "/copied", "language="+plant(), "Hx-Request", "true", "Hx-Current-Url", "http://localhost:8080/docs/"+plant(), "Content-Type", "application/x-www-form-urlencoded")
	}
	if err := d.counter.Write(d.Context()); err != nil {
		d.Fatal(err)
	}
	if len(planted) < 200 {
		d.Fatalf("only %d words were planted", len(planted))
	}
	dump := dbtest.Dump(d.T, d.DB)
	for _, path := range []string{"/overview/pages.csv", "/overview/trend.csv", "/sources/sources.csv", "/sources/programs.csv", "/sources/languages.csv", "/search/searches.csv", "/use/copied.csv"} {
		a := d.admin.Get("/admin/analytics" + path)
		if a.Status != 200 {
			d.Errorf("%s: %d", path, a.Status)
		}
		dump += a.Body
	}
	for _, word := range append(planted, "203.0.113.77") {
		if strings.Contains(dump, word) {
			d.Errorf("%s is kept", word)
		}
	}
}

// Pages of analytics show the figures, compare periods and link to what they count.
func analyticsPages(d desk) {
	for range 3 {
		d.ask("GET", endpoint, "", "Referer", "https://search.example/find?q=secret", "Accept-Language", "de-DE,de")
	}
	d.ask("GET", "/docs/rcs", "", "User-Agent", claude)
	d.ask("GET", "/search?q=send+message", "")
	d.written()
	a := d.admin.Get("/admin/analytics")
	if a.Status != 200 || !strings.Contains(a.Find(".figures").Text(), "Views4") || a.Find(".chart svg rect").Length() != 2 || a.Find("#pages tbody tr").Length() != 2 {
		d.Errorf("the overview gives %d: %s", a.Status, a.Find(".figures").Text())
	}
	if text := a.Find(".figures").Text(); !strings.Contains(text, "By people") || !strings.Contains(text, "By AI agents") {
		d.Errorf("readers are called %s", text)
	}
	for part, want := range map[string]string{
		"pages": endpoint, "sources": "search.example", "search": "11–20", "use": "Code copied, by language", "partners": "From registration to the first callback",
		"pages?of=" + endpoint: "Only " + endpoint, "?period=day": "UTC", "?period=24m": "AI agents", "?product=rcs": "/docs/rcs", "?reader=ai": "/docs/rcs",
	} {
		path := "/admin/analytics/" + part
		if strings.HasPrefix(part, "?") {
			path = "/admin/analytics" + part
		}
		if a := d.admin.Get(path); a.Status != 200 || !strings.Contains(a.Find("main").Text(), want) {
			d.Errorf("%s gives %d without %q", part, a.Status, want)
		}
	}
	if a := d.admin.Get("/admin/analytics?product=rcs"); strings.Contains(a.Find("#pages").Text(), endpoint) {
		d.Error("the filter by product leaves others")
	}
	for path, status := range map[string]int{"/missing": 404, "/pages/missing.csv": 404, "?period=9": 404, "?on=yesterday": 404} {
		if a := d.admin.Get("/admin/analytics" + path); a.Status != status {
			d.Errorf("%s gives %d", path, a.Status)
		}
	}
	file := d.admin.Get("/admin/analytics/overview/pages.csv")
	rows, err := csv.NewReader(strings.NewReader(file.Body)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != endpoint || rows[1][4] != "3" {
		d.Errorf("the file has %v, %v", rows, err)
	}
	if product := d.admin.Get(d.admin.Get("/admin/products").Find(`main td a[href^="/admin/products/"]`).First().AttrOr("href", "")); product.Status != 200 || product.Find(".trend .chart").Length() != 1 {
		d.Errorf("the page of a product gives %d without a trend", product.Status)
	}
}

// Editors see their own products, and nothing of partners.
func editorsSeeTheirProducts(d desk) {
	d.ask("GET", endpoint, "")
	d.ask("GET", "/docs/rcs", "")
	d.ask("GET", "/", "")
	d.written()
	editor := d.SignInAdmin(d.T, identity.Editor)
	shown := func() string { return editor.Get("/admin/analytics").Find("#pages").Text() }
	if text := shown(); strings.Contains(text, "/") {
		d.Errorf("an Editor without products sees %s", text)
	}
	if _, err := d.DB.Exec(context.WithoutCancel(d.Context()), `insert into product_editors (admin_user_id, product_id) select a.id, i.id from admin_users a, items i where a.role = 'editor' and i.kind = 'product' and i.slug = 'rcs'`); err != nil {
		d.Fatal(err)
	}
	if text := shown(); !strings.Contains(text, "/docs/rcs") || strings.Contains(text, "business-messaging") {
		d.Errorf("an Editor of RCS sees %s", text)
	}
	if a := editor.Get("/admin/analytics?product=business-messaging"); a.Status != 403 {
		d.Errorf("another product gives %d", a.Status)
	}
	if a := editor.Get("/admin/analytics/partners"); a.Find("#funnel").Length() != 0 || a.Find("#calls").Length() != 1 {
		d.Error("an Editor sees the funnel")
	}
	if a := editor.Get("/admin/analytics/overview/pages.csv"); strings.Contains(a.Body, "business-messaging") {
		d.Error("the file of an Editor has other products")
	}
}
