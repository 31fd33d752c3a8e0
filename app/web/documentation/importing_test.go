package documentation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	rule "heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/seed"
	"heliograph/storage/storagetest"
)

const pets = `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets: {get: {operationId: listPets, summary: List pets, responses: {'200': {description: OK}}}}
  /pets/{id}: {delete: {operationId: deletePet, summary: Delete a pet, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: Gone}}}}
`

// inProcess prepares documents in the process of the test.
type inProcess struct{}

func (inProcess) Prepare(_ context.Context, r prepare.Request, progress func(int, string)) (*prepare.Result, error) {
	return prepare.Prepare(r, progress)
}

// desk is a site with an administrator and the rule of its imports.
type desk struct {
	*testing.T
	*webtest.Site
	rule *rule.Service
	c    *webtest.Client
}

func newDesk(t *testing.T, role string) *desk {
	t.Helper()
	d := &desk{T: t}
	d.Site = webtest.New(t, func(deps *web.Deps) {
		d.rule = rule.New(rule.Deps{DB: deps.DB, Store: storagetest.Folder(t), Jobs: deps.Jobs, Preparer: inProcess{}})
		deps.Imports = d.rule
	})
	d.c = d.SignInAdmin(t, role)
	return d
}

// newest returns the import that came last.
func (d *desk) newest() models.Import {
	d.Helper()
	list, err := queries.ImportListNewest(d.Context(), d.DB, 0, 0, 1)
	if err != nil || len(list) == 0 {
		d.Fatalf("%d imports: %v", len(list), err)
	}
	return list[0]
}

// read reads the import that came last.
func (d *desk) read() models.Import {
	d.Helper()
	if err := d.rule.Run(d.Context(), d.newest().ID, 1, func(pgx.Tx) error { return nil }); err != nil {
		d.Fatal(err)
	}
	return d.newest()
}

// bring brings a text in as a new product, and reads it.
func (d *desk) bring(name string) models.Import {
	d.Helper()
	form := url.Values{"product": {"new"}, "name": {name}, "version": {"1.0"}, "text": {pets}}
	if a := d.c.Post("/admin/imports", form); a.Status != 303 {
		d.Fatalf("the form gives %d: %s", a.Status, a.Find("main").Text())
	}
	return d.read()
}

// product publishes an import and returns its product.
func (d *desk) product(i models.Import) int64 {
	d.Helper()
	boss := editorial.Actor{ID: i.CreatedBy, Name: fmt.Sprintf("admin:%d", i.CreatedBy), Role: identity.SuperAdmin}
	set, err := d.rule.Accept(d.Context(), boss, i.ID, nil)
	if err == nil {
		err = editorial.Publish(d.Context(), d.DB, boss, set, true)
	}
	if err != nil {
		d.Fatal(err)
	}
	return d.newest().ProductID
}

func path(i models.Import, action string) string {
	return fmt.Sprintf("/admin/imports/%d%s", i.ID, action)
}

func TestDocumentsAreReadChosenAndAccepted(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.SuperAdmin)
	if a := d.c.Get("/admin/imports"); !strings.Contains(a.Find("main").Text(), "Bring your API in") {
		t.Error("an empty list offers nothing")
	}
	if a := d.c.Post("/admin/imports", url.Values{"product": {"new"}, "version": {"1 0"}, "text": {pets}}); a.Status != 422 || a.Find(".field.invalid").Length() == 0 {
		t.Errorf("a wrong version gives %d", a.Status)
	}
	form := url.Values{"product": {"new"}, "name": {"Pets"}, "version": {"1.0"}, "text": {pets}}
	if a := d.c.Post("/admin/imports", form); a.Status != 303 {
		t.Fatalf("the form gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := d.c.Get(path(d.newest(), "")); a.Find("progress").Length() != 1 || a.Find("#live-import [hx-get]").Length() != 1 {
		t.Error("the page of an import that waits shows no progress, or does not refresh")
	}
	i := d.read()
	a := d.c.Get(path(i, ""))
	if a.Find("input[name=take][checked]").Length() != 2 || a.Find(".import-counts .good dd").Text() != "2" {
		t.Errorf("the page offers %d operations", a.Find("input[name=take]").Length())
	}
	if a := d.c.Post(path(i, "/acceptance"), nil); a.Status != 422 || !strings.Contains(a.Find(".alert").Text(), "Choose at least one endpoint") {
		t.Errorf("nothing chosen gives %d: %s", a.Status, a.Find(".alert").Text())
	}
	if a := d.c.Post(path(i, "/acceptance"), url.Values{"take": {"list-pets"}}); a.Status != 303 {
		t.Fatalf("accepting gives %d: %s", a.Status, a.Find("main").Text())
	}
	if i = d.newest(); i.State != models.ImportAccepted || len(i.Skipped) != 1 || i.Skipped[0] != "delete-pet" {
		t.Errorf("the import is %s without %v", i.State, i.Skipped)
	}
	if href, _ := d.c.Get(path(i, "")).Find("main .actions a").Attr("href"); href != fmt.Sprintf("/admin/drafts_and_reviews/%d", i.ChangeSetID) {
		t.Errorf("the page leads to %q", href)
	}
}

// A version that is left empty is what the file says, for a product that exists too.
// Where a form comes back, it says that the file has to be chosen again.
func TestVersionsOfFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.SuperAdmin)
	product := fmt.Sprint(d.product(d.bring("Pets")))
	send := func(version, text string) *webtest.Answer {
		return d.c.UploadForm("/admin/imports", url.Values{"product": {product}, "version": {version}}, "file", [2]string{"pets.yaml", text})
	}
	if a := send("", strings.Replace(pets, "version: '1'", "version: 2.0.1", 1)); a.Status != 303 || d.newest().VersionSlug != "2.0" {
		t.Fatalf("a file that says its version gives %d, and goes into %s: %s", a.Status, d.newest().VersionSlug, a.Find("main").Text())
	}
	for version, text := range map[string]string{"": strings.Replace(pets, "version: '1'", "version: latest!", 1), "A B": pets} {
		a := send(version, text)
		if a.Status != 422 || a.Find("#field-version-error").Length() != 1 || !strings.Contains(a.Find("#field-file-error").Text(), "Choose the file again") {
			t.Errorf("the version %q gives %d: %s", version, a.Status, a.Find("main").Text())
		}
	}
	if a := d.c.Post("/admin/imports", url.Values{"product": {product}, "text": {strings.Replace(pets, "version: '1'", "v: 1", 1)}}); a.Status != 422 || a.Find("#field-file-error").Length() != 0 {
		t.Errorf("a text without a version gives %d: %s", a.Status, a.Find("main").Text())
	}
}

func TestImportsAreCancelledAndDiscarded(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.SuperAdmin)
	i := d.bring("Pets")
	if a := d.c.Get(path(i, "/discarding")); a.Status != 200 {
		t.Errorf("the question gives %d", a.Status)
	}
	if a := d.c.Post(path(i, "/discarding"), nil); a.Status != 303 || d.newest().State != models.ImportDiscarded {
		t.Errorf("discarding gives %d, and the import is %s", a.Status, d.newest().State)
	}
	if a := d.c.Post("/admin/imports", url.Values{"product": {"new"}, "name": {"Cats"}, "version": {"1.0"}, "text": {pets}}); a.Status != 303 {
		t.Fatal(a.Status)
	}
	i = d.newest()
	if a := d.c.Post(path(i, "/cancellation"), nil); a.Status != 303 || d.newest().State != models.ImportCancelled {
		t.Errorf("cancelling gives %d, and the import is %s", a.Status, d.newest().State)
	}
	if a := d.c.Get("/admin/imports"); a.Find("tbody tr").Length() != 2 {
		t.Errorf("the list has %d imports, want 2", a.Find("tbody tr").Length())
	}
}

// Pages show an address without the secrets in its query, before it is read and after.
func TestPagesMaskAddresses(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.SuperAdmin)
	product := fmt.Sprint(d.product(d.bring("Pets")))
	const secret = "https://example.com/a.json?token=SEKRETQ"
	if a := d.c.Post("/admin/imports", url.Values{"product": {product}, "version": {"1.0"}, "address": {secret}}); a.Status != 303 {
		t.Fatalf("an address gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := d.c.Post("/admin/imports/automation/watches", url.Values{"address": {secret}, "product": {product}, "version": {"1.0"}, "hours": {"24"}}); a.Status != 303 {
		t.Fatalf("watching gives %d: %s", a.Status, a.Find("main").Text())
	}
	for _, at := range []string{"/admin/imports", path(d.newest(), ""), "/admin/imports/automation"} {
		if a := d.c.Get(at); a.Status != 200 || strings.Contains(a.Body, "SEKRETQ") || !strings.Contains(a.Body, "a.json?token=***") {
			t.Errorf("%s gives %d, with the secret or without the address", at, a.Status)
		}
	}
}

var tokenText = regexp.MustCompile(`hg_import_[a-z2-7]+`)

func TestAddressesAndTokens(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.SuperAdmin)
	product := fmt.Sprint(d.product(d.bring("Pets")))
	if a := d.c.Post("/admin/imports/automation/watches", url.Values{"address": {"ftp://a"}, "product": {product}, "version": {"1.0"}, "hours": {"24"}}); a.Status != 422 || a.Find("#form-watch .invalid").Length() != 1 {
		t.Errorf("a wrong address gives %d", a.Status)
	}
	if a := d.c.Post("/admin/imports/automation/watches", url.Values{"address": {"https://example.com/a.json"}, "product": {product}, "version": {"1.0"}, "hours": {"24"}}); a.Status != 303 {
		t.Fatalf("watching gives %d: %s", a.Status, a.Find("main").Text())
	}
	form, _ := d.c.Get("/admin/imports/automation").Find("#watches ~ * form[action$=removal], .table form[action$=removal]").Attr("action")
	if a := d.c.Post(form, nil); a.Status != 303 {
		t.Errorf("ending it at %q gives %d", form, a.Status)
	}
	if a := d.c.Post("/admin/imports/automation/tokens", url.Values{"program": {""}, "into": {product}, "days": {"90"}}); a.Status != 422 || a.Find("#form-token .invalid").Length() != 1 {
		t.Errorf("a token without a name gives %d", a.Status)
	}
	// Imports are seen by everybody, so a practice product takes none, of its owner neither.
	var practice int64
	if err := d.DB.QueryRow(t.Context(), `insert into items (kind, slug, practice_of) select 'product', 'practice-1', min(id) from admin_users returning id`).Scan(&practice); err != nil {
		t.Fatal(err)
	}
	if a := d.c.Post("/admin/imports/automation/tokens", url.Values{"program": {"CI"}, "into": {fmt.Sprint(practice)}, "days": {"90"}}); a.Status != 422 || strings.Contains(a.Body, "practice-1") {
		t.Errorf("a token for a practice product gives %d", a.Status)
	}
	if a := d.c.Post("/admin/imports/automation/tokens", url.Values{"program": {"CI"}, "into": {product}, "days": {"90"}}); a.Status != 303 {
		t.Fatalf("a token gives %d: %s", a.Status, a.Find("main").Text())
	}
	a := d.c.Get("/admin/imports/automation")
	token := tokenText.FindString(a.Find(".secret").Text())
	if token == "" || tokenText.MatchString(d.c.Get("/admin/imports/automation").Find(".secret").Text()) {
		t.Errorf("the token %q is shown never, or twice", token)
	}
	revoke, _ := a.Find("form[action$=revocation]").Attr("action")
	if a := d.c.Post(revoke, nil); a.Status != 303 {
		t.Errorf("revoking at %q gives %d", revoke, a.Status)
	}
	if a := d.program(token, "POST", "/api/imports?version=1.0", pets); a.Status != 401 || a.Header.Get("WWW-Authenticate") == "" || !strings.Contains(a.Body, "was revoked") {
		t.Errorf("a revoked token gives %d: %s", a.Status, a.Body)
	}
}

// program sends a request as a program does.
func (d *desk) program(token, method, path, body string) *webtest.Answer {
	d.Helper()
	return d.Client(d.T).With("Authorization", "Bearer "+token).Once().Send(method, path, "application/yaml", strings.NewReader(body))
}

// A pipeline brings a document in, and every answer is as the contract says.
func TestProgramsBringDocumentsIn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.SuperAdmin)
	first := d.bring("Pets")
	product := d.product(first)
	boss := editorial.Actor{ID: first.CreatedBy, Name: fmt.Sprintf("admin:%d", first.CreatedBy), Role: identity.SuperAdmin}
	token, err := d.rule.Tokens.Create(t.Context(), boss, rule.TokenRequest{Name: "CI", ProductID: product, Days: 30})
	if err != nil {
		t.Fatal(err)
	}
	text, err := seed.Files.ReadFile("portal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spectest.New(text)
	if err != nil {
		t.Fatal(err)
	}
	check := func(operation string, want int, a *webtest.Answer) {
		t.Helper()
		if err := contract.Response(operation, a.Status, a.Header, []byte(a.Body)); err != nil || a.Status != want {
			t.Errorf("%s answers %d, want %d: %v\n%s", operation, a.Status, want, err, a.Body)
		}
	}
	check("startImport", 401, d.program("hg_import_"+strings.Repeat("a", 52), "POST", "/api/imports?version=1.0", pets))
	check("startImport", 400, d.program(token, "POST", "/api/imports?version=1.0", ""))
	check("startImport", 400, d.program(token, "POST", "/api/imports?version=A+B", pets))
	check("startImport", 413, d.program(token, "POST", "/api/imports?version=1.0", string(bytes.Repeat([]byte(" "), rule.MaxBytes+1))))

	changed := strings.Replace(pets, "  /pets/{id}: {delete", "  /pets/{id}: {put", 1)
	started := d.program(token, "POST", "/api/imports?version=1.0&name=pets.yaml", changed)
	check("startImport", 202, started)
	read := d.read()
	address := fmt.Sprintf("/api/imports/%d", read.ID)
	if !strings.HasSuffix(started.Header.Get("Location"), address) {
		t.Errorf("the answer leads to %s", started.Header.Get("Location"))
	}
	a := d.program(token, "GET", address, "")
	check("getImport", 200, a)
	var got struct {
		State    string
		Changes  struct{ Added, Removed, Unchanged int }
		Breaking []struct{ Method, Path string }
	}
	if err := json.Unmarshal([]byte(a.Body), &got); err != nil {
		t.Fatal(err)
	}
	if got.State != models.ImportReady || got.Changes.Unchanged != 1 || len(got.Breaking) == 0 {
		t.Errorf("the import is reported as %+v", got)
	}
	check("acceptImport", 200, d.program(token, "POST", address+"/acceptance", ""))
	check("acceptImport", 409, d.program(token, "POST", address+"/acceptance", ""))
	if i := d.newest(); i.State != models.ImportAccepted || i.CreatedBy != boss.ID || i.Name != "pets.yaml" {
		t.Errorf("the import is %+v", i)
	}

	d.bring("Cats")
	check("getImport", 404, d.program(token, "GET", fmt.Sprintf("/api/imports/%d", d.newest().ID), ""))
	check("getImport", 404, d.program(token, "GET", "/api/imports/999999", ""))
}

// Wrong tokens of one network are soon refused unread.
func TestWrongTokensAreCounted(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.Viewer)
	for n := range 21 {
		a := d.program("hg_import_x", "GET", "/api/imports/1", "")
		if want := map[bool]int{true: 401, false: 429}[n < 20]; a.Status != want {
			t.Fatalf("wrong token %d gives %d, want %d", n+1, a.Status, want)
		}
	}
}

// Viewers look, and change nothing.
func TestViewersLook(t *testing.T) {
	t.Parallel()
	d := newDesk(t, identity.Viewer)
	if a := d.c.Get("/admin/imports"); a.Status != 200 || a.Find("main .button").Length() != 0 {
		t.Errorf("the list gives %d, with %d buttons", a.Status, a.Find("main .button").Length())
	}
	for _, address := range []string{"/admin/imports/new", "/admin/imports/automation"} {
		if a := d.c.Get(address); a.Status != 403 {
			t.Errorf("%s gives %d", address, a.Status)
		}
	}
}
