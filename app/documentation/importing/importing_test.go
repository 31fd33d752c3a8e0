package importing_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/storage"
)

// inProcess prepares documents in the process of the test.
type inProcess struct{}

func (inProcess) Prepare(_ context.Context, r prepare.Request, progress func(int, string)) (*prepare.Result, error) {
	return prepare.Prepare(r, progress)
}

// noJobs inserts no jobs: tests run imports themselves.
type noJobs struct{}

func (noJobs) InsertTx(context.Context, pgx.Tx, river.JobArgs, *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	return nil, nil
}

func (noJobs) InsertManyFastTx(context.Context, pgx.Tx, []river.InsertManyParams) (int, error) {
	return 0, nil
}

// noAddress refuses every request.
type noAddress struct{}

func (noAddress) Do(string, *http.Request) (*http.Response, error) {
	return nil, fault.New(fault.Unavailable, "The address is refused.")
}

// office is a service with a Super Admin.
type office struct {
	*testing.T
	*importing.Service
	tx   pgx.Tx
	boss editorial.Actor
}

func newOffice(t *testing.T) *office {
	t.Helper()
	tx := dbtest.Tx(t)
	store, err := storage.OpenFolder(t.TempDir(), "http://localhost", bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	o := &office{T: t, tx: tx, Service: importing.New(importing.Deps{DB: tx, Store: store, Jobs: noJobs{}, Preparer: inProcess{}, Fetcher: noAddress{}})}
	o.boss = o.admin("boss", identity.SuperAdmin)
	return o
}

func (o *office) admin(name, role string) editorial.Actor {
	o.Helper()
	a := editorial.Actor{Role: role}
	err := o.tx.QueryRow(o.Context(), `insert into admin_users (name, email, password_hash, role) values ($1, $1 || '@example.com', 'x', $2) returning id`, name, role).Scan(&a.ID)
	if err != nil {
		o.Fatal(err)
	}
	a.Name = fmt.Sprintf("admin:%d", a.ID)
	return a
}

// bring imports a text and returns the import as it was read.
func (o *office) bring(text string, to importing.Target) models.Import {
	o.Helper()
	id, err := o.Start(o.Context(), o.boss, importing.Upload{Source: models.ImportText, Data: []byte(text), Target: to})
	if err != nil {
		o.Fatal(err)
	}
	return o.run(id)
}

func (o *office) run(id int64) models.Import {
	o.Helper()
	if err := o.Service.Run(o.Context(), id, 1, func(pgx.Tx) error { return nil }); err != nil {
		o.Fatal(err)
	}
	return o.get(id)
}

func (o *office) get(id int64) models.Import {
	o.Helper()
	i, err := queries.ImportGet(o.Context(), o.tx, id)
	if err != nil {
		o.Fatal(err)
	}
	return i
}

// publish accepts an import and publishes its change set.
func (o *office) publish(id int64, skip ...string) {
	o.Helper()
	set, err := o.Accept(o.Context(), o.boss, id, skip)
	if err == nil {
		err = editorial.Publish(o.Context(), o.tx, o.boss, set, true)
	}
	if err != nil {
		o.Fatal(err)
	}
}

func (o *office) count(sql string, args ...any) (n int) {
	o.Helper()
	if err := o.tx.QueryRow(o.Context(), sql, args...).Scan(&n); err != nil {
		o.Fatal(err)
	}
	return n
}

const first = `
openapi: 3.0.3
info: {title: Pets, version: '1', description: All about pets.}
paths:
  /pets: {get: {operationId: listPets, summary: List pets, description: Lists them., responses: {200: {description: OK}}}}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getPet, summary: Get a pet, responses: {200: {description: OK}}}
    delete: {operationId: deletePet, summary: Delete a pet, responses: {204: {description: Gone}}}
`

var pets = importing.Target{ProductName: "Pets", ProductSlug: "pets", VersionSlug: "1.0"}

// An import becomes a change set, and the next one shows exactly what differs.
func TestImportAndImportAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	i := o.bring(first, pets)
	if i.State != models.ImportReady || i.Added != 3 || i.Removed+i.Changed != 0 || i.Format != "OpenAPI" {
		t.Fatalf("the first import is %+v", i)
	}
	o.publish(i.ID)
	to := importing.Target{ProductID: o.get(i.ID).ProductID, VersionSlug: "1.0"}
	if same := o.bring(first, to); same.State != models.ImportUnchanged || same.Unchanged != 3 {
		t.Errorf("the same bytes again are %s: %d changed, %d unchanged", same.State, same.Changed, same.Unchanged)
	}
	second := strings.NewReplacer("summary: Get a pet,", "summary: Get one pet, parameters: [{name: full, in: query, schema: {type: boolean}}],",
		"    delete: {operationId: deletePet, summary: Delete a pet, responses: {204: {description: Gone}}}\n", "",
		"  /pets:", "  /owners: {get: {operationId: listOwners, responses: {200: {description: OK}}}}\n  /pets:").Replace(first)
	next := o.bring(second, to)
	if next.Added != 1 || next.Changed != 1 || next.Removed != 1 || next.Unchanged != 1 {
		t.Fatalf("%d added, %d changed, %d removed, %d unchanged, want 1 each", next.Added, next.Changed, next.Removed, next.Unchanged)
	}
	o.publish(next.ID, "delete-pet")
	live := `select count(*) from items where kind = 'endpoint' and live_revision_id is not null and archived_at is null`
	if n := o.count(live); n != 4 {
		t.Errorf("%d endpoints are live, want 4: the removal was not chosen", n)
	}
	if n := o.count(`select count(*) from items where kind = 'endpoint' and slug = 'get-pet'`); n != 1 {
		t.Errorf("the changed endpoint has %d items, want its own", n)
	}
	if n := o.count(`select count(*) from audit_entries where action in ('import.start', 'import.read', 'import.accept')`); n < 8 {
		t.Errorf("%d entries of the audit", n)
	}
}

// Texts that people wrote since the last import stay, and what the file changed is taken.
func TestTextsOfPeopleStay(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	i := o.bring(first, pets)
	o.publish(i.ID)
	ctx := t.Context()
	var item, live int64
	var content string
	err := o.tx.QueryRow(ctx, `select i.id, r.id, r.content::text from items i join revisions r on r.id = i.live_revision_id where i.slug = 'list-pets'`).Scan(&item, &live, &content)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := editorial.Save(ctx, o.tx, o.boss, editorial.Edit{ItemID: item, Base: live, Content: []byte(strings.NewReplacer("Lists them.", "Lists every pet that we know.", `"name"`, `"searched_as": "all animals", "name"`).Replace(content))})
	if err == nil {
		err = editorial.Publish(ctx, o.tx, o.boss, saved.ChangeSetID, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	next := o.bring(strings.Replace(first, "summary: List pets, description: Lists them.,", "summary: List all pets, description: Lists all of them., tags: [pets],", 1),
		importing.Target{ProductID: o.get(i.ID).ProductID, VersionSlug: "1.0"})
	o.publish(next.ID)
	if n := o.count(`select count(*) from items i join revisions r on r.id = i.live_revision_id where i.slug = 'list-pets' and r.content::text like '%Lists every pet that we know.%' and r.content->>'name' = 'List all pets' and r.content->>'searched_as' = 'all animals'`); n != 1 {
		t.Error("the text of people or what the endpoint is searched as is gone, or the new name is missing")
	}
}

// A document that cannot be read is kept with the reason, and changes nothing.
func TestFailedImportsAreKept(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	i := o.bring("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {200: {description: OK, content: {a/b: {schema: {$ref: 'http://127.0.0.1/a'}}}}}}}}", pets)
	if i.State != models.ImportFailed || !strings.Contains(i.Error, "leads outside the document") {
		t.Errorf("%s: %s", i.State, i.Error)
	}
	if n := o.count(`select count(*) from audit_entries where action = 'import.fail' and details->>'error' <> ''`); n != 1 {
		t.Errorf("%d entries of the audit name the failure, want 1", n)
	}
	if _, err := o.Accept(t.Context(), o.boss, i.ID, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("accepting a failed import: %v", err)
	}
}

// A cancelled import stays cancelled when its job runs.
func TestCancelledImports(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id, err := o.Start(t.Context(), o.boss, importing.Upload{Source: models.ImportText, Data: []byte(first), Target: pets})
	if err == nil {
		err = o.Cancel(t.Context(), o.boss, id)
	}
	if err != nil {
		t.Fatal(err)
	}
	if i := o.run(id); i.State != models.ImportCancelled {
		t.Errorf("the import is %s", i.State)
	}
}

// Editors import into their products only.
func TestEditorsImportIntoTheirProducts(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	i := o.bring(first, pets)
	o.publish(i.ID)
	product := o.get(i.ID).ProductID
	ada := o.admin("ada", identity.Editor)
	up := importing.Upload{Source: models.ImportText, Data: []byte(first), Target: importing.Target{ProductID: product, VersionSlug: "2.0"}}
	if _, err := o.Start(t.Context(), ada, up); !fault.Is(err, fault.Forbidden) {
		t.Errorf("another's product: %v", err)
	}
	if _, err := o.Start(t.Context(), ada, importing.Upload{Source: models.ImportText, Data: []byte(first), Target: pets}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a new product: %v", err)
	}
	if _, err := o.tx.Exec(t.Context(), `insert into product_editors (admin_user_id, product_id) values ($1, $2)`, ada.ID, product); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Start(t.Context(), ada, up); err != nil {
		t.Errorf("the own product: %v", err)
	}
}

// kept remembers the addresses that were requested, and answers with a document.
type kept struct{ asked []string }

func (k *kept) Do(_ string, r *http.Request) (*http.Response, error) {
	k.asked = append(k.asked, r.URL.String())
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(first))}, nil
}

// The secrets in an address are requested, but neither recorded nor kept with an import
// that has ended. A watched address is read with them again.
func TestSecretsOfAddresses(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	const address = "https://example.com/a.json?token=SEKRETQ&v=2"
	start := func(u importing.Upload) int64 {
		id, err := o.Start(t.Context(), o.boss, u)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	once := importing.Upload{Source: models.ImportAddress, Address: address, Target: pets}
	if i := o.run(start(once)); i.State != models.ImportFailed || i.Address != "https://example.com/a.json?token=***&v=***" {
		t.Errorf("a failed import is %s and keeps %s", i.State, i.Address)
	}
	cancelled := start(once)
	if err := o.Cancel(t.Context(), o.boss, cancelled); err != nil {
		t.Fatal(err)
	}
	asked := &kept{}
	o.Fetcher = asked
	i := o.run(start(once))
	o.publish(i.ID)
	watch, err := o.Watches.Add(t.Context(), o.boss, models.ImportWatched{Address: address, ProductID: o.get(i.ID).ProductID, VersionSlug: "1.0", EveryHours: 24})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := o.tx.Exec(t.Context(), `update import_watches set next_at = now() - interval '1 minute'`); err != nil {
			t.Fatal(err)
		}
		if err := o.Tend(t.Context()); err != nil {
			t.Fatal(err)
		}
		var id int64
		if err := o.tx.QueryRow(t.Context(), `select max(id) from imports`).Scan(&id); err != nil {
			t.Fatal(err)
		}
		o.run(id)
	}
	if want := fmt.Sprint([]string{address, address, address}); fmt.Sprint(asked.asked) != want {
		t.Errorf("%v are requested, want %s", asked.asked, want)
	}
	if err := o.Watches.Remove(t.Context(), o.boss, watch); err != nil {
		t.Fatal(err)
	}
	for table, sql := range map[string]string{
		"imports": `select count(*) from imports i where i::text like '%SEKRETQ%'`, "the audit": `select count(*) from audit_entries a where details::text like '%SEKRETQ%'`,
	} {
		if n := o.count(sql); n != 0 {
			t.Errorf("%d rows of %s hold the secret", n, table)
		}
	}
	if n := o.count(`select count(*) from audit_entries where details->>'address' like '%?token=***&v=***'`); n < 8 {
		t.Errorf("%d entries of the audit name the address", n)
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://example.com/a.json": "https://example.com/a.json", "https://example.com/?": "https://example.com/", "https://example.com/a?b=c=d&e&f=#g?h": "https://example.com/a?b=***&***&f=***#***", "": "",
		"https://example.com/a?token=***": "https://example.com/a?token=***",
	} {
		if got := importing.Masked(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}
