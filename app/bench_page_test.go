//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkPage measures an endpoint's page from a web process against nginx
// that serves the same bytes, with the same headers, from a file.
func BenchmarkPage(b *testing.B) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		b.Skip("nginx is not installed: it is the measure")
	}
	f := newFleet(b)
	f.run("seed")
	web := f.start("web")
	get := request{method: http.MethodGet, url: web.url + endpointPage, header: map[string]string{"Accept-Encoding": "gzip"}}
	reference := get
	reference.url = f.startNginx(b, nginx, get) + endpointPage

	const connections = 64
	var ours, theirs []throughput
	for range benchTurns {
		theirs = append(theirs, hammer(b, connections, reference))
		ours = append(ours, hammer(b, connections, get))
	}
	b.ReportMetric(0, "ns/op")
	report := func(name string, t []throughput) (perSecond, p99 float64) {
		for _, turn := range t {
			perSecond += turn.perSecond / float64(len(t))
			p99 += turn.p99.Seconds() * 1000 / float64(len(t))
		}
		b.ReportMetric(perSecond, name+"-pages/s")
		b.ReportMetric(p99, name+"-p99-ms")
		return perSecond, p99
	}
	perSecond, p99 := report("our", ours)
	nginxPerSecond, nginxP99 := report("nginx", theirs)
	b.ReportMetric(perSecond/nginxPerSecond, "ratio")
	b.ReportMetric(p99/nginxP99, "p99-ratio")
}

// startNginx serves what get is answered with from a file, with an access log,
// as our own process has one.
func (f *fleet) startNginx(b *testing.B, program string, get request) string {
	b.Helper()
	header, body := fetch(b, get)
	root, address := b.TempDir(), freeAddress()
	file := filepath.Join(root, endpointPage)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, body, 0o644); err != nil {
		b.Fatal(err)
	}
	var headers strings.Builder
	for name, values := range header {
		switch name {
		case "Content-Length", "Content-Type", "Date", "Etag": // nginx has its own
		default:
			fmt.Fprintf(&headers, "    add_header %s %q;\n", name, values[0])
		}
	}
	config := fmt.Sprintf(nginxConfig, root, root, root, address, root, header.Get("Content-Type"), headers.String())
	path := filepath.Join(root, "nginx.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program, "-c", path, "-e", filepath.Join(root, "error.log")) //nolint:noctx // ends by signal
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
	if err := fork(cmd); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // gone is what we want
		cmd.Wait()                          //nolint:errcheck // by our signal
	})
	url := "http://" + address
	waitUntil(b, 10*time.Second, "nginx serves", func() bool { return statusOf(url+endpointPage) == http.StatusOK })
	return url
}

const nginxConfig = `
user root;
daemon off;
worker_processes auto;
pid %s/pid;
error_log %s/error.log;
events { worker_connections 1024; }
http {
  access_log %s/access.log;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  open_file_cache max=100;
  server {
    listen %s;
    root %s;
    default_type "%s";
%s  }
}
`

func fetch(b *testing.B, r request) (http.Header, []byte) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), r.method, r.url, nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%s answers %d, %v", r.url, res.StatusCode, err)
	}
	return res.Header, body
}
