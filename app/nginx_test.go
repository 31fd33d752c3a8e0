package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// nginxSite is the handbook's site in front of two processes. It listens on a port of the
// loopback, without TLS unless the port says ssl.
func nginxSite(t testing.TB, first, second, port string) string {
	t.Helper()
	site := topicBlock(t, "proxy", "nginx")
	for old, now := range map[string]string{"127.0.0.1:8080": first, "127.0.0.1:8081": second, "listen 443 ssl;": "listen 127.0.0.1:" + port + ";"} {
		if !strings.Contains(site, old) {
			t.Errorf("the handbook's nginx lacks %q", old)
		}
		site = strings.Replace(site, old, now, 1)
	}
	if strings.HasSuffix(port, " ssl") {
		return site
	}
	return regexp.MustCompile(`(?m)^\s*ssl_.*$`).ReplaceAllString(site, "")
}

// startNginx serves a site on a port until the test ends. What nginx complains of is
// shown if the test fails.
func startNginx(t testing.TB, site, port string) {
	t.Helper()
	place := t.TempDir()
	if err := os.Chmod(place, 0o755); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(place, "nginx.conf")
	text := "daemon off; pid nginx.pid; error_log stderr;\nevents {}\nhttp { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;\n" + site + "\n}"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd := exec.Command("nginx", "-p", place, "-c", config) //nolint:noctx // ends by signal
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // gone is what we want
		cmd.Wait()                          //nolint:errcheck // told to end
		if t.Failed() {
			said := slices.DeleteFunc(strings.Split(errs.String(), "\n"), func(line string) bool { return strings.Contains(line, "Connection refused") })
			t.Logf("nginx says, beside that processes which restart refuse: %.4000s", strings.Join(said, "\n"))
		}
	})
	awaitPort(t, port, &errs)
}
