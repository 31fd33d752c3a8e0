package editorial_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// desk is documentation with people who write it: a product Letters with the
// version 1.0, the endpoints get-a and post-b, and a guide.
type desk struct {
	*testing.T
	db                                   db.Beginner
	ada, ben, other, viewer, boss        editorial.Actor // ada and ben edit Letters, other edits nothing
	product, version, getA, postB, guide int64           // items
}

func newDesk(t *testing.T, b db.Beginner) *desk {
	t.Helper()
	d := &desk{T: t, db: b}
	all := guideFiles("Begin.")
	d.ok(editorial.Seed(t.Context(), b, all))
	d.product, d.version = d.find("product", "letters"), d.find("version", "1.0")
	d.getA, d.postB, d.guide = d.find("endpoint", "get-a"), d.find("endpoint", "post-b"), d.find("guide", "begin")
	for name, a := range map[string]*editorial.Actor{"Ada": &d.ada, "Ben": &d.ben, "Other": &d.other, "Vera": &d.viewer, "Boss": &d.boss} {
		a.Role = identity.Editor
		switch name {
		case "Vera":
			a.Role = identity.Viewer
		case "Boss":
			a.Role = identity.SuperAdmin
		}
		d.scan(&a.ID, `insert into admin_users (name, email, password_hash, role) values ($1, lower($1) || '@example.com', 'x', $2) returning id`, name, a.Role)
		a.Name = fmt.Sprintf("admin:%d", a.ID)
	}
	for _, a := range []editorial.Actor{d.ada, d.ben, d.viewer} { // a Viewer stays one, whatever is assigned
		d.exec(`insert into product_editors (admin_user_id, product_id) values ($1, $2)`, a.ID, d.product)
	}
	return d
}

func (d *desk) ok(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) exec(sql string, args ...any) {
	d.Helper()
	_, err := d.db.Exec(d.Context(), sql, args...)
	d.ok(err)
}

func (d *desk) scan(into any, sql string, args ...any) {
	d.Helper()
	d.ok(d.db.QueryRow(d.Context(), sql, args...).Scan(into))
}

func (d *desk) count(sql string, args ...any) (n int) {
	d.Helper()
	d.scan(&n, sql, args...)
	return n
}

func (d *desk) find(kind, slug string) (id int64) {
	d.Helper()
	d.scan(&id, `select id from items where kind = $1 and slug = $2`, kind, slug)
	return id
}

func (d *desk) item(id int64) models.Item {
	d.Helper()
	item, err := queries.ItemGet(d.Context(), d.db, id)
	d.ok(err)
	return item
}

func (d *desk) set(id int64) models.ChangeSet {
	d.Helper()
	set, err := queries.ChangeSetGet(d.Context(), d.db, id)
	d.ok(err)
	return set
}

func (d *desk) wantState(id int64, state string) {
	d.Helper()
	if got := d.set(id).State; got != state {
		d.Fatalf("change set %d is %s, want %s", id, got, state)
	}
}

func (d *desk) hash(id int64) []byte {
	d.Helper()
	changes, err := queries.ChangeSetItemList(d.Context(), d.db, id)
	d.ok(err)
	return editorial.Hash(changes)
}

// live returns what readers get of an item.
func (d *desk) live(id int64) json.RawMessage {
	d.Helper()
	r, err := queries.RevisionGet(d.Context(), d.db, d.item(id).LiveRevisionID)
	d.ok(err)
	return r.Content
}

// guideText is the content of a guide.
func guideText(title, text string) json.RawMessage {
	raw, err := json.Marshal(content.Guide{Title: title, Group: "Start", Text: text})
	if err != nil {
		panic(err)
	}
	return raw
}

// save saves content over the head of an item.
func (d *desk) save(actor editorial.Actor, id int64, raw json.RawMessage) editorial.Saved {
	d.Helper()
	saved, err := editorial.Save(d.Context(), d.db, actor, editorial.Edit{ItemID: id, Content: raw, Base: d.item(id).Head()})
	d.ok(err)
	return saved
}

// approved saves a text of the guide and has it approved.
func (d *desk) approved(text string) int64 {
	d.Helper()
	set := d.save(d.ada, d.guide, guideText("Begin here", text)).ChangeSetID
	d.ok(editorial.Submit(d.Context(), d.db, d.ada, set, "A better start"))
	d.ok(editorial.Approve(d.Context(), d.db, d.ben, set, d.hash(set)))
	d.wantState(set, editorial.StateApproved)
	return set
}

// refused expects a fault of a kind and code.
func (d *desk) refused(err error, kind fault.Kind, code string) {
	d.Helper()
	if f := fault.As(err); f == nil || f.Kind != kind || f.Code != code {
		d.Fatalf("refused with %v, want a fault of kind %d and code %q", err, kind, code)
	}
}

func read(t *testing.T, text string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
