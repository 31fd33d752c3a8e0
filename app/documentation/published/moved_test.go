package published_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

const secured = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":[{"url":"http://localhost/v1"}],
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"},"token":{"type":"http","scheme":"bearer"}}},"paths":{
"/a":{"get":{"operationId":"getA","summary":"Get a","tags":["Letters"],"security":[{"key":[]}],"responses":{"200":{"description":"ok"}}}},
"/b":{"get":{"operationId":"getB","summary":"Get b","tags":["Letters"],"security":[{"token":[]}],"responses":{"200":{"description":"ok"}}}}},
"webhooks":{"arrived":{"post":{"operationId":"arrived","summary":"Arrived","responses":{"200":{"description":"ok"}}}}}}`

// load publishes a document as Letters 1.0 and reads it.
func load(t *testing.T, document string, served func(method, path string) bool, statements ...string) *published.Snapshot {
	t.Helper()
	_, c := openDocumentation(t, document, served, statements...)
	return c.Snapshot()
}

// openDocumentation is load for tests that go on with the documentation.
func openDocumentation(t *testing.T, document string, served func(method, path string) bool, statements ...string) (pgx.Tx, *published.Documentation) {
	t.Helper()
	tx := dbtest.Tx(t)
	if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
		t.Fatal(err)
	}
	for _, sql := range statements {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	c := published.New(tx, db.NewListener(nil))
	c.SetServed(served)
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return tx, c
}

// An old address stands for the item that had it, as long as that can be read.
func TestMovedItemsAreFound(t *testing.T) {
	t.Parallel()
	s := load(t, document, nil, `
		insert into item_redirects (kind, parent_id, slug, item_id)
		select i.kind, i.parent_id, 'old-' || replace(i.slug, '.', '-'), i.id from items i where i.kind in ('product', 'version', 'endpoint')`,
		`with gone as (insert into items (kind, slug) values ('product', 'gone') returning id)
		insert into item_redirects (kind, slug, item_id) select 'product', 'old-gone', id from gone`,
		`with gone as (insert into items (kind, parent_id, slug) select 'version', id, '9.0' from items where slug = 'letters' returning id, parent_id)
		insert into item_redirects (kind, parent_id, slug, item_id) select 'version', parent_id, 'old-9', id from gone`)
	p := s.Product("letters")
	v := p.Latest()
	if got := s.MovedProduct("old-letters"); got != p {
		t.Errorf("old-letters leads to %v", got)
	}
	if got := s.MovedVersion(p, "old-1-0"); got != v {
		t.Errorf("old-1-0 leads to %v", got)
	}
	if home, op := s.MovedOperation(p, v, "old-get-b"); home != v || op == nil || op.Slug != "get-b" {
		t.Errorf("old-get-b leads to %v of %v", op, home)
	}
	for _, slug := range []string{"old-gone", "letters", "nowhere"} {
		if got := s.MovedProduct(slug); got != nil {
			t.Errorf("%s leads to the product %s", slug, got.Slug)
		}
	}
	for _, slug := range []string{"old-9", "1.0", "nowhere"} {
		if got := s.MovedVersion(p, slug); got != nil {
			t.Errorf("%s leads to the version %s", slug, got.Slug)
		}
	}
	if home, op := s.MovedOperation(p, v, "get-b"); home != nil || op != nil || s.MovedGuide(p, "nowhere") != nil {
		t.Errorf("an address that nothing left leads to %v of %v", op, home)
	}
}

// A preview shows what is moved at its new address only, and leaves the snapshot
// as it is.
func TestPreviewOfAMove(t *testing.T) {
	t.Parallel()
	tx, c := openDocumentation(t, document, nil)
	change := models.Change{Action: "move", Slug: "fetch-b"}
	i := &change.Item
	err := tx.QueryRow(t.Context(), `select id, parent_id, kind, slug, live_revision_id from items where kind = 'endpoint' and slug = 'get-b'`).
		Scan(&i.ID, &i.ParentID, &i.Kind, &i.Slug, &change.RevisionID)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := c.Preview(t.Context(), []models.Change{change})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		s    *published.Snapshot
		want string
	}{"preview": {preview, "fetch-b get-a"}, "snapshot": {c.Snapshot(), "get-a get-b"}} {
		var slugs []string
		for _, op := range tt.s.Product("letters").Latest().Operations() {
			slugs = append(slugs, op.Slug)
		}
		slices.Sort(slugs)
		if got := strings.Join(slugs, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// A version compiles as a whole, and tells how its endpoints authenticate and
// which operation of it corresponds to another.
func TestVersionAsAWhole(t *testing.T) {
	t.Parallel()
	v := load(t, secured, nil).Product("letters").Latest()
	api, err := v.Compile(t.Context())
	if err != nil || len(api.Categories) == 0 || len(api.Categories[0].Endpoints) != 2 {
		t.Errorf("compiled %+v, %v", api, err)
	}
	auth, err := v.Auth(t.Context())
	if err != nil || len(auth) != 2 || auth[0][0].Name != "key" || auth[1][0].Name != "token" {
		t.Errorf("authenticated by %+v, %v", auth, err)
	}
	op := v.Operation("get-b")
	if own, err := v.AuthOf(t.Context(), op); err != nil || len(own) != 1 || own[0][0].Name != "token" {
		t.Errorf("get-b is authenticated by %+v, %v", own, err)
	}
	if v.Twin(op) != op || v.Twin(nil) != nil {
		t.Errorf("get-b corresponds to %v, nothing to %v", v.Twin(op), v.Twin(nil))
	}
}

// A preview of a product that is archived shows all others.
func TestPreviewOfAnArchivedProduct(t *testing.T) {
	t.Parallel()
	tx, c := openDocumentation(t, document, nil)
	for archived, kept := range map[string]string{"voice": "letters", "letters": "voice"} {
		change := models.Change{Action: "archive"}
		i := &change.Item
		err := tx.QueryRow(t.Context(), `select id, kind, slug, live_revision_id from items where kind = 'product' and slug = $1`, archived).
			Scan(&i.ID, &i.Kind, &i.Slug, &change.RevisionID)
		if err != nil {
			t.Fatal(err)
		}
		preview, err := c.Preview(t.Context(), []models.Change{change})
		if err != nil {
			t.Fatal(err)
		}
		if len(preview.Products) != 1 || preview.Product(kept) == nil {
			t.Errorf("without %s the preview has %d products", archived, len(preview.Products))
		}
		if len(c.Snapshot().Products) != 2 {
			t.Errorf("the preview without %s changed the snapshot", archived)
		}
	}
}

// Operations of two versions correspond by their ids before their addresses, and
// what another version has is not this one's.
func TestOperationsCorrespond(t *testing.T) {
	t.Parallel()
	old := load(t, document, nil).Product("letters").Latest()
	renamed := strings.NewReplacer("getA", "getB", "getB", "getA").Replace(document)
	swapped := load(t, renamed, nil).Product("letters").Latest()
	same := load(t, document, nil).Product("letters").Latest()
	without := load(t, strings.ReplaceAll(document, `"operationId":"getA",`, ""), nil).Product("letters").Latest()
	for name, tt := range map[string]struct {
		in   *published.Version
		want string
	}{"the same document": {same, "/a"}, "ids swapped": {swapped, "/b"}, "no id": {without, "/a"}} {
		for _, op := range old.Operations() {
			if op.Path != "/a" {
				continue
			}
			twin := tt.in.Twin(op)
			if twin == nil || twin.Path != tt.want || !slices.Contains(tt.in.Operations(), twin) {
				t.Errorf("%s: /a corresponds to %+v, want %s of that version", name, twin, tt.want)
			}
		}
	}
}

// A callback is served as long as one endpoint of its version is.
func TestServed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serves    func(method, path string) bool
		endpoints int
		callback  bool
	}{
		"everything": {nil, 2, true},
		"one":        {func(method, path string) bool { return method == "GET" && path == "/v1/a" }, 1, true},
		"nothing":    {func(string, string) bool { return false }, 0, false},
	} {
		v := load(t, secured, c.serves).Product("letters").Latest()
		callback := v.Operation("arrived")
		if callback == nil {
			t.Fatal("there is no callback")
		}
		if n := v.ServedEndpoints(); n != c.endpoints || v.Served(callback) != c.callback {
			t.Errorf("%s: %d endpoints are served, callback %t; want %d, %t", name, n, v.Served(callback), c.endpoints, c.callback)
		}
	}
	elsewhere := strings.Replace(secured, "http://localhost/v1", "https://api.example.com", 1)
	if v := load(t, elsewhere, func(string, string) bool { return false }).Product("letters").Latest(); v.ServedEndpoints() != 2 {
		t.Errorf("%d endpoints of another host are served, want both", v.ServedEndpoints())
	}
}
