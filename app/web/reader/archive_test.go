package reader_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/seed"
	"heliograph/storage"
)

// The archive of a client library has the digest of its bytes as its tag, in whole and in
// part. Other names of a language lead to it. One that is not there yet, or could not be
// built, is a 503 that says so.
func TestArchivesKeepTheirContract(t *testing.T) {
	t.Parallel()
	pool := documentation(t)
	store, err := storage.OpenFolder(t.TempDir(), "http://localhost", make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	var release int64
	if err := pool.QueryRow(t.Context(), `
		select r.id from releases r join items v on v.id = r.scope_id join items p on p.id = v.parent_id where p.slug = 'sms' and v.kind = 'version'`).Scan(&release); err != nil {
		t.Fatal(err)
	}
	builder := builds.Builder{Store: store, Site: reference.Site{URL: "http://localhost:8080"}}
	if err := db.InTx(t.Context(), pool, func(tx pgx.Tx) error { return builder.Build(t.Context(), tx, release, "python") }); err != nil {
		t.Fatal(err)
	}
	c := webtest.New(t, func(d *web.Deps) {
		d.DB, d.Pool, d.Documentation = pool, pool, published.New(pool, db.NewListener(pool))
		d.SDKs = &builds.Service{DB: pool, Store: store}
		if err := d.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}).Client(t)
	document, err := seed.Files.ReadFile("portal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spectest.New(document)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(c *webtest.Client, file string, want int) *webtest.Answer {
		t.Helper()
		a := c.Get("/sdk/sms/1.0/" + file)
		if err := contract.Response("downloadSdk", a.Status, a.Header, []byte(a.Body)); a.Status != want || err != nil && want != http.StatusMovedPermanently && want != http.StatusPartialContent {
			t.Errorf("%s answers %d, want %d: %v\n%.300s", file, a.Status, want, err, a.Body)
		}
		return a
	}
	whole := ask(c, "python.zip", 200)
	sum := sha256.Sum256([]byte(whole.Body))
	tag := `"` + hex.EncodeToString(sum[:]) + `"`
	if whole.Header.Get("Etag") != tag {
		t.Errorf("the tag is %s, the digest %s", whole.Header.Get("Etag"), tag)
	}
	if again := ask(c.With("If-None-Match", tag), "python.zip", 304); again.Body != "" {
		t.Errorf("304 with %d bytes", len(again.Body))
	}
	if part := ask(c.With("Range", "bytes=2-9"), "python.zip", 206); part.Body != whole.Body[2:10] {
		t.Errorf("a part has %d bytes", len(part.Body))
	}
	if moved := ask(c, "py.zip", 301); moved.Header.Get("Location") != "/sdk/sms/1.0/python.zip" {
		t.Errorf("another name of the language leads to %q", moved.Header.Get("Location"))
	}
	ask(c, "cobol.zip", 404)
	state := func(sql string) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), sql, release); err != nil {
			t.Fatal(err)
		}
	}
	state(`update sdk_builds set object = translate(object, '0123456789', '1234567890') where release_id = $1 and language = 'python'`)
	if made := ask(c, "python.zip", 503); made.Header.Get("Retry-After") != "5" {
		t.Errorf("one that is made again says to come back after %q", made.Header.Get("Retry-After"))
	}
	state(`update sdk_builds set state = 'failed', error = 'It was too large.' where release_id = $1 and language = 'python'`)
	ask(c, "python.zip", 503)
}
