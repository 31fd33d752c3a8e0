package builds_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/storage"
)

// released returns a database with the seeded documentation and the release of the SMS
// API.
func released(t *testing.T) (*pgxpool.Pool, int64) {
	t.Helper()
	pool := seedtest.Pool(t)
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

// A build stays as it was and can run again when its archive cannot be stored. A failed one
// runs again only when an administrator asks.
func TestBuildAgain(t *testing.T) {
	t.Parallel()
	pool, release := released(t)
	store, err := storage.OpenFolder(t.TempDir(), "https://docs.example.com", bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	if err := build(t, pool, store, release, "go"); err != nil {
		t.Fatal(err)
	}
	lost, err := queries.SDKBuildGet(t.Context(), pool, release, "go")
	if err != nil {
		t.Fatal(err)
	}
	key, err := storage.ParseKey(lost.Object)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	restored := &builds.Service{DB: pool, Store: store}
	if _, err := restored.Open(t.Context(), lost); !fault.Is(err, fault.NotFound) {
		t.Errorf("an archive that is gone from the storage opens: %v", err)
	}
	for range 2 { // the second finds that it was asked for
		if err := restored.Rebuild(t.Context(), lost); err != nil {
			t.Fatal(err)
		}
	}
	var jobs int
	if err := pool.QueryRow(t.Context(), `select count(*) from river.river_job where kind = 'build_sdk' and args->>'language' = 'go' and (args->>'release_id')::bigint = $1`, release).Scan(&jobs); err != nil || jobs != 2 {
		t.Errorf("the lost archive has %d jobs, %v", jobs, err)
	}
	if err := build(t, pool, store, release, "go"); err != nil {
		t.Error(err)
	}
	if again, err := queries.SDKBuildGet(t.Context(), pool, release, "go"); err != nil || again.Object != lost.Object {
		t.Errorf("the archive that was lost is %+v, %v", again, err)
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

// dying is storage during which the worker dies, in one of several ways.
type dying struct {
	storage.Store
	how  int
	kill func()
}

func (d dying) Put(ctx context.Context, key storage.Key, body io.Reader, o storage.PutOptions) (storage.Object, error) {
	switch d.how % 4 {
	case 0: // before anything is stored
		d.kill()
		return storage.Object{}, ctx.Err()
	case 1: // within the archive
		body = io.MultiReader(io.LimitReader(body, o.Size/2), iotest.ErrReader(errors.New("the worker died")))
	case 2: // when all is stored
		object, err := d.Store.Put(ctx, key, body, o)
		d.kill()
		return object, err
	case 3:
		panic("the worker died")
	}
	return d.Store.Put(ctx, key, body, o)
}

// A worker that is killed eight times while it builds leaves the build waiting and no
// part of an archive; at last each archive is there once. Archives that no build has
// are swept after a day.
func TestKilledWorkersBuildOnce(t *testing.T) {
	t.Parallel()
	pool, release := released(t)
	store, err := storage.OpenFolder(t.TempDir(), "https://docs.example.com", bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	for round := range 8 {
		ctx, kill := context.WithCancel(t.Context())
		func() {
			defer func() { _ = recover() }() // as the job does
			b := builds.Builder{Store: dying{store, round, kill}, Site: reference.Site{URL: "https://docs.example.com"}}
			for {
				err := db.InTx(ctx, pool, func(tx pgx.Tx) error { return b.Build(ctx, tx, release, "python") })
				if err == nil {
					t.Errorf("round %d built an archive", round)
				}
				if !errors.Is(err, builds.ErrBuilding) { // by the server, which has not seen yet that the last one died
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		kill()
		if b, err := queries.SDKBuildGet(t.Context(), pool, release, "python"); err != nil || b.State != models.SDKWaiting || b.Object != "" {
			t.Errorf("after round %d the build is %+v, %v", round, b, err)
		}
	}
	var group sync.WaitGroup
	for range 4 { // workers at the same time
		group.Go(func() {
			for {
				err := build(t, pool, store, release, "python")
				if err == nil {
					return
				}
				if !errors.Is(err, builds.ErrBuilding) {
					t.Error(err)
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	group.Wait()
	b, err := queries.SDKBuildGet(t.Context(), pool, release, "python")
	if err != nil || b.State != models.SDKBuilt {
		t.Fatalf("the build is %+v, %v", b, err)
	}
	count := func() (n int) {
		for o, err := range store.List(t.Context(), storage.SDKKey("").String()) {
			if err != nil || o.Key.String() == b.Object && o.Size != b.Size {
				t.Errorf("the storage has %+v, %v", o, err)
			}
			n++
		}
		return n
	}
	if n := count(); n != 1 {
		t.Errorf("the storage has %d archives", n)
	}
	if _, err := store.Put(t.Context(), storage.SDKKey(strings.Repeat("a", 64)), strings.NewReader("x"), storage.PutOptions{ContentType: "application/zip", Size: 1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{time.Hour, 2}, {25 * time.Hour, 1}} {
		if err := builds.Sweep(t.Context(), pool, store, time.Now().Add(c.after)); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != c.want {
			t.Errorf("%s later the storage has %d archives, want %d", c.after, n, c.want)
		}
	}
}

// The pages of a release find what they show: the example, the changes and the call of
// each operation.
func TestPreview(t *testing.T) {
	t.Parallel()
	pool, release := released(t)
	store, err := storage.OpenFolder(t.TempDir(), "https://docs.example.com", bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"node", "go"} {
		if err := build(t, pool, store, release, language); err != nil {
			t.Fatal(err)
		}
	}
	service := &builds.Service{DB: pool, Store: store}
	made, err := service.OfRelease(t.Context(), release)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := builds.Shown(made["node"])
	if err != nil || shown.Path != "examples/quickstart.mjs" || !strings.Contains(shown.Start, "new Client()") || !strings.Contains(shown.Run, "node examples/quickstart.mjs\n") {
		t.Errorf("pages show %+v, %v", shown, err)
	}
	if len(shown.Changes) != 1 || shown.Changes[0].Version != "1.0.0" || len(shown.Changes[0].Lines) != 1 {
		t.Errorf("pages show the changes %+v", shown.Changes)
	}
	calls, err := service.CallsOf(t.Context(), release, "submit-sms")
	if err != nil || len(calls) != 2 || calls[0].Language != "go" || !strings.Contains(calls[1].Code, "await client.submitSms.submitSms(") {
		t.Errorf("the calls are %+v, %v", calls, err)
	}
	if calls, err := service.CallsOf(t.Context(), release, "nothing"); err != nil || len(calls) != 0 {
		t.Errorf("nothing is called by %+v, %v", calls, err)
	}
}
