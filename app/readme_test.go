package main

import (
	"bytes"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/metric"
	"heliograph/db/dev"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block returns the README's code in a language.
func block(t *testing.T, language string) string {
	t.Helper()
	match := regexp.MustCompile("(?s)\n```" + language + "\n(.*?)\n```").FindStringSubmatch(readme(t))
	if match == nil {
		t.Fatalf("the README has no %s block", language)
	}
	return match[1]
}

// The README's own lines send a message and receive its three callbacks.
func TestReadmeSendsAMessageThereAndBack(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	place := t.TempDir()
	_, stop := startDev(t, filepath.Join(place, ".data"))
	defer stop(syscall.SIGINT)
	port := freePort(t)
	heard := runReceiver(t, place, port)
	send := exec.CommandContext(t.Context(), "sh", "-euc", strings.Replace(block(t, "sh"), "9000", port, 1))
	send.Dir = place
	out, err := send.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(`"message_status":"accepted"`)) {
		t.Fatalf("sending: %v\n%s", err, out)
	}
	if diff := cmp.Diff([]string{"delivered", "read", "sent"}, heard(3)); diff != "" {
		t.Errorf("the receiver printed (-want +got):\n%s", diff)
	}
}

// The table of metrics is what /metrics tells.
func TestReadmeNamesEveryMetric(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(readme(t), "| Metric | Meaning | Alert |")
	table, _, _ = strings.Cut(table, "\n\n")
	named := []string{}
	for _, row := range regexp.MustCompile("\n\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
		named = append(named, row[1])
	}
	told := []string{"http_request_duration_seconds", "http_requests_total"}
	descs := make(chan *prometheus.Desc, 100)
	metric.Register(describing{descs})
	metric.RegisterStorage(describing{descs}, func() bool { return true })
	metric.RegisterClock(describing{descs}, func() time.Duration { return 0 })
	metric.NewDatabase(nil).Describe(descs)
	close(descs)
	for d := range descs {
		told = append(told, regexp.MustCompile(`fqName: "(\w+)"`).FindStringSubmatch(d.String())[1])
	}
	slices.Sort(named)
	slices.Sort(told)
	if diff := cmp.Diff(told, named); diff != "" {
		t.Errorf("the README's table of metrics (-/metrics +README):\n%s", diff)
	}
}

// describing takes only the descriptions of what is registered.
type describing struct{ to chan<- *prometheus.Desc }

func (d describing) Register(c prometheus.Collector) error {
	c.Describe(d.to)
	return nil
}

func (d describing) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		c.Describe(d.to)
	}
}

func (d describing) Unregister(prometheus.Collector) bool { return false }

// What the README tells operators to do is done: the backup is restored and
// its audit holds, and nginx passes requests on with who sent them.
func TestReadmeOperates(t *testing.T) {
	t.Parallel()
	needPrograms(t, "pg_dump", "pg_restore", "nginx")
	data := filepath.Join(t.TempDir(), "data")
	a, stop := startDev(t, data)
	defer stop(syscall.SIGINT)
	url, leave, err := dev.Join(t.Context(), filepath.Join(data, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer leave() //nolint:errcheck // dev runs it
	t.Run("backup", func(t *testing.T) { restoreBackup(t, data, url) })
	t.Run("proxy", func(t *testing.T) { passThroughNginx(t, a) })
}

func restoreBackup(t *testing.T, data, url string) {
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // nothing is lost with it
	if _, err := conn.Exec(t.Context(), "create database restored"); err != nil {
		t.Fatal(err)
	}
	keys, err := os.ReadFile(filepath.Join(data, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	place := t.TempDir()
	if err := os.Symlink(self, filepath.Join(place, "heliograph")); err != nil {
		t.Fatal(err)
	}
	sh := exec.CommandContext(t.Context(), "sh", "-euc", block(t, "bash"))
	sh.Dir = place
	sh.Env = append(os.Environ(), programVar+"=1", "PATH="+place+":"+os.Getenv("PATH"), "DATABASE_URL="+url, "RESTORED_URL="+strings.Replace(url, "/heliograph?", "/restored?", 1),
		"ENCRYPTION_KEYS="+strings.TrimSpace(string(keys)), "STORAGE_FOLDER="+filepath.Join(data, "files"))
	out, err := sh.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("entries hold")) {
		t.Errorf("restoring: %v\n%s", err, out)
	}
}

func passThroughNginx(t *testing.T, a access) {
	place, port := t.TempDir(), freePort(t)
	if err := os.Chmod(place, 0o755); err != nil {
		t.Fatal(err)
	}
	site := nginxSite(t, block(t, "nginx"), strings.TrimPrefix(strings.Replace(a.URL, "localhost", "127.0.0.1", 1), "http://"), port)
	config := filepath.Join(place, "nginx.conf")
	text := "daemon off; pid nginx.pid; error_log stderr;\nevents {}\nhttp { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;\n" + site + "\n}"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "nginx", "-p", place, "-c", config)
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // gone is what we want
		cmd.Wait()                          //nolint:errcheck // told to end
	}()
	awaitPort(t, port, &errs)
	// A forwarded request did not come from the network that may read them.
	for path, want := range map[string]int{"/": http.StatusOK, "/health": http.StatusOK, "/metrics": http.StatusForbidden} {
		for range 8 { // some are asked of the process that is away
			if got := status(t, "http://127.0.0.1:"+port+path); got != want {
				t.Errorf("%s through nginx gives %d, want %d", path, got, want)
			}
		}
	}
}

// nginxSite is the README's site on a port of the loopback without TLS. Its
// first process is ours, and nothing listens at the second: what is asked of it
// must be asked of the first.
func nginxSite(t *testing.T, site, ours, port string) string {
	t.Helper()
	for old, now := range map[string]string{
		"127.0.0.1:8080": ours, "127.0.0.1:8081": "127.0.0.1:" + freePort(t), "listen 443 ssl;": "listen 127.0.0.1:" + port + ";",
	} {
		if !strings.Contains(site, old) {
			t.Errorf("the README's nginx lacks %q", old)
		}
		site = strings.Replace(site, old, now, 1)
	}
	return regexp.MustCompile(`(?m)^\s*ssl_.*$`).ReplaceAllString(site, "")
}

func awaitPort(t *testing.T, port string, errs *bytes.Buffer) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("nothing listens on %s: %v\n%s", port, err, errs)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestReadmeNamesEveryCommand(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		if !regexp.MustCompile("\n\\| `heliograph " + c.name + "( \\w+)?` \\|").MatchString(readme(t)) {
			t.Errorf("the README's table of commands lacks %s", c.name)
		}
	}
}

// Every promise has tests, and the tests that it names exist.
func TestReadmePromisesAreTested(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range declared.FindAllStringSubmatch(string(text), -1) {
			exists[name[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(readme(t), "| | Promise | Held by |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile(`(?m)^\| ([RS]\d+) \|.*\|$`).FindAllStringSubmatch(table, -1)
	if len(rows) != 21 {
		t.Errorf("%d promises, want R1 to R9 and S1 to S12", len(rows))
	}
	for _, row := range rows {
		tests := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(row[0], -1)
		if len(tests) == 0 {
			t.Errorf("%s names no test", row[1])
		}
		for _, name := range tests {
			if !exists[name[1]] {
				t.Errorf("%s names %s, which does not exist", row[1], name[1])
			}
		}
	}
}

func TestReadmeNamesEveryDependency(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(readme(t), "| Dependency | Why |")
	table, _, _ = strings.Cut(table, "\n\n")
	used := map[string]bool{}
	for _, row := range regexp.MustCompile("`([^`]+\\.[^`]+/[^`]+)`").FindAllStringSubmatch(table, -1) {
		used[row[1]] = false
	}
	for _, f := range readTree(t, os.DirFS("..")).files {
		for _, imported := range f.imports {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") {
				continue // the standard library, or ours
			}
			known := false
			for module := range used {
				if within(imported, module) {
					used[module], known = true, true
				}
			}
			if !known {
				t.Errorf("%s imports %s, which the README's table of dependencies lacks", f.path, imported)
			}
		}
	}
	for module, is := range used {
		if !is {
			t.Errorf("the README names %s, which nothing imports", module)
		}
	}
}
