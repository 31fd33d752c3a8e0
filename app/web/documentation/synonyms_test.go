package documentation_test

import (
	"net/url"
	"slices"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

func TestSynonymsPage(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	webtest.Exec(t, site, webtest.SynonymRow)
	if got := webtest.Column(c.Get("/admin/synonyms?q=BEACON"), "Also finds"); len(got) != 1 || got[0] != "<i>lighthouse</i>" {
		t.Errorf("the list has %v", got)
	}
	a := c.Post("/admin/synonyms", url.Values{"term": {"Signal lamp"}, "means": {"?"}})
	if value := a.Find("input[name=term]").AttrOr("value", ""); a.Status != 422 || value != "Signal lamp" || a.Find("#field-means-error").Length() != 1 {
		t.Errorf("a wrong one gives %d", a.Status)
	}
	a = c.Post("/admin/synonyms", url.Values{"term": {"Signal lamp"}, "means": {"heliograph"}})
	if shown := c.Get(a.Header.Get("Location")); a.Status != 303 || shown.Find(".done").Length() != 1 {
		t.Errorf("adding gives %d", a.Status)
	}
	if a := c.Post("/admin/synonyms/1000001/removal", nil); a.Status != 303 {
		t.Errorf("removing gives %d", a.Status)
	}
	if got := c.Get("/admin/synonyms?q=beacon"); got.Find(".empty").Length() != 1 {
		t.Error("it is still there")
	}
	for _, id := range []string{"1000001", "x"} {
		if a := c.Post("/admin/synonyms/"+id+"/removal", nil); a.Status != 404 {
			t.Errorf("removing %s gives %d", id, a.Status)
		}
	}
}

func TestSynonymsComeInPages(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Editor)
	webtest.Exec(t, site, `insert into search_synonyms (term, means) select 'lamp ' || n, 'beacon' from generate_series(1, 150) n`)
	var seen []string
	pages := 0
	for next := "/admin/synonyms?q=lamp+"; next != ""; pages++ {
		a := c.Get(next)
		seen = append(seen, webtest.Column(a, "Search term")...)
		next = a.Find("a[rel=next]").AttrOr("href", "")
	}
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != 150 || pages != 2 {
		t.Errorf("%d pages list %d synonyms", pages, n)
	}
}
