//go:build judge

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"heliograph/app/porttest"
	"heliograph/db/dev"
	"heliograph/storage/storagetest"
)

// The handbook's way into production: its lines build the program, make the role, the
// database and the settings, and publish. Its units start the processes, and its nginx
// stands in front of them with TLS, also while they are restarted in turn.
func TestHandbookOnAServer(t *testing.T) {
	t.Parallel()
	needPrograms(t, "psql", "openssl", "nginx", "sh")
	s := installByHandbook(t)
	first, second, ops := porttest.FreePort(t), porttest.FreePort(t), porttest.FreePort(t)
	units := s.writeUnits(ops)
	webs := []*unitProcess{s.startUnit(units, "heliograph-web@.service", first), s.startUnit(units, "heliograph-web@.service", second)}
	s.startUnit(units, "heliograph-worker.service", "")
	for _, port := range []string{first, second, ops} {
		awaitPort(t, port, nil)
		if got := status(t, "http://127.0.0.1:"+port+"/readyz"); got != http.StatusOK {
			t.Errorf("/readyz of port %s gives %d", port, got)
		}
	}
	get := s.serveWithTLS(first, second)
	get("/")
	for i, port := range []string{first, second} {
		webs[i].stop()
		get("/docs")
		s.startUnit(units, "heliograph-web@.service", port)
		awaitPort(t, port, nil)
		get("/admin/login")
	}
}

// installation is what the handbook's lines make on a server, in a folder.
type installation struct {
	t     *testing.T
	place string
}

// installByHandbook runs the handbook's lines with other places, another name of the role
// and the database, because a cluster for tests has these already, and our S3 server.
func installByHandbook(t *testing.T) *installation {
	t.Helper()
	s := &installation{t: t, place: t.TempDir()}
	s3 := storagetest.S3(t)
	cluster, err := dev.Start(t.Context(), filepath.Join(s.place, "postgres"), dev.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cluster.Stop() }) //nolint:errcheck // the folder goes too
	address, err := url.Parse(cluster.URL)
	if err != nil {
		t.Fatal(err)
	}
	lines := s.replace(topicBlock(t, "production", "shell"), map[string]string{
		"/usr/local/bin/": s.place + "/bin/", "/etc/heliograph": s.place + "/etc", "sudo -u postgres psql": "psql '" + cluster.URL + "'",
		"role heliograph": "role portal", "database heliograph owner heliograph": "database portal owner portal",
		"heliograph:$PASSWORD@127.0.0.1:5432/heliograph": "portal:$PASSWORD@" + address.Host + "/portal",
		"STORAGE_ENDPOINT=s3.example.com":                "STORAGE_ENDPOINT=" + s3.Endpoint + "\nSTORAGE_TLS=false\nSTORAGE_BUCKET=" + s3.Bucket,
	})
	run := exec.CommandContext(t.Context(), "sh", "-euc", lines)
	run.Dir = ".."
	run.Env = append(os.Environ(), "PATH="+s.place+"/bin:"+os.Getenv("PATH"), "STORAGE_ACCESS_KEY="+s3.AccessKey, "STORAGE_SECRET_KEY="+s3.SecretKey)
	if out, err := run.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("asha@example.com is a super_admin and signs in at https://docs.example.com/admin.")) {
		t.Fatalf("installing: %v\n%s", err, out)
	}
	return s
}

// replace puts other texts in the place of those that differ here, each of which must
// be there.
func (s *installation) replace(text string, texts map[string]string) string {
	s.t.Helper()
	for old, now := range texts {
		if !strings.Contains(text, old) {
			s.t.Errorf("the handbook lacks %q in\n%s", old, text)
		}
		text = strings.ReplaceAll(text, old, now)
	}
	return text
}

// writeUnits returns the handbook's units by their names, once systemd has found nothing
// wrong with them.
func (s *installation) writeUnits(ops string) map[string]string {
	s.t.Helper()
	text := s.replace(topicBlock(s.t, "production", "ini"), map[string]string{"/usr/local/bin/": s.place + "/bin/", "/etc/heliograph/": s.place + "/etc/", ":9090": ":" + ops})
	units := map[string]string{}
	for _, part := range strings.Split(text, "# /etc/systemd/system/")[1:] {
		name, unit, _ := strings.Cut(part, "\n")
		units[name] = unit
		path := filepath.Join(s.place, name)
		if err := os.WriteFile(path, []byte(unit), 0o600); err != nil {
			s.t.Fatal(err)
		}
		if _, err := exec.LookPath("systemd-analyze"); err != nil {
			continue
		}
		if out, err := exec.CommandContext(s.t.Context(), "systemd-analyze", "verify", "--man=no", path).CombinedOutput(); err != nil || bytes.Contains(out, []byte(s.place)) {
			s.t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	return units
}

// unitProcess is a process of a unit.
type unitProcess struct {
	cmd  *exec.Cmd
	done chan struct{}
}

func (p *unitProcess) stop() {
	p.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // gone is what we want
	<-p.done
}

var unitSetting = regexp.MustCompile(`(?m)^(EnvironmentFile|Environment|ExecStart)=(.*)$`)

// startUnit runs what a unit says, with the environment that it says and no other.
func (s *installation) startUnit(units map[string]string, name, instance string) *unitProcess {
	s.t.Helper()
	var environ, command []string
	for _, line := range unitSetting.FindAllStringSubmatch(strings.ReplaceAll(units[name], "%i", instance), -1) {
		switch line[1] {
		case "EnvironmentFile":
			text, err := os.ReadFile(line[2])
			if err != nil {
				s.t.Fatal(err)
			}
			environ = append(environ, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		case "Environment":
			environ = append(environ, line[2])
		case "ExecStart":
			command = strings.Fields(line[2])
		}
	}
	if len(command) == 0 {
		s.t.Fatalf("the handbook has no unit %s that starts something", name)
	}
	p := &unitProcess{cmd: exec.Command(command[0], command[1:]...), done: make(chan struct{})} //nolint:noctx // ends by signal
	log, err := os.Create(filepath.Join(s.place, name+instance+".log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = environ, log, log
	if err := p.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		p.cmd.Wait() //nolint:errcheck // how it ended is in its log
		close(p.done)
	}()
	s.t.Cleanup(func() {
		p.stop()
		if text, err := os.ReadFile(log.Name()); s.t.Failed() {
			s.t.Logf("%s%s: %v\n%s", name, instance, err, text)
		}
	})
	return p
}

// serveWithTLS starts the handbook's nginx in front of two processes, and returns what
// fails the test unless a page is served over TLS.
func (s *installation) serveWithTLS(first, second string) (get func(path string)) {
	t := s.t
	t.Helper()
	port, cert, key := porttest.FreePort(t), filepath.Join(s.place, "cert.pem"), filepath.Join(s.place, "cert.key")
	sign := exec.CommandContext(t.Context(), "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=docs.example.com",
		"-addext", "subjectAltName=DNS:docs.example.com", "-out", cert, "-keyout", key)
	if out, err := sign.CombinedOutput(); err != nil {
		t.Fatalf("making a certificate: %v\n%s", err, out)
	}
	site := nginxSite(t, "127.0.0.1:"+first, "127.0.0.1:"+second, port+" ssl")
	startNginx(t, s.replace(site, map[string]string{"/etc/ssl/docs.example.com.pem": cert, "/etc/ssl/docs.example.com.key": key}), port)
	text, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:"+port)
		},
	}}
	t.Cleanup(client.CloseIdleConnections)
	return func(path string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://docs.example.com"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK || res.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s gives %d, %v", path, res.StatusCode, res.Header)
		}
	}
}
