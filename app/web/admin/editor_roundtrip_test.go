package admin_test

import (
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// newSeededPress is a press with a Super Admin and the products of the program's own
// seed.
func newSeededPress(t *testing.T) *press {
	t.Helper()
	p := &press{T: t, Site: webtest.Over(t, seedtest.Tx(t), nil)}
	p.sue = p.enter("sue", identity.SuperAdmin)
	return p
}

// pages lists the pages of the items of a kind, with their slugs.
func (p *press) pages(kind string) (paths, slugs []string) {
	p.Helper()
	rows, err := p.DB.Query(p.Context(), `
		select i.slug, '/admin/products/' || coalesce(v.parent_id, i.parent_id, i.id) || '/items/' || i.id
		from items i left join items v on v.id = i.parent_id and v.kind = 'version' where i.kind = $1 order by i.id`, kind)
	if err != nil {
		p.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var slug, path string
		if err := rows.Scan(&slug, &path); err != nil {
			p.Fatal(err)
		}
		slugs, paths = append(slugs, slug), append(paths, path)
	}
	return paths, slugs
}

// Opening an endpoint of the seed and saving it as a browser would makes no revision,
// and one in four of them is saved with script too. So it is for each product, version,
// guide, category and callback. The drill saves every endpoint.
func TestSavingTheSeedWithoutAChange(t *testing.T) {
	t.Parallel()
	p := newSeededPress(t)
	before := p.text(`select count(*)::text from revisions`)
	for _, kind := range []string{content.KindEndpoint, content.KindProduct, content.KindVersion, content.KindGuide, content.KindCategory, content.KindCallback} {
		paths, slugs := p.pages(kind)
		if kind == content.KindEndpoint && len(paths) < 71 {
			t.Errorf("%d endpoints, want 71 or more", len(paths))
		}
		for n, path := range paths {
			if kind == content.KindEndpoint && n%savedOf != 0 {
				continue
			}
			browser := p.sue
			if n%4 != 0 {
				browser = browser.Once()
			}
			if a := p.save(browser, path); a.Address() != path+"?done=unchanged" {
				t.Errorf("saving the %s %s gives %d: %s", kind, slugs[n], a.Status, a.Find(".alert, .error").Text())
			}
		}
	}
	if after := p.text(`select count(*)::text from revisions`); after != before {
		t.Errorf("%s revisions became %s", before, after)
	}
}
