//go:build linux

package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/editorial/seedtest"

	"github.com/PuerkitoBio/goquery"
)

// seenGoal is how soon a release is seen on every web process.
const seenGoal = 2 * time.Second

// TestReleaseIsSeenEverywhere publishes a guide with another text and address, and an
// endpoint with another title, through one web process. The other one shows the page
// within two seconds. With the page come the search, the sitemap, the Markdown, the
// exports and the redirect.
func TestReleaseIsSeenEverywhere(t *testing.T) {
	f := newSmallFleet(t, seedtest.URL(t))
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	one, two := f.start("web"), f.start("web")
	admin, reader := newVisitor(t), newVisitor(t)
	admin.must("signing in", 303, admin.post(one.url+"/admin/login", one.url+"/admin/login", "email", people.Admin.Email, "password", people.Admin.Password))
	at := func(kind, slug string) string {
		var path string
		err := f.pool.QueryRow(t.Context(), `
			select '/admin/products/' || coalesce(v.parent_id, i.parent_id) || '/items/' || i.id from items i left join items v on v.id = i.parent_id and v.kind = 'version'
			where i.kind = $1 and i.slug = $2 limit 1`, kind, slug).Scan(&path)
		if err != nil {
			t.Fatalf("%s %s: %v", kind, slug, err)
		}
		return one.url + path
	}
	const guide = "media"
	admin.must("saving a guide", 303, admin.fill(at("guide", guide), "text", "# Media\n\nAll about Zanzibarword."))
	admin.must("moving a guide", 303, admin.post(at("guide", guide)+"/move", at("guide", guide)+"/move", "slug", "media-and-files"))
	sms := f.column(`select slug from items where kind = 'endpoint' and parent_id in (select id from items where parent_id in (select id from items where slug = 'sms')) order by id limit 1`)[0]
	admin.must("saving an endpoint", 303, admin.fill(at("endpoint", sms), "name", "Zanzibarword by SMS"))
	sets := f.column(`select id::text from change_sets where state = 'draft' order by id`)

	before := func(path, text string) {
		t.Helper()
		if g := reader.get(two.url + path); strings.Contains(g.body, text) {
			t.Errorf("%s has %s before it is released", path, text)
		}
	}
	for _, path := range []string{"/productguide/business-messaging/media", "/productguide/business-messaging/media.md", "/search?q=zanzibarword", "/docs/sms/1.0/" + sms, "/openapi/sms/1.0.json", "/llms-full.txt"} {
		before(path, "Zanzibarword")
	}
	before("/sitemap.xml", "media-and-files")
	for _, set := range sets {
		path := one.url + "/admin/drafts_and_reviews/" + set
		admin.must("publishing", 303, admin.post(path, path+"/override", "reason", "A test"))
	}
	began := time.Now()
	page := "/productguide/business-messaging/media-and-files"
	for _, shown := range []struct{ path, text string }{{page, "Zanzibarword"}, {"/docs/sms/1.0/" + sms, "Zanzibarword"}} {
		for !strings.Contains(reader.get(two.url+shown.path).body, shown.text) {
			if time.Since(began) > 10*seenGoal {
				t.Fatalf("the other process does not show %s", shown.path)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	took := time.Since(began)
	t.Logf("both releases are seen on the other process after %v", took.Round(time.Millisecond))
	if took > seenGoal {
		t.Errorf("the releases are seen after %v, over %v", took, seenGoal)
	}
	for _, web := range []*process{one, two} {
		for _, c := range []struct{ path, text string }{
			{page, "Zanzibarword"}, {page + ".md", "Zanzibarword"}, {"/search?q=zanzibarword", "media-and-files"}, {"/search?q=zanzibarword", sms},
			{"/sitemap.xml", "media-and-files"}, {"/docs/sms/1.0/" + sms, "Zanzibarword"}, {"/docs/sms/1.0/" + sms + ".md", "Zanzibarword"},
			{"/openapi/sms/1.0.json", "Zanzibarword"}, {"/postman/sms/1.0/collection.json", "Zanzibarword"}, {"/api/catalog/sms/1.0", "Zanzibarword"}, {"/llms-full.txt", "Zanzibarword"}, {"/docs/sms/changelog", "Zanzibarword"},
		} {
			if g := reader.get(web.url + c.path); g.status != http.StatusOK || !strings.Contains(g.body, c.text) {
				t.Errorf("%s gives %d without %s", c.path, g.status, c.text)
			}
		}
		old := reader.get(web.url + "/productguide/business-messaging/media")
		if to, _ := url.Parse(old.header.Get("Location")); old.status != http.StatusMovedPermanently && old.status != http.StatusPermanentRedirect || to.Path != page {
			t.Errorf("the old address gives %d to %s", old.status, old.header.Get("Location"))
		}
		if g := reader.get(web.url + "/sitemap.xml"); strings.Contains(g.body, "business-messaging/media<") {
			t.Error("the sitemap has the old address")
		}
	}
}

// fill opens the form of an item, changes one field and saves what a browser would
// send.
func (v *visitor) fill(address, name, value string) got {
	v.t.Helper()
	fields, token := v.read(v.must("the form", http.StatusOK, v.get(address)))
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == name {
			fields[i+1] = value
		}
	}
	return v.postWith(token, address, fields...)
}

// read returns what a browser would send of the form of an item, as names and values,
// and its token.
func (v *visitor) read(page got) (fields []string, token string) {
	v.t.Helper()
	page.document.Find("#item").Find("input[name], textarea[name], select[name]").Each(func(_ int, s *goquery.Selection) {
		name, value := s.AttrOr("name", ""), s.AttrOr("value", "")
		switch {
		case s.Is("textarea"):
			value = strings.ReplaceAll(s.Text(), "\n", "\r\n")
		case s.Is("select"):
			value = s.Find("option[selected]").AttrOr("value", "")
		case s.Is("[type=checkbox]") && !s.Is("[checked]"):
			return
		}
		if name == "_csrf" {
			token = value
		} else {
			fields = append(fields, name, value)
		}
	})
	if token == "" {
		v.t.Fatalf("the page has no form: %s", page.document.Find("main").Text())
	}
	return fields, token
}
