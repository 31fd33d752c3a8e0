//go:build drill && linux

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"syscall"
	"testing"
	"time"

	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// drillBuilds is how many workers TestSDKKillDrill kills.
const drillBuilds = 8

// TestSDKKillDrill kills a worker with SIGKILL eight times while it builds client
// libraries, and takes the storage away and gives it back. In the end each archive of
// each product is there once, whole and as its row says, and nothing half of one is.
//
//	go test -tags drill -run SDKKillDrill -timeout 20m -v ./app
func TestSDKKillDrill(t *testing.T) {
	f := newFleet(t)
	s3 := storagetest.S3(t)
	g := newGate(t, s3.Endpoint)
	f.environ = append(f.environ, "STORAGE_FOLDER=", "STORAGE_ENDPOINT="+g.address, "STORAGE_BUCKET="+s3.Bucket, "STORAGE_TLS=false",
		"STORAGE_ACCESS_KEY="+s3.AccessKey, "STORAGE_SECRET_KEY="+s3.SecretKey)
	f.run("seed")
	count := func(where string) (n int) {
		if err := f.pool.QueryRow(t.Context(), "select count(*) from sdk_builds where "+where).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	all := count("true")
	// What a killed worker held stays running until another worker takes it.
	var began time.Time
	builds := func() bool {
		var n int
		err := f.pool.QueryRow(t.Context(), "select count(*) from river.river_job where kind = 'build_sdk' and state = 'running' and attempted_at > $1", began).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
	var built []int
	for range drillBuilds {
		began = time.Now()
		worker, err := f.launch("worker", freeAddress())
		if err != nil {
			t.Fatal(err)
		}
		waitUntil(t, 4*time.Minute, "the worker builds", builds)
		time.Sleep(rand.N(150 * time.Millisecond))
		worker.end(syscall.SIGKILL)
		built = append(built, count("state = 'built'"))
	}

	// Those that are left are built while the storage is away.
	if _, err := f.pool.Exec(t.Context(), "update sdk_builds set state = 'waiting', object = '', sha256 = '', size = 0, ended_at = null where language = 'go'"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.pool.Exec(t.Context(), "update river.river_job set state = 'available', finalized_at = null, attempt = 0, scheduled_at = now() where kind = 'build_sdk' and args->>'language' = 'go' and state <> 'running'"); err != nil {
		t.Fatal(err)
	}
	g.set(gateClosed)
	worker := f.start("worker")
	time.Sleep(15 * time.Second)
	meanwhile := count("state = 'built'")
	g.set(gateOpen)
	back := time.Now()
	waitUntil(t, 6*time.Minute, "each archive is built", func() bool { return count("state = 'built'") == all })
	settled := time.Since(back)
	worker.end(syscall.SIGTERM)

	web := f.start("web")
	objects := map[string]bool{}
	for _, line := range f.column(`
		select concat_ws(' ', p.slug, v.slug, b.language, b.sha256, b.size, b.object) from sdk_builds b
		join releases r on r.id = b.release_id join items v on v.id = r.scope_id join items p on p.id = v.parent_id`) {
		var product, version, language, hash, object string
		var size int64
		if _, err := fmt.Sscan(line, &product, &version, &language, &hash, &size, &object); err != nil {
			t.Fatal(err)
		}
		objects[object] = true
		res, err := http.Get(web.url + "/sdk/" + product + "/" + version + "/" + language + ".zip")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		sum := sha256.Sum256(body)
		if err != nil || res.StatusCode != http.StatusOK || int64(len(body)) != size || hex.EncodeToString(sum[:]) != hash {
			t.Errorf("the %s archive of %s answers %d with %d bytes, not as its row says: %s", language, product, res.StatusCode, len(body), line)
		}
	}
	stored := 0
	store, err := storage.OpenS3(t.Context(), s3)
	if err != nil {
		t.Fatal(err)
	}
	for o, err := range store.List(t.Context(), storage.SDKKey("").String()) {
		if err != nil {
			t.Fatal(err)
		}
		stored++
		if !objects[o.Key.String()] {
			t.Errorf("the storage has %s, which no build names", o.Key)
		}
	}
	if stored != len(objects) || len(objects) != all {
		t.Errorf("%d archives are stored for %d builds with %d hashes", stored, all, len(objects))
	}
	if n := f.countJobs(`kind = 'build_sdk' and state in ('discarded', 'cancelled')`); n > 0 {
		t.Errorf("%d jobs were given up", n)
	}
	f.checkLogs()
	t.Logf("%d archives; built after each kill: %v; %d while the storage was away; all of them %v after it was back", all, built, meanwhile, settled.Round(time.Second))
}
