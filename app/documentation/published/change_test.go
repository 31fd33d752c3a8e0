package published_test

import (
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// addItem publishes an item below another one with the next release of a scope,
// as a later version of the program would.
const addItem = `
	with scope as (select id, coalesce(parent_id, id) as product from items where kind = $1 and slug = $2),
	i as (insert into items (kind, parent_id, slug) select $3::text, id, $4::text from scope returning id),
	r as (insert into revisions (item_id, number, content, content_hash) select id, 1, $5::json, decode(repeat('22', 32), 'hex') from i returning id, item_id),
	rel as (insert into releases (product_id, scope_id, number)
		select scope.product, scope.id, max(o.number) + 1 from scope join releases o on o.scope_id = scope.id group by scope.product, scope.id returning id, scope_id, number)
	insert into release_items (release_id, item_id, revision_id)
	select rel.id, x.item_id, x.revision_id from rel join releases o on o.scope_id = rel.scope_id and o.number = rel.number - 1 join release_items x on x.release_id = o.id
	union all select rel.id, r.item_id, r.id from rel, r`

// A process that restarts while a later version of the program has published
// already reads what it knows: it skips kinds of items and members that it does
// not know, and a version with content in another form is broken alone.
func TestAnOlderReaderReadsWhatItKnows(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if changed, err := pool.Exec(t.Context(), sql, args...); err != nil || len(args) > 0 && changed.RowsAffected() == 0 {
			t.Fatalf("%s, %v", changed, err)
		}
	}
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	exec(`alter table items drop constraint items_kind_check`)
	exec(`alter table revisions disable trigger user`)
	later := `{"name": "Policy of later", "summary": "Later.", "hidden": true, "coming_soon": true, "label": "Preview", "frame": [], "order": "first", "operation_id": 7}`
	exec(addItem, "product", "letters", "policy", "terms", later)
	exec(addItem, "version", "1.0", "policy", "limits", later)
	exec(addItem, "version", "1.0", "policy", "get-a.2", later)
	exec(`update revisions set content = (content::jsonb || '{"audience": ["partners"], "badge": {"tone": "new"}}')::json where item_id in (select id from items where kind in ('product', 'version', 'endpoint') and $1)`, true)

	c := published.New(pool, db.NewListener(pool))
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := c.Snapshot().Product("letters")
	if p == nil || p.Name != "Letters" || p.Hidden || p.ComingSoon || len(p.Guides) != 0 {
		t.Fatalf("the product is %+v", p)
	}
	v := p.Version("1.0")
	if v == nil || v.Label != "Current" || len(v.Operations()) != 2 {
		t.Fatalf("the version is %+v, broken: %v", v, p.Broken("1.0"))
	}
	for _, op := range v.Operations() {
		if _, err := v.Endpoint(t.Context(), op); err != nil {
			t.Errorf("%s: %v", op.Slug, err)
		}
	}

	exec(replaceLatest, "1.0", `{"label": {"stage": "Current"}, "frame": {"openapi": "3.1.0"}}`)
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	p = c.Snapshot().Product("letters")
	if p == nil || p.Version("1.0") != nil || p.Broken("1.0") == nil || len(c.Snapshot().Products) != 2 {
		t.Errorf("the version of another form: %+v", p)
	}
}

// replaceLatest is replaceContent for the latest release of a version.
const replaceLatest = `
	with target as (select id from items where slug = $1),
	r as (insert into revisions (item_id, number, content, content_hash)
		select id, 9, $2::json, decode(repeat('33', 32), 'hex') from target returning id, item_id),
	rel as (insert into releases (product_id, scope_id, number)
		select v.parent_id, v.id, max(o.number) + 1 from items v join target on target.id = v.id join releases o on o.scope_id = v.id group by v.parent_id, v.id returning id, scope_id, number)
	insert into release_items (release_id, item_id, revision_id)
	select rel.id, x.item_id, case when x.item_id = r.item_id then r.id else x.revision_id end
	from rel cross join r join releases o on o.scope_id = rel.scope_id and o.number = rel.number - 1 join release_items x on x.release_id = o.id`
