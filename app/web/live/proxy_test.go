package live_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"heliograph/app/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// serveLive runs a site with streams.
func serveLive(t *testing.T) (*webtest.Site, *httptest.Server, *db.Signals) {
	t.Helper()
	pool := dbtest.Pool(t)
	listener, signals := db.NewListener(pool), db.NewSignals(pool)
	site := webtest.New(t, func(d *web.Deps) { d.DB, d.Listener = pool, listener })
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	for _, run := range []func(context.Context){listener.Run, signals.Run, site.Server.Run} {
		go run(ctx)
	}
	server := httptest.NewServer(site.Server.Handler())
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return site, server, signals
}

// A stream ends within seconds of signing out and of a changed role.
func TestStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	site, server, _ := serveLive(t)
	owner, organisation := site.SignIn(t, 0, identity.Owner)
	colleague, _ := site.SignIn(t, organisation, identity.Developer)
	var id int64
	if err := site.DB.QueryRow(t.Context(), `select id from organisation_users where role = 'developer'`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		stream *webtest.Client
		end    func() *webtest.Answer
	}{
		{"a changed role", colleague, func() *webtest.Answer {
			return owner.Post("/account/team/"+strconv.FormatInt(id, 10)+"/role", url.Values{"role": {identity.Viewer}})
		}},
		{"signing out", owner, func() *webtest.Answer { return owner.Post("/logout", nil) }},
	} {
		answer := openStream(t, server.URL, tt.stream.Cookie("heliograph"))
		lines := bufio.NewScanner(answer.Body)
		if !lines.Scan() || answer.StatusCode != http.StatusOK {
			t.Fatalf("before %s the stream gives %d", tt.name, answer.StatusCode)
		}
		start := time.Now()
		if a := tt.end(); a.Status != http.StatusSeeOther {
			t.Fatalf("%s gives %d %s", tt.name, a.Status, a.Text())
		}
		var ended bool
		for lines.Scan() {
			ended = ended || lines.Text() == "event: end"
		}
		if took := time.Since(start); !ended || took > 5*time.Second {
			t.Errorf("%s ends the stream after %v, with the event: %t", tt.name, took, ended)
		}
	}
}

// nginx with its standard configuration passes every event on immediately.
func TestStreamThroughNginx(t *testing.T) {
	t.Parallel()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	site, server, signals := serveLive(t)
	c, organisation := site.SignIn(t, 0, identity.Owner)
	proxy := startNginx(t, nginx, server.Listener.Addr().String())
	answer := openStream(t, "http://"+proxy, c.Cookie("heliograph"))
	events := make(chan string)
	go func() {
		defer close(events)
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok && event != "sync" && event != "changed" {
				events <- event
			}
		}
	}()
	for _, topic := range []string{"messages", "callbacks"} {
		signals.Add(topic, organisation)
		select {
		case event := <-events:
			if event != topic {
				t.Errorf("the event is %q, want %q", event, topic)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("nginx holds the event %s back", topic)
		}
	}
}

// startNginx runs nginx before a server and returns its address.
func startNginx(t *testing.T, nginx, server string) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	root := t.TempDir()
	config := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log; events {}
http {
	access_log off; gzip on; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server { listen %[2]s; location / { proxy_pass http://%[3]s; proxy_set_header Host $host; } }
}`, root, address, server)
	path := filepath.Join(root, "nginx.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), nginx, "-p", root, "-c", path, "-e", filepath.Join(root, "error.log"))
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address); err == nil {
			_ = c.Close()
			return address
		}
	}
	text, _ := os.ReadFile(filepath.Join(root, "error.log"))
	t.Fatalf("nginx does not start: %s", text)
	return ""
}
