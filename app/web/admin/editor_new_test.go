package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// wrong returns what a page says at its fields, by their names.
func wrong(a *webtest.Answer) map[string]string {
	said := map[string]string{}
	for _, field := range a.Find(".field.invalid .error").EachIter() {
		said[strings.TrimSuffix(strings.TrimPrefix(field.AttrOr("id", ""), "field-"), "-error")] = field.Text()
	}
	return said
}

// A new item lacks its name or its address, and the message stands at the one that it
// lacks.
func TestNewItemsWithoutNameOrAddress(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	product, version := p.id("product", "letters"), p.id("version", "1.0")
	for name, c := range map[string]struct {
		values url.Values
		field  string
		says   string
	}{
		"an empty endpoint":            {url.Values{"kind": {"endpoint"}, "parent": {version}}, "name", "Enter a title."},
		"an endpoint with an address":  {url.Values{"kind": {"endpoint"}, "parent": {version}, "slug": {"send"}}, "name", "Enter a title."},
		"a schema of blanks":           {url.Values{"kind": {"schema"}, "parent": {version}, "name": {"   "}}, "name", "Enter a name."},
		"a guide in another script":    {url.Values{"kind": {"guide"}, "parent": {product}, "title": {"सूचना भेजें"}}, "slug", "No address can be made from this title. Enter one: small letters and digits"},
		"a guide without a title":      {url.Values{"kind": {"guide"}, "parent": {product}}, "title", "Enter a title."},
		"a guide with a wrong address": {url.Values{"kind": {"guide"}, "parent": {product}, "title": {"Errors"}, "slug": {"No Errors"}}, "slug", "Use small letters and digits"},
		"a version without a name":     {url.Values{"kind": {"version"}, "parent": {product}, "label": {"Beta"}}, "slug", "Enter the version"},
		"a product of blanks":          {url.Values{"name": {"   "}}, "name", "Enter a name."},
		"a product of pictures":        {url.Values{"name": {"😀😀"}}, "slug", "No address can be made from this name."},
	} {
		path := p.product + "/new"
		if !c.values.Has("kind") {
			path = "/admin/products"
		}
		a := p.sue.Post(path, c.values)
		if said := wrong(a); a.Status != 422 || len(said) != 1 || !strings.HasPrefix(said[c.field], c.says) {
			t.Errorf("%s gives %d: %q", name, a.Status, said)
		}
		if got := a.Find("#field-slug").AttrOr("value", ""); got != c.values.Get("slug") {
			t.Errorf("%s: the address became %q", name, got)
		}
	}
	both := p.sue.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {product}, "order": {"first"}})
	if said := wrong(both); len(said) != 2 || said["title"] == "" || said["order"] == "" {
		t.Errorf("without a title and with a wrong number: %q", said)
	}
	named := p.ok(p.sue, p.sue.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {product}, "title": {"सूचना भेजें"}, "slug": {"notice"}}))
	if named.Find("#field-title").AttrOr("value", "") != "सूचना भेजें" {
		t.Errorf("a guide with its own address: %s", named.Find("main").Text())
	}
}

// Impossible days of a version are refused at their fields. A version stored with such
// days before the rule is shown and can be corrected.
func TestDaysOfVersions(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	days := []string{"label", "Deprecated", "released_on", "2031-01-01", "deprecated_on", "2020-01-01", "retired_on", "1990-01-01", "sunset_on", "0001-01-02"}
	want := map[string]string{"deprecated_on": "before its release on 1 January 2031", "retired_on": "before its release on 1 January 2031", "sunset_on": "in the years 1990 to 2100"}
	check := func(name string, a *webtest.Answer) {
		t.Helper()
		said := wrong(a)
		for field, text := range want {
			if a.Status != 422 || len(said) != len(want) || !strings.Contains(said[field], text) {
				t.Errorf("%s gives %d: %s says %q", name, a.Status, field, said[field])
			}
		}
		if a.Find("#field-sunset_on").AttrOr("value", "") != "0001-01-02" {
			t.Errorf("%s: what was typed is gone", name)
		}
	}
	add := p.product + "/new?kind=version&parent=" + p.id("product", "letters")
	check("a new version", p.ada.Post(p.product+"/new", p.filled(p.ada.Get(add), append(days, "slug", "2.0")...)))
	check("a version that exists", p.save(p.ada, p.version, days...))
	part := p.ada.HX("saved").On(p.version).Post(p.version+"/autosave", p.filled(p.ada.Get(p.version), days...))
	if !strings.Contains(part.Find("#saved").Text(), "Not saved: The day of the sunset is 2 January 0001") {
		t.Errorf("while somebody types: %s", part.Body)
	}

	exec(t, p.Site, `with r as (insert into revisions (item_id, number, content, content_hash, origin)
		select i.id, 2, c.text::json, sha256(convert_to(c.text, 'UTF8')), 'edit' from items i join revisions o on o.id = i.live_revision_id,
			lateral (select (o.content::jsonb || '{"sunset_on":"0001-01-02"}')::text) as c (text) where i.kind = 'version' returning id, item_id)
		update items set live_revision_id = r.id from r where items.id = r.item_id`)
	a := p.ada.Get(p.version)
	if a.Status != 200 || !strings.Contains(a.Find("main").Text(), "The day of the sunset is 2 January 0001") {
		t.Errorf("what was stored is shown as %d: %s", a.Status, a.Find("main").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.version, "sunset_on", "2032-01-01"))
	if a := p.ada.Get(p.version); strings.Contains(a.Find("main").Text(), "0001") {
		t.Errorf("the corrected version still says %s", a.Find("main").Text())
	}
}
