//go:build drill && linux

package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
)

// The goals of the drill of the editor.
const (
	autosaveGoal = 150 * time.Millisecond // p95
	releaseGoal  = 3 * time.Second
	treeGoal     = 500 * time.Millisecond // median
)

// TestDrillEditor measures a product with 1,000 endpoints as an administrator meets it
// over HTTP: the tree, the search in it, the form of an endpoint, autosaves, and the
// publication of one endpoint. Beside the time it prints the processor time of the web
// process, since other programs may take turns:
//
//	go test -tags drill -run DrillEditor -timeout 20m -v ./app
func TestDrillEditor(t *testing.T) {
	f := newFleet(t)
	f.loadProduct(t, 1000)
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(web.url+"/admin/login", web.url+"/admin/login", "email", people.Admin.Email, "password", people.Admin.Password))
	product := web.url + "/admin/products/" + f.column(`select id::text from items where kind = 'product'`)[0]
	var pages []string
	for _, id := range f.column(`select id::text from items where kind = 'endpoint' order by id`) {
		pages = append(pages, product+"/items/"+id)
	}
	prepare := func(int) {}
	times := func(what string, n int, goal time.Duration, centile int, do func(i int)) {
		t.Helper()
		web.times(t, what, n, goal, centile, prepare, do)
	}
	times("the tree", 20, treeGoal, 50, func(int) { admin.must("the tree", 200, admin.get(product)) })
	times("a search in the tree", 20, treeGoal, 50, func(i int) {
		if g := admin.must("the search", 200, admin.get(fmt.Sprintf("%s?q=%d", product, i+300))); !strings.Contains(g.body, "/items/") {
			t.Fatal("the search in the tree finds nothing")
		}
	})
	times("the form of an endpoint", 40, treeGoal, 50, func(i int) { admin.must("a form", 200, admin.get(pages[i*7])) })
	form, token := admin.typed(pages[500])
	times("an autosave", 200, autosaveGoal, 95, func(i int) {
		form["name"] = fmt.Sprintf("Typed %d", i)
		var fields []string
		for name, value := range form {
			fields = append(fields, name, value)
		}
		g := admin.must("an autosave", http.StatusSeeOther, admin.postWith(token, pages[500]+"/autosave", fields...))
		if i%50 == 0 && !strings.Contains(admin.get(pages[500]).body, form["name"]) {
			t.Fatalf("%s was not saved: %s", form["name"], g.header.Get("Location"))
		}
	})
	times("a save", 10, releaseGoal, 100, func(i int) {
		admin.must("a save", 303, admin.fill(pages[501+i], "name", fmt.Sprintf("Saved %d", i)))
	})
	draft := func() string {
		return web.url + "/admin/drafts_and_reviews/" + f.column(`select max(id)::text from change_sets where state = 'draft'`)[0]
	}
	times("the page of 11 changes", 10, releaseGoal, 100, func(int) { admin.must("a change set", 200, admin.get(draft())) })
	admin.must("a release of 11 changes", 303, admin.post(draft(), draft()+"/override", "reason", "A drill"))
	var path string
	prepare = func(i int) {
		admin.must("a save", 303, admin.fill(pages[520+i], "name", fmt.Sprintf("Released %d", i)))
		path, token = draft(), admin.token(draft())
	}
	times("a release of one endpoint", 10, releaseGoal, 100, func(int) {
		admin.must("a release", 303, admin.postWith(token, path+"/override", "reason", "A drill"))
	})
	f.checkLogs()
}

// typed is what the form of an item holds, and the token to send it with.
func (v *visitor) typed(address string) (form map[string]string, token string) {
	v.t.Helper()
	names, token := v.read(v.must("the form", http.StatusOK, v.get(address)))
	form = map[string]string{}
	for i := 0; i < len(names); i += 2 {
		form[names[i]] = names[i+1]
	}
	return form, token
}

// loadProduct publishes a product with a number of endpoints.
func (f *fleet) loadProduct(t *testing.T, endpoints int) {
	t.Helper()
	document, err := openapi.Read(corpus.Generate(t, 0, endpoints))
	if err != nil {
		t.Fatal(err)
	}
	set, err := editorial.Draft(t.Context(), f.pool, editorial.System, editorial.Import{
		ProductSlug: "channel", Product: content.Product{Name: "Channel", Summary: "Reaches people.", Homepage: true},
		VersionSlug: "1.0", Version: content.Version{Label: content.Current}, Document: document,
	})
	if err == nil {
		err = editorial.Publish(t.Context(), f.pool, editorial.System, set, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.exec(t, `analyze`)
}

// times measures what a web process does a number of times, each after it is prepared,
// and holds a centile of it against a goal.
func (p *process) times(t *testing.T, what string, n int, goal time.Duration, centile int, prepare, do func(i int)) {
	t.Helper()
	var took []time.Duration
	var used time.Duration
	for i := range n + 1 {
		prepare(i)
		before, began := p.processorTime(t), time.Now()
		do(i)
		if i > 0 { // what is read for the first time is not what is measured
			took, used = append(took, time.Since(began)), used+p.processorTime(t)-before
		}
	}
	slices.Sort(took)
	at := func(centile int) time.Duration { return took[(len(took)-1)*centile/100] }
	t.Logf("%-26s median %6v  p95 %6v  worst %6v  processor %6v", what, at(50).Round(time.Millisecond), at(95).Round(time.Millisecond), at(100).Round(time.Millisecond), used/time.Duration(n))
	if at(centile) > goal {
		t.Errorf("%s takes %v (p%d), over %v", what, at(centile), centile, goal)
	}
}
