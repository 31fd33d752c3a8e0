package published_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// replaceContent gives an item another revision and releases its version with
// it, as no rule would.
const replaceContent = `
	with target as (select id from items where slug = $1),
	r as (insert into revisions (item_id, number, content, content_hash)
		select id, 9, $2::json, decode(repeat('11', 32), 'hex') from target returning id, item_id),
	rel as (insert into releases (product_id, scope_id, number)
		select v.parent_id, v.id, 2 from items v where v.kind = 'version' returning id, scope_id)
	insert into release_items (release_id, item_id, revision_id)
	select rel.id, x.item_id, case when x.item_id = r.item_id then r.id else x.revision_id end
	from rel, r, release_items x join releases o on o.id = x.release_id and o.number = 1
	where o.scope_id = rel.scope_id`

// A version is left out and said to be broken when its content cannot be read; the
// product and everything else stay.
func TestABrokenVersionHarmsNoOther(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), replaceContent, "1.0", `{"label": "Current", "frame": 3}`); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s := c.Snapshot()
	p := s.Product("letters")
	if len(s.Products) != 2 || p == nil || p.Version("1.0") != nil || p.Latest() != nil {
		t.Fatalf("%d products, letters: %+v", len(s.Products), p)
	}
	if b := p.Broken("1.0"); b == nil || b.Number != 2 || b.Err == nil || s.Broken("letters") != nil {
		t.Errorf("the version is said to be %+v", b)
	}
}

// An endpoint that cannot be compiled fails alone.
func TestABrokenEndpointHarmsNoOther(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	broken := `{"operation_id": "getB", "name": "Get b", "category": "Letters", "method": "GET", "path": "/b", "order": 1, "raw": []}`
	if _, err := pool.Exec(t.Context(), replaceContent, "get-b", broken); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := c.Snapshot().Product("letters").Version("1.0")
	if v == nil || v.Number != 2 {
		t.Fatal("the version is not shown")
	}
	if e, err := v.Endpoint(t.Context(), v.Operation("get-a")); err != nil || e.Name != "Get a" {
		t.Errorf("get-a: %v", err)
	}
	if _, err := v.Endpoint(t.Context(), v.Operation("get-b")); !published.IsBroken(err) {
		t.Errorf("get-b: %v, want broken", err)
	}
}

// slow is a database of which the first load of scopes waits, after it was read.
type slow struct {
	db.Querier
	calls         atomic.Int32
	read, release chan struct{}
}

func (s *slow) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := s.Querier.Query(ctx, sql, args...)
	if strings.Contains(sql, "cross join lateral") && s.calls.Add(1) == 1 {
		close(s.read)
		<-s.release
	}
	return rows, err
}

// A load that began before a release does not replace the result of a later one.
func TestAnOlderLoadDoesNotReplaceANewerOne(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	q := &slow{Querier: pool, read: make(chan struct{}), release: make(chan struct{})}
	c := published.New(q, db.NewListener(pool))
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	older := make(chan error, 1)
	go func() { older <- c.Refresh(t.Context()) }()
	<-q.read
	if err := editorial.Seed(t.Context(), pool, files(strings.Replace(document, "Get a", "Get the letter a", 1))); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(q.release)
	if err := <-older; err != nil {
		t.Fatal(err)
	}
	if v := c.Snapshot().Product("letters").Latest(); v.Number != 2 || v.Operation("get-a").Name != "Get the letter a" {
		t.Errorf("the older load won: release %d", v.Number)
	}
}

// Every endpoint has an outline, so that the index needs no content, save one
// that PostgreSQL cannot take apart: that is read.
func TestOutlines(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	var id, refs string
	var missing int
	if err := pool.QueryRow(t.Context(), `select count(*) from revisions where outline is null`).Scan(&missing); err != nil || missing != 0 {
		t.Errorf("%d revisions have no outline, %v", missing, err)
	}
	const odd = `{"operation_id": "getB", "name": "Get b", "category": "Letters", "method": "GET", "path": "/b", "purpose": "Zero: \u0000",
		"order": 1, "raw": {"deprecated": true, "responses": {"200": {"$ref": "#/components/responses/Done"}}}}`
	if _, err := pool.Exec(t.Context(), replaceContent, "get-b", strings.Replace(odd, `\u`, `\u`, 1)); err != nil {
		t.Fatal(err)
	}
	if err := pool.QueryRow(t.Context(), `select outline->>'operation_id', coalesce(outline->>'refs', '') from revisions where item_id = (select id from items where slug = 'get-a')`).Scan(&id, &refs); err != nil || id != "getA" {
		t.Errorf("the outline names %q and %q, %v", id, refs, err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := c.Snapshot().Product("letters").Latest()
	if op := v.Operation("get-b"); op.ID != "getB" || !op.Deprecated {
		t.Errorf("the endpoint without an outline is %+v", op)
	}
}

// A release leaves the stamps of other products, and what was compiled of the
// same revisions.
func TestReleaseChangesOneProduct(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := c.Snapshot()
	v := before.Product("letters").Latest()
	b, err := v.Endpoint(t.Context(), v.Operation("get-b"))
	if err != nil {
		t.Fatal(err)
	}
	if err := editorial.Seed(t.Context(), pool, files(strings.Replace(document, "Get a", "Get the letter a", 1))); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := c.Snapshot()
	if after.Stamp == before.Stamp || after.Product("letters").Stamp == before.Product("letters").Stamp {
		t.Error("the stamps stay after a release")
	}
	if after.Product("voice") != before.Product("voice") {
		t.Error("another product is new")
	}
	v = after.Product("letters").Latest()
	if again, err := v.Endpoint(t.Context(), v.Operation("get-b")); err != nil || again != b {
		t.Errorf("an endpoint that did not change was compiled again: %v", err)
	}
	if a, err := v.Endpoint(t.Context(), v.Operation("get-a")); err != nil || a.Name != "Get the letter a" {
		t.Errorf("the changed endpoint: %v", err)
	}
}
