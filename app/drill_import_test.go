//go:build drill && linux

package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/people/identity"
	"heliograph/storage/storagetest"
)

var drillImports = flag.Int("drill.imports", 24, "how many documents the drill of imports brings in")

// TestImportDrill brings documents in while workers are killed eight times as they read,
// and while the S3 server is away for a while and comes back. Each import ends once, with
// everything that it refers to.
//
//	go test -tags drill -run ImportDrill -timeout 30m -v ./app
func TestImportDrill(t *testing.T) {
	f := newFleet(t)
	s3 := storagetest.S3(t)
	g := newGate(t, s3.Endpoint)
	f.environ = append(f.environ, "STORAGE_FOLDER=", "STORAGE_ENDPOINT="+g.address, "STORAGE_BUCKET="+s3.Bucket, "STORAGE_TLS=false",
		"STORAGE_ACCESS_KEY="+s3.AccessKey, "STORAGE_SECRET_KEY="+s3.SecretKey)
	f.run("seed")
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	admin, _ := strconv.ParseInt(f.column(`select id::text from admin_users where email = $1`, people.Admin.Email)[0], 10, 64)
	product, _ := strconv.ParseInt(f.column(`select min(id)::text from items where kind = 'product'`)[0], 10, 64)
	service := importing.New(importing.Deps{DB: f.pool})
	actor := editorial.Actor{ID: admin, Name: fmt.Sprintf("admin:%d", admin), Role: identity.SuperAdmin}
	token, err := service.Tokens.Create(t.Context(), actor, importing.TokenRequest{Name: "Drill", ProductID: product, Days: 90})
	if err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	// start sends a document and returns the status.
	start := func(version string, data []byte) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.url+"/api/imports?version="+url.QueryEscape(version), bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	open := func() int {
		n, _ := strconv.Atoi(f.column(`select count(*)::text from imports where state in ('queued', 'reading')`)[0])
		return n
	}
	first := f.start("worker")
	for _, d := range corpus.Real(t) {
		if strings.HasPrefix(d.Name, "openai") {
			if status := start("9.0", d.Data); status != http.StatusAccepted {
				t.Fatalf("OpenAI's document gives %d", status)
			}
			waitUntil(t, time.Minute, "OpenAI's document is read", func() bool { return open() == 0 })
			took := f.column(`select round(extract(epoch from finished_at - started_at), 2)::text from imports order by id desc limit 1`)
			t.Logf("OpenAI's document is read within %s s of its beginning", took[0])
		}
	}
	first.end(syscall.SIGTERM)

	// The workers are killed as they read. Documents are large, so that they do.
	large := corpus.Generate(t, 0, 1000)
	for i := range *drillImports {
		if status := start(fmt.Sprintf("8.%d", i), append(bytes.Clone(large), strings.Repeat(" ", i)...)); status != http.StatusAccepted {
			t.Fatalf("import %d gives %d", i, status)
		}
	}
	kills, caught := 0, 0
	for kills < 8 {
		worker := f.start("worker")
		waitUntil(t, 3*time.Minute, "an import is being read", func() bool {
			return f.column(`select count(*)::text from river.river_job where kind = 'import_document' and state = 'running'`)[0] != "0"
		})
		time.Sleep(time.Duration(150*(kills%4)) * time.Millisecond)
		if f.column(`select count(*)::text from imports where state = 'reading'`)[0] != "0" {
			caught++
		}
		worker.end(syscall.SIGKILL)
		kills++
	}
	left := f.children()
	g.set(gateClosed)
	if status := start("7.0", large); status != http.StatusServiceUnavailable {
		t.Errorf("without its storage, an import gives %d, want 503", status)
	}
	f.start("worker")
	time.Sleep(20 * time.Second)
	g.set(gateOpen)
	waitUntil(t, 8*time.Minute, "every import has ended", func() bool { return open() == 0 })
	waitUntil(t, time.Minute, "readers of dead workers are gone", func() bool { return f.children() <= 2 })
	for _, line := range f.column(`select state || ' ' || count(*) from imports group by state order by state`) {
		t.Logf("imports that are %s", line)
	}
	if n := f.column(`select count(*)::text from imports where state not in ('ready', 'unchanged')`)[0]; n != "0" {
		t.Errorf("%s imports failed: %v", n, f.column(`select distinct error from imports where error <> ''`))
	}
	if bad := f.column(`select i.id::text from imports i where (select count(*) from audit_entries a where a.target = 'import:' || i.id and a.action in ('import.read', 'import.fail')) <> 1`); len(bad) > 0 {
		t.Errorf("imports %v ended other than once", bad)
	}
	if bad := f.column(`select id::text from imports where state = 'ready' and (converted is null or converted = '' or operations = 0 or added = 0)`); len(bad) > 0 {
		t.Errorf("imports %v are half there", bad)
	}
	if n := f.countJobs(`kind = 'import_document' and state in ('discarded', 'cancelled')`); n > 0 {
		t.Errorf("%d jobs were given up", n)
	}
	t.Logf("%d kills, of which %d caught an import; %d readers lived on right after them", kills, caught, left)
	f.checkLogs()
}

// children counts the processes that read documents.
func (f *fleet) children() (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil && bytes.HasPrefix(text, []byte(f.binary()+"\x00"+readDocument)) {
			n++
		}
	}
	return n
}
