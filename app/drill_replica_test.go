//go:build drill && linux

package main

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/db"
)

// startReplica makes a streaming replica of the database and returns its URL.
func (f *fleet) startReplica(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(freeAddress())
	if err != nil {
		t.Fatal(err)
	}
	var bin string
	if err := f.pool.QueryRow(t.Context(), `select setting from pg_config where name = 'BINDIR'`).Scan(&bin); err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "replica")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) }) //nolint:errcheck // a folder of the drill
	// PostgreSQL does not run as root: the replica has the owner of the original.
	info, err := os.Stat(filepath.Join(f.dir, "postgres", "data"))
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if err := os.Chown(folder, int(owner.Uid), int(owner.Gid)); err != nil {
		t.Fatal(err)
	}
	attributes := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
	backup := exec.CommandContext(t.Context(), filepath.Join(bin, "pg_basebackup"), "--dbname", f.cluster.URL, "--pgdata", folder, "--write-recovery-conf", "--checkpoint", "fast")
	backup.Dir, backup.SysProcAttr = folder, &syscall.SysProcAttr{Credential: attributes.Credential}
	if out, err := backup.CombinedOutput(); err != nil {
		t.Fatalf("copying the database: %v\n%s", err, out)
	}
	var settings []string // a replica needs at least what the original has
	if err := f.pool.QueryRow(t.Context(), `
		select array_agg(name || '=' || setting) from pg_settings
		where name in ('max_connections', 'max_worker_processes', 'max_wal_senders', 'max_prepared_transactions', 'max_locks_per_transaction')`).Scan(&settings); err != nil {
		t.Fatal(err)
	}
	args := []string{"-D", folder}
	for _, s := range append(settings, "port="+port, "listen_addresses=127.0.0.1", "unix_socket_directories=") {
		args = append(args, "-c", s)
	}
	server := exec.Command(filepath.Join(bin, "postgres"), args...) //nolint:noctx // ends by signal
	log, err := os.Create(filepath.Join(f.dir, "replica.log"))
	if err != nil {
		t.Fatal(err)
	}
	server.Stdout, server.Stderr = log, log
	server.Dir, server.SysProcAttr = folder, attributes
	if err := fork(server); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGINT)
		_ = server.Wait()
	})
	u, err := url.Parse(f.cluster.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = net.JoinHostPort(u.Hostname(), port)
	return u.String()
}

// TestReplicaDrill serves the portal from a streaming replica: published pages work,
// what is published on the primary is shown within seconds although LISTEN does not work
// there, and the process says that it is not ready and why.
func TestReplicaDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	f.start("web") // the first process stores what later ones check their keys with
	f.environ = append(f.environ, "DATABASE_URL="+f.startReplica(t))
	waitUntil(t, time.Minute, "the replica takes connections", func() bool {
		pool, err := db.Open(t.Context(), f.environ[len(f.environ)-1][len("DATABASE_URL="):], db.Options{MaxConns: 1, Application: "drill"})
		if err == nil {
			pool.Close()
		}
		return err == nil
	})
	web, err := f.launch("web", freeAddress())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.end(syscall.SIGKILL) })
	for end := time.Now().Add(time.Minute); statusOf(web.url+"/health") != 200; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			replica, _ := os.ReadFile(filepath.Join(f.dir, "replica.log"))
			t.Fatalf("the web process does not serve:\n%s\n%s", web.written(), replica)
		}
	}
	get := func(path string) (int, string) {
		res, err := http.Get(web.url + path) //nolint:noctx // a drill
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	if status, body := get("/readyz"); status != 503 || !strings.Contains(body, "read-only") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	for _, path := range []string{"/", "/docs/business-messaging/3.0", "/docs/sms", "/search?q=template", "/contact-us"} {
		if status, _ := get(path); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	_, took := f.publishMark(web, edited{"guide", "/productguide/sms/send-your-first-sms", "SMS"}, "replicated")
	t.Logf("a word that is published on the primary is shown from the replica after %v", took.Round(time.Millisecond))
	if took > 10*time.Second {
		t.Errorf("a word is shown from the replica after %v", took)
	}
	log := web.written()
	if !strings.Contains(log, "the database is a replica") || strings.Contains(log, "cannot execute LISTEN during recovery") {
		t.Errorf("the log does not say once that releases are looked for:\n%s", log)
	}
}
