package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// Everybody saves filters of lists under names of their own, uses, renames and deletes
// them. Nobody else sees them.
func TestSavedFilters(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	const drafts, filters = "/admin/drafts_and_reviews", "/admin/filters"
	if a := p.vic.Get(drafts); a.Find(".saved-filters").Length() != 0 || strings.Contains(a.Find("#list").Text(), "Save this filter") {
		t.Error("an unfiltered list can be saved")
	}
	if a := p.vic.Get(filters); !strings.Contains(a.Find("main").Text(), "No saved filters") {
		t.Errorf("without filters the page has %s", a.Find("main").Text())
	}
	save := func(list, link string) url.Values {
		t.Helper()
		form := p.vic.Get(link).Find("#form-filter")
		values := url.Values{"name": {"Mine " + list}}
		for _, name := range []string{"list", "path", "query"} {
			values.Set(name, form.Find("input[name="+name+"]").AttrOr("value", ""))
		}
		return values
	}
	for list, address := range map[string]string{"drafts": drafts + "?state=approved", "products": "/admin/products?q=let", "items": p.product + "?state=changed"} {
		link := p.vic.Get(address).Find(".list-head a[href^='/admin/filters/new']").AttrOr("href", "")
		values := save(list, link)
		values.Set("name", " ")
		if a := p.vic.Post(filters, values); a.Status != 422 || a.Find("#form-filter .error").Text() != "Give the filter a name." {
			t.Errorf("a filter without a name: %d", a.Status)
		}
		values.Set("name", "Mine "+list)
		a := p.vic.Post(filters, values)
		if a.Status != 303 {
			t.Fatalf("saving gives %d: %s", a.Status, a.Find("main").Text())
		}
		shown := p.vic.Follow(a)
		if at := a.Header.Get("Location"); !strings.HasPrefix(at, strings.Split(address, "?")[0]+"?") || !strings.Contains(at, strings.Split(address, "?")[1]) || !strings.Contains(shown.Find("#toasts").Text(), "The filter is saved.") {
			t.Errorf("saving leads to %s: %s", at, shown.Find("#toasts").Text())
		}
		if got := shown.Find(".saved-filters a").First(); got.Text() != "Mine "+list || got.AttrOr("href", "") != address || got.AttrOr("aria-current", "") != "true" {
			t.Errorf("the list %s has %s", list, shown.Find(".saved-filters").Text())
		}
		if a := p.vic.Post(filters, values); a.Status != 422 || !strings.Contains(a.Find("#form-filter .error").Text(), "You have a filter with this name.") {
			t.Errorf("the same name again: %d", a.Status)
		}
		if p.ada.Get(address).Find(".saved-filters").Length() != 0 {
			t.Errorf("Ada sees the filter of %s", list)
		}
	}
	for _, wrong := range []url.Values{
		{"list": {"users"}, "query": {"q=a"}, "name": {"A"}}, {"list": {"drafts"}, "query": {"before=7"}, "name": {"A"}}, {"list": {"drafts"}, "query": {"%zz"}, "name": {"A"}},
		{"list": {"items"}, "path": {"https://example.com"}, "query": {"q=a"}, "name": {"A"}}, {"list": {"items"}, "path": {"/admin/products/7/x"}, "query": {"q=a"}, "name": {"A"}},
	} {
		if a := p.vic.Post(filters, wrong); a.Status < 400 || a.Status >= 500 {
			t.Errorf("%v gives %d", wrong, a.Status)
		}
	}

	id := p.text(`select id::text from list_filters where name = 'Mine drafts'`)
	if a := p.ada.Post(filters+"/"+id, url.Values{"name-" + id: {"Ada's"}}); a.Status != 404 {
		t.Errorf("renaming another's filter gives %d", a.Status)
	}
	if a := p.vic.Post(filters+"/"+id, url.Values{"name-" + id: {strings.Repeat("x", 61)}}); a.Status != 422 || a.Find("#filter-"+id+" .error").Length() != 1 {
		t.Errorf("a long name gives %d", a.Status)
	}
	p.ok(p.vic, p.vic.Post(filters+"/"+id, url.Values{"name-" + id: {"Ready"}}))
	if got := p.vic.Get(drafts).Find(".saved-filters a").First().Text(); got != "Ready" {
		t.Errorf("the renamed filter is %q", got)
	}
	if a := p.ada.Post(filters+"/"+id+"/removal", nil); a.Status != 404 {
		t.Errorf("deleting another's filter gives %d", a.Status)
	}
	p.ok(p.vic, p.vic.Post(filters+"/"+id+"/removal", nil))
	if p.vic.Get(drafts).Find(".saved-filters").Length() != 0 || p.vic.Get(filters).Find(".filter-row").Length() != 2 {
		t.Error("the deleted filter is still there")
	}
	if got := p.text(`select string_agg(distinct action, ' ' order by action) from audit_entries where action like 'filter.%'`); got != "filter.remove filter.rename filter.save" {
		t.Errorf("the audit has %s", got)
	}
}
