package builds_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/db/seed"
	"heliograph/storage"
)

// released returns a database with the seeded documentation and the release of the SMS
// API.
func released(t *testing.T) (*pgxpool.Pool, int64) {
	t.Helper()
	pool := dbtest.Pool(t)
	if err := editorial.Seed(t.Context(), pool, seed.Files); err != nil {
		t.Fatal(err)
	}
	var id int64
	err := pool.QueryRow(t.Context(), `
		select r.id from releases r join items v on v.id = r.scope_id join items p on p.id = v.parent_id where p.slug = 'sms' and v.kind = 'version'`).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return pool, id
}

// build runs the job of a build.
func build(t *testing.T, pool *pgxpool.Pool, store storage.Store, release int64, language string) error {
	t.Helper()
	b := builds.Builder{Store: store, Site: reference.Site{URL: "https://docs.example.com"}}
	return db.InTx(t.Context(), pool, func(tx pgx.Tx) error { return b.Build(t.Context(), tx, release, language) })
}

// A release asks for an archive in each language, with one job for each, and each is
// built once.
func TestBuild(t *testing.T) {
	t.Parallel()
	pool, release := released(t)
	store, err := storage.OpenFolder(t.TempDir(), "https://docs.example.com", bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	var jobs int
	if err := pool.QueryRow(t.Context(), `select count(*) from river.river_job where kind = 'build_sdk' and (args->>'release_id')::bigint = $1`, release).Scan(&jobs); err != nil {
		t.Fatal(err)
	}
	if jobs != len(sdk.Languages) {
		t.Errorf("the release has %d jobs, want %d", jobs, len(sdk.Languages))
	}
	service := &builds.Service{DB: pool, Store: store}
	for range 2 { // the second finds it built
		if err := build(t, pool, store, release, "go"); err != nil {
			t.Fatal(err)
		}
	}
	b, err := service.Await(t.Context(), release, sdk.Find("golang"), 0)
	if err != nil || b.State != models.SDKBuilt || b.SDKVersion != "1.0.0" {
		t.Fatalf("the build is %+v, %v", b, err)
	}
	body, err := service.Open(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close() //nolint:errcheck // it was only read
	raw, err := io.ReadAll(body)
	if err != nil || int64(len(raw)) != b.Size {
		t.Fatalf("%d of %d bytes, %v", len(raw), b.Size, err)
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), b.Size)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range archive.File {
		found[strings.TrimPrefix(f.Name, "sms-1.0-go/")] = true
	}
	for _, name := range []string{"README.md", "REFERENCE.md", "CHANGELOG.md", "LICENSE", "catalogue.json", "openapi.json", "openapi.yaml", "project.json", "go.mod", "client.go"} {
		if !found[name] {
			t.Errorf("the archive has no %s", name)
		}
	}
	if _, err := body.Seek(-4, io.SeekEnd); err != nil {
		t.Fatal(err)
	}
	if end, err := io.ReadAll(body); err != nil || !bytes.Equal(end, raw[len(raw)-4:]) {
		t.Errorf("the end is %x, %v", end, err)
	}
}

// away is storage that does not answer.
type away struct{ storage.Store }

// A build whose archive cannot be stored stays as it was and can run again. A failed one
// runs again only when an administrator asks.
func TestBuildAgain(t *testing.T) {
	t.Parallel()
	pool, release := released(t)
	store, err := storage.OpenFolder(t.TempDir(), "https://docs.example.com", bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("storage that is away stored an archive")
			}
		}()
		_ = build(t, pool, away{}, release, "python")
	}()
	if b, err := queries.SDKBuildGet(t.Context(), pool, release, "python"); err != nil || b.State != models.SDKWaiting {
		t.Errorf("the build is %+v, %v", b, err)
	}
	if err := build(t, pool, store, release, "python"); err != nil {
		t.Error(err)
	}
	service := &builds.Service{DB: pool, Store: store}
	if err := service.Retry(t.Context(), release, "python", "admin:1"); err == nil {
		t.Error("an archive that is built was asked for again")
	}
	if _, err := pool.Exec(t.Context(), `update sdk_builds set state = 'failed', error = 'Why.' where language = 'node'`); err != nil {
		t.Fatal(err)
	}
	if b, err := service.Await(t.Context(), release, sdk.Find("node"), 0); err != nil || b.State != models.SDKFailed {
		t.Errorf("a reader finds %+v, %v", b, err)
	}
	if err := service.Retry(t.Context(), release, "node", "admin:1"); err != nil {
		t.Error(err)
	}
	if b, err := queries.SDKBuildGet(t.Context(), pool, release, "node"); err != nil || b.State != models.SDKWaiting || b.Error != "" {
		t.Errorf("the build is %+v, %v", b, err)
	}
	if _, err := queries.SDKBuildGet(t.Context(), pool, release+1000, "node"); !errors.Is(err, pgx.ErrNoRows) {
		t.Errorf("a release that is not there has a build: %v", err)
	}
}
