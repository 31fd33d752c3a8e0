package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

// offices are administrators by what they may do with a product: its Editor, the
// Editor of another product, an Editor of none, a Viewer with that product assigned, and a
// Super Admin.
var offices = []string{"editor", "elsewhere", "idle", "viewer", "super-admin"}

// bureau is a site with two products, Letters and Lamps, and a change set of Letters.
type bureau struct {
	*testing.T
	*webtest.Site
	crew    *crew // for what it undoes
	people  map[string]*webtest.Client
	letters map[string]string // the parameters of paths
	lamps   map[string]string
}

func newBureau(t *testing.T) *bureau {
	t.Helper()
	b := &bureau{T: t, Site: webtest.New(t, nil), people: map[string]*webtest.Client{}}
	b.crew = &crew{site: b.Site}
	files := fstest.MapFS{"a.yaml": {Data: []byte("openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {/a: {get: {operationId: getA, summary: Get a, responses: {'200': {description: ok}}}}}\n")},
		"products.json": {Data: []byte(`[{"slug":"letters","product":{"name":"Letters"},"version":"1.0","label":"Current","document":"a.yaml","guides":[{"slug":"begin","title":"Begin"}]},
			{"slug":"lamps","product":{"name":"Lamps"},"version":"1.0","label":"Current","document":"a.yaml","guides":[{"slug":"light","title":"Light"}]}]`)},
		"guides/letters/begin.md": {Data: []byte("Begin.")}, "guides/lamps/light.md": {Data: []byte("Light.")}}
	b.ok(editorial.Seed(t.Context(), b.DB, files))
	b.letters, b.lamps = map[string]string{}, map[string]string{}
	for _, p := range []struct {
		product, guide string
		is             map[string]string
	}{{"letters", "begin", b.letters}, {"lamps", "light", b.lamps}} {
		p.is["id"] = b.text(`select id from items where kind = 'product' and slug = '` + p.product + `'`)
		p.is["item"] = b.text(`select id from items where slug = '` + p.guide + `'`)
		p.is["version"] = b.text(`select id from items where kind = 'version' and parent_id = ` + p.is["id"])
		p.is["release"] = b.text(`select max(id) from releases where product_id = ` + p.is["id"])
		p.is["number"] = "1"
	}
	for _, name := range offices {
		role := map[string]string{"viewer": identity.Viewer, "super-admin": identity.SuperAdmin}[name]
		if role == "" {
			role = identity.Editor
		}
		b.people[name] = b.enter(name, role)
		product := map[string]string{"editor": b.letters["id"], "viewer": b.letters["id"], "elsewhere": b.lamps["id"]}[name]
		if product != "" {
			_, err := b.DB.Exec(t.Context(), `insert into product_editors (admin_user_id, product_id) select max(id), `+product+` from admin_users`)
			b.ok(err)
		}
	}
	boss := editorial.Actor{Name: "admin:1", Role: identity.SuperAdmin} // the last one
	b.ok(b.DB.QueryRow(t.Context(), `select max(id) from admin_users`).Scan(&boss.ID))
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		b.ok(err)
		return n
	}
	for _, is := range []map[string]string{b.letters, b.lamps} {
		saved, err := editorial.Save(t.Context(), b.DB, boss, editorial.Edit{ItemID: number(is["item"]), Base: number(b.text(`select live_revision_id from items where id = ` + is["item"])), Content: []byte(`{"title":"Other"}`)})
		b.ok(err)
		thread, err := editorial.OpenThread(t.Context(), b.DB, boss, saved.ChangeSetID, editorial.Subject{ItemID: saved.Item.ID}, "Why?")
		b.ok(err)
		b.ok(editorial.Submit(t.Context(), b.DB, boss, saved.ChangeSetID, "Other"))
		_, err = editorial.CreatePreviewLink(t.Context(), b.DB, boss, editorial.PreviewLinkRequest{ItemID: saved.Item.ID, Days: 7})
		b.ok(err)
		is["link"] = b.text(`select max(id) from preview_links`)
		is["set"], is["thread"] = fmt.Sprint(saved.ChangeSetID), fmt.Sprint(thread)
	}
	return b
}

// enter adds an administrator and signs in.
func (b *bureau) enter(name, role string) *webtest.Client {
	b.Helper()
	email := name + "@example.com"
	identitytest.AddAdmin(b.T, b.DB, name, email, role)
	c := b.Client(b.T)
	c.Get("/admin/login")
	if a := c.Once().Post("/admin/login", url.Values{"email": {email}, "password": {webtest.Password}}); a.Status != http.StatusSeeOther {
		b.Fatalf("%s cannot sign in: %d", name, a.Status)
	}
	c.Get("/admin")
	return c
}

func (b *bureau) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bureau) text(sql string) (text string) {
	b.Helper()
	b.ok(b.DB.QueryRow(b.Context(), `select (`+sql+`)::text`).Scan(&text))
	return text
}

// documentation is everything that editing changes.
func (b *bureau) documentation() string {
	b.Helper()
	var parts []string
	for _, table := range []string{"items", "revisions", "change_sets", "change_set_items", "reviews", "review_threads", "review_comments", "releases", "accepted_changes", "check_policies", "product_editors", "preview_links", "audit_entries"} {
		parts = append(parts, `coalesce((select md5(string_agg(x::text, ' ' order by x::text)) from `+table+` x), '')`)
	}
	return b.text(`select concat_ws(' ', ` + strings.Join(parts, ", ") + `)`)
}

// path is the address of a route for a product; ok is false for routes of none.
func (b *bureau) path(route web.Route, product, item map[string]string) (path string, ok bool) {
	sets := strings.HasPrefix(route.Path, "/admin/drafts_and_reviews/:id")
	versions := strings.HasPrefix(route.Path, "/admin/versions/:id")
	if !sets && !versions && !strings.HasPrefix(route.Path, "/admin/products/:id") {
		return "", false
	}
	id := product["id"]
	if sets {
		id = product["set"]
	} else if versions {
		id = product["version"]
	}
	path = strings.Replace(route.Path, ":id", id, 1)
	for _, name := range []string{"item", "number", "release", "thread", "link"} {
		path = strings.Replace(path, ":"+name, item[name], 1)
	}
	return path, true
}

// Every route that edits a product is tried by its Editor, the Editor of another
// product, an Editor of none, a Viewer and a Super Admin. Who may not edit it is
// refused, and nothing is changed. So is who names an item of another product below
// one's own.
func TestRouteByRoleByProduct(t *testing.T) {
	t.Parallel()
	b := newBureau(t)
	tried, before := 0, b.documentation()
	try := func(who string, route web.Route, path string) *webtest.Answer {
		defer b.crew.restore(t)()
		tried++
		if route.Method == http.MethodPost {
			a := b.people[who].Once().Post(path, url.Values{"slug": {"elsewhere"}, "title": {"T"}, "kind": {"guide"}, "parent": {b.letters["id"]}, "reason": {"R"}, "text": {"T"}, "summary": {"S"},
				"version": {b.lamps["version"]}, "base": {b.text(`select live_revision_id from items where id = ` + b.letters["item"])}})
			if who != "editor" && who != "super-admin" && b.documentation() != before {
				t.Errorf("%s: %s changes the documentation", who, path)
			}
			return a
		}
		return b.people[who].Get(path + "?kind=guide&parent=" + b.letters["id"])
	}
	routes := 0
	for _, route := range b.Server.Routes() {
		path, ok := b.path(route, b.letters, b.letters)
		if !ok {
			continue
		}
		routes++
		for _, who := range offices {
			a := try(who, route, path)
			_, hasItem := strings.CutPrefix(route.Path, "/admin/products/:id/items/:item")
			switch {
			case who == "viewer" && route.Access != web.Viewer, route.Access == web.SuperAdmin && who != "super-admin",
				route.Method == http.MethodPost && (who == "elsewhere" || who == "idle"):
				if a.Status != http.StatusForbidden {
					t.Errorf("%s: %s %s gives %d, want 403", who, route.Method, route.Path, a.Status)
				}
			case who == "super-admin" && (a.Status == http.StatusForbidden && hasItem || a.Status == http.StatusNotFound):
				t.Errorf("%s: %s %s gives %d: %s", who, route.Method, route.Path, a.Status, a.Find("main").Text())
			case a.Status >= 500, a.Status == http.StatusNotFound:
				t.Errorf("%s: %s %s gives %d", who, route.Method, route.Path, a.Status)
			}
		}
		// An item, a release or a thread of another product is none of this one.
		if !strings.Contains(strings.TrimPrefix(route.Path, "/admin/products/:id"), ":") && !slices.Contains([]string{"admin.drafts.threads.reply"}, route.Name) {
			continue
		}
		mixed, _ := b.path(route, b.letters, b.lamps)
		if mixed == path {
			continue
		}
		for _, who := range []string{"editor", "super-admin"} {
			if a := try(who, route, mixed); a.Status != http.StatusNotFound && a.Status != http.StatusForbidden {
				t.Errorf("%s: %s %s with a part of another product gives %d", who, route.Method, route.Path, a.Status)
			}
			if now := b.documentation(); now != before {
				t.Fatalf("%s %s changes another product", route.Method, route.Path)
			}
		}
	}
	t.Logf("%d routes, %d tries", routes, tried)
	if routes < 50 {
		t.Errorf("only %d routes of products", routes)
	}
}

// An item moves neither into a product that its Editor does not edit nor out of it.
func TestMovesBetweenProductsAreRefused(t *testing.T) {
	t.Parallel()
	b := newBureau(t)
	endpoint := func(product map[string]string) string {
		return b.text(`select id from items where kind = 'endpoint' and parent_id = ` + product["version"])
	}
	for _, who := range []string{"editor", "elsewhere", "super-admin"} {
		for _, way := range [][2]map[string]string{{b.letters, b.lamps}, {b.lamps, b.letters}} {
			before := b.documentation()
			path := "/admin/products/" + way[0]["id"] + "/items/" + endpoint(way[0]) + "/move"
			a := b.people[who].Once().Post(path, url.Values{"slug": {"moved"}, "parent": {way[1]["version"]}, "version": {way[1]["version"]}})
			if a.Status < 400 || b.documentation() != before {
				t.Errorf("%s moves an endpoint to another product: %d", who, a.Status)
			}
		}
	}
}
