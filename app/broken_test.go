//go:build linux

package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/db"
)

// breakVersion releases a version with content that this program cannot read, as
// a later one may publish.
const breakVersion = `
	with target as (select v.id, v.parent_id from items v join items p on p.id = v.parent_id where v.kind = 'version' and p.slug = $1),
	r as (insert into revisions (item_id, number, content, content_hash)
		select id, 99, '{"label": {"stage": "Current"}, "frame": {}}', decode(repeat('33', 32), 'hex') from target returning id, item_id),
	rel as (insert into releases (product_id, scope_id, number)
		select t.parent_id, t.id, max(o.number) + 1 from target t join releases o on o.scope_id = t.id group by t.parent_id, t.id returning id, scope_id, number)
	insert into release_items (release_id, item_id, revision_id)
	select rel.id, x.item_id, case when x.item_id = r.item_id then r.id else x.revision_id end
	from rel cross join r join releases o on o.scope_id = rel.scope_id and o.number = rel.number - 1 join release_items x on x.release_id = o.id`

// A web process starts and serves everything else when one published version
// cannot be read.
func TestWebServesTheRestOfABrokenCatalogue(t *testing.T) {
	t.Parallel()
	url := seedtest.URL(t)
	environ := settings(t, url)
	pool, err := db.Open(t.Context(), url, db.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if changed, err := pool.Exec(t.Context(), breakVersion, "sms"); err != nil || changed.RowsAffected() == 0 {
		t.Fatalf("%s, %v", changed, err)
	}

	address := freeAddress()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd := exec.Command(self, "web")
	cmd.Env = append(append(os.Environ(), environ...), programVar+"=1", "LISTEN="+address)
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	p := &process{url: "http://" + address}
	if !p.ready(30 * time.Second) {
		cmd.Process.Kill() //nolint:errcheck // its end is reported below
		t.Fatalf("the web process is not ready: %v\n%s", <-ended, errs.String())
	}
	for path, want := range map[string]int{
		"/": http.StatusOK, "/docs/sms": http.StatusOK, "/docs/sms/1.0": http.StatusServiceUnavailable, "/docs/sms/1.0.md": http.StatusServiceUnavailable,
		endpointPage: http.StatusOK, "/productguide": http.StatusOK, "/search?q=template": http.StatusOK, "/sitemap.xml": http.StatusOK,
	} {
		if got := statusOf("http://" + address + path); got != want {
			t.Errorf("%s answers %d, want %d", path, got, want)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the web process ended with %v", err)
	}
	if !bytes.Contains(errs.Bytes(), []byte(`"version":"1.0"`)) && !bytes.Contains(errs.Bytes(), []byte("version=1.0")) {
		t.Errorf("the log does not name the version:\n%s", errs.String())
	}
}
