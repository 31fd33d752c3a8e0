//go:build judge

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

	"heliograph/app/people/identity"
	"heliograph/app/porttest"
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

// ending ends the session of a stream.
type ending struct {
	name   string
	stream *webtest.Client
	end    func() *webtest.Answer
}

// endStreams opens a stream for each ending, and checks that the stream says so
// within five seconds.
func endStreams(t *testing.T, origin string, endings ...ending) {
	t.Helper()
	var streams []*bufio.Scanner
	for _, e := range endings {
		address, cookie := "/account/events", "heliograph"
		if e.stream.Cookie(cookie) == "" {
			address, cookie = "/admin/events", "heliograph-admin"
		}
		answer := openStreamOf(t, origin+address, cookie, e.stream.Cookie(cookie))
		lines := bufio.NewScanner(answer.Body)
		if !lines.Scan() || answer.StatusCode != http.StatusOK {
			t.Fatalf("before %s the stream gives %d", e.name, answer.StatusCode)
		}
		streams = append(streams, lines)
	}
	for i, e := range endings {
		start := time.Now()
		if a := e.end(); a.Status != http.StatusSeeOther {
			t.Fatalf("%s gives %d %s", e.name, a.Status, a.Text())
		}
		var ended bool
		for streams[i].Scan() {
			ended = ended || streams[i].Text() == "event: end"
		}
		if took := time.Since(start); !ended || took > 5*time.Second {
			t.Errorf("%s ends the stream after %v, with the event: %t", e.name, took, ended)
		}
	}
}

// A stream ends within seconds of all that ends its session, in the account and in
// the administration.
func TestStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	site, server, _ := serveLive(t)
	owner, organisation := site.SignIn(t, 0, identity.Owner)
	boss := site.SignInAdmin(t, identity.SuperAdmin)
	member := func(role string) *webtest.Client {
		c, _ := site.SignIn(t, organisation, role)
		return c
	}
	last := func(table string) string {
		var id int64
		if err := site.DB.QueryRow(t.Context(), `select max(id) from `+table).Scan(&id); err != nil {
			t.Fatal(err)
		}
		return strconv.FormatInt(id, 10)
	}
	colleague := func(action string, form url.Values) func() *webtest.Answer {
		path := "/account/team/" + last("organisation_users") + action
		return func() *webtest.Answer { return owner.Post(path, form) }
	}
	administrator := func(action string, form url.Values) func() *webtest.Answer {
		path := "/admin/users/" + last("admin_users") + action
		return func() *webtest.Answer { return boss.Post(path, form) }
	}
	var endings []ending
	add := func(name string, stream *webtest.Client, end func() *webtest.Answer) {
		endings = append(endings, ending{name, stream, end})
	}
	// Each ending is of the member or administrator who was added last.
	developer := member(identity.Developer)
	add("a changed role", developer, colleague("/role", url.Values{"role": {identity.Viewer}}))
	developer = member(identity.Developer)
	add("deactivation", developer, colleague("/deactivate", nil))
	developer = member(identity.Developer)
	add("removal", developer, colleague("/remove", nil))
	leaver := member(identity.Developer)
	add("signing out", leaver, func() *webtest.Answer { return leaver.Post("/logout", nil) })
	editor := site.SignInAdmin(t, identity.Editor)
	add("a changed role of an administrator", editor, administrator("/role", url.Values{"role": {identity.Viewer}}))
	reader := site.SignInAdmin(t, identity.Viewer)
	add("the end of an administrator's sessions", reader, administrator("/sessions/end", nil))
	endStreams(t, server.URL, endings...)
	endStreams(t, server.URL, ending{"deactivation of the organisation", owner, func() *webtest.Answer {
		return boss.Post(fmt.Sprintf("/admin/organisations/%d/activation", organisation), url.Values{"active": {"false"}, "reason": {"unpaid"}})
	}})
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
	address := porttest.Free(t)
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
