//go:build drill && linux

package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// watchedHost is an address that is public everywhere. In the network of the drill it is
// the drill's own.
const watchedHost = "93.184.216.34"

// TestWatchedAddressDrill brings a document in from a public address, watches it there,
// changes it, and finds the change set. No option opens addresses inside for this: the
// drill has a network in which a public address is its own. What redirects or leads inside
// is refused, and nothing inside is dialled.
//
//	go test -tags drill -run WatchedAddressDrill -timeout 20m -v ./app
func TestWatchedAddressDrill(t *testing.T) {
	withNetwork(t, []string{watchedHost}, watchAddress)
}

const watchedDocument = `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets: {get: {operationId: listPets, summary: List pets, responses: {'200': {description: OK}}}}
`

func watchAddress(t *testing.T) {
	var document atomic.Pointer[string]
	text := watchedDocument
	document.Store(&text)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", watchedHost+":80")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "http://127.0.0.1:81/inside", http.StatusFound)
			return
		}
		fmt.Fprint(w, *document.Load())
	})}
	go func() { _ = server.Serve(l) }() // it ends by being closed
	t.Cleanup(func() { server.Close() })
	inside, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:81")
	if err != nil {
		t.Fatal(err)
	}
	var dialled atomic.Int64
	go func() {
		for {
			conn, err := inside.Accept()
			if err != nil {
				return
			}
			dialled.Add(1)
			conn.Close()
		}
	}()
	t.Cleanup(func() { inside.Close() })

	f := newFleet(t)
	f.environ = append(f.environ, "ALLOW_LOOPBACK_WEBHOOKS=false")
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	f.start("worker")
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(web.url+"/admin/login", web.url+"/admin/login", "email", people.Admin.Email, "password", people.Admin.Password))
	bring := func(address, name string) (state, why string) {
		t.Helper()
		admin.must("an address", 303, admin.post(web.url+"/admin/imports/new", web.url+"/admin/imports", "product", "new", "name", name, "version", "1.0", "address", address))
		ended := func() []string {
			return f.column(`select state || ' ' || error from imports where id = (select max(id) from imports) and state not in ('queued', 'reading')`)
		}
		waitUntil(t, 2*time.Minute, "the address is read", func() bool { return len(ended()) == 1 })
		state, why, _ = strings.Cut(ended()[0], " ")
		return state, why
	}
	for address, says := range map[string]string{
		"http://" + watchedHost + "/moved": "redirects", "http://127.0.0.1:81/a.yaml": "public internet address", "http://localhost:81/a.yaml": "full name", "http://[::1]:81/": "public internet address", "http://10.0.0.1/": "public internet address",
	} {
		if state, why := bring(address, "Refused"); state != "failed" || !strings.Contains(why, says) {
			t.Errorf("%s is %s: %s", address, state, why)
		}
	}
	address := "http://" + watchedHost + "/pets.yaml"
	if state, why := bring(address, "Pets"); state != "ready" {
		t.Fatalf("a public address is %s: %s", state, why)
	}
	page := web.url + "/admin/imports/" + f.column(`select max(id)::text from imports`)[0]
	admin.must("accepting", 303, admin.post(page, page+"/acceptance", "take", "list-pets"))
	set := web.url + "/admin/drafts_and_reviews/" + f.column(`select max(id)::text from change_sets`)[0]
	admin.must("publishing", 303, admin.post(set, set+"/override", "reason", "A drill"))
	product := f.column(`select id::text from items where kind = 'product' and slug = 'pets'`)[0]
	automation := web.url + "/admin/imports/automation"
	admin.must("watching", 303, admin.post(automation, automation+"/watches", "address", address, "product", product, "version", "1.0", "hours", "1"))
	outcome := func(want string) {
		t.Helper()
		if _, err := f.pool.Exec(t.Context(), `update import_watches set next_at = now() - interval '1 minute', last_outcome = ''`); err != nil {
			t.Fatal(err)
		}
		waitUntil(t, 4*time.Minute, "the outcome "+want, func() bool {
			return strings.Contains(strings.Join(f.column(`select last_outcome from import_watches`), ""), want)
		})
	}
	outcome("Nothing has changed")
	changed := strings.Replace(watchedDocument, "List pets", "List all pets", 1)
	document.Store(&changed)
	outcome("was opened")
	if n := f.column(`select count(*)::text from change_sets where state = 'draft'`)[0]; n != "1" {
		t.Errorf("%s change sets are open, want one", n)
	}
	outcome("Nothing has changed")
	if n := dialled.Load(); n > 0 {
		t.Errorf("an address inside was dialled %d times", n)
	}
	f.checkLogs()
}
