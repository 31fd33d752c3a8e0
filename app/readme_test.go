package main

import (
	"bytes"
	"crypto/rand"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/operation/help"
	"heliograph/app/operation/metric"
	"heliograph/app/porttest"
	"heliograph/db/dev"
)

func readme(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block returns the README's code in a language.
func block(t testing.TB, language string) string {
	t.Helper()
	return findBlock(t, readme(t), language)
}

// topic returns a topic of the handbook.
func topic(t testing.TB, slug string) string {
	t.Helper()
	found, ok := help.Find(slug)
	if !ok {
		t.Fatalf("the handbook has no topic %s", slug)
	}
	return found.Text
}

// topicBlock returns the code of a topic of the handbook in a language.
func topicBlock(t testing.TB, slug, language string) string {
	t.Helper()
	return findBlock(t, topic(t, slug), language)
}

func findBlock(t testing.TB, text, language string) string {
	t.Helper()
	match := regexp.MustCompile("(?s)(?:^|\n)```" + language + "\n(.*?)\n```").FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("there is no %s block", language)
	}
	return match[1]
}

// The README's own lines send a message and receive its three callbacks.
func TestReadmeSendsAMessageThereAndBack(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	place := t.TempDir()
	sharedDev.at(t, place)
	port := porttest.FreePort(t)
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
func TestHandbookNamesEveryMetric(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(topic(t, "metrics"), "| Metric | Meaning | Alert |")
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
		t.Errorf("the handbook's table of metrics (-/metrics +topic):\n%s", diff)
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

// What the handbook tells operators to do is done: the backup is restored and
// its audit holds, and nginx passes requests on with who sent them.
func TestHandbookOperates(t *testing.T) {
	t.Parallel()
	needPrograms(t, "pg_dump", "pg_restore", "nginx")
	shared := sharedDev.get(t)
	a, data := shared.access, shared.data
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
	// Runs of the test share the server.
	restored := "restored_" + strings.ToLower(rand.Text())
	if _, err := conn.Exec(t.Context(), "create database "+restored); err != nil {
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
	sh := exec.CommandContext(t.Context(), "sh", "-euc", topicBlock(t, "backup", "bash"))
	sh.Dir = place
	sh.Env = append(os.Environ(), programVar+"=1", "PATH="+place+":"+os.Getenv("PATH"), "DATABASE_URL="+url, "RESTORED_URL="+strings.Replace(url, "/heliograph?", "/"+restored+"?", 1),
		"ENCRYPTION_KEYS="+strings.TrimSpace(string(keys)), "STORAGE_FOLDER="+filepath.Join(data, "files"))
	out, err := sh.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("entries hold")) {
		t.Errorf("restoring: %v\n%s", err, out)
	}
}

func passThroughNginx(t *testing.T, a access) {
	port := porttest.FreePort(t)
	// Nothing listens at the second process: what is asked of it must be asked of ours.
	startNginx(t, nginxSite(t, strings.TrimPrefix(strings.Replace(a.URL, "localhost", "127.0.0.1", 1), "http://"), "127.0.0.1:"+porttest.FreePort(t), port), port)
	// A forwarded request did not come from the network that may read them.
	for path, want := range map[string]int{"/": http.StatusOK, "/health": http.StatusOK, "/metrics": http.StatusForbidden} {
		for range 8 { // some are asked of the process that is away
			if got := status(t, "http://127.0.0.1:"+port+path); got != want {
				t.Errorf("%s through nginx gives %d, want %d", path, got, want)
			}
		}
	}
}

func awaitPort(t testing.TB, port string, errs *bytes.Buffer) {
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

func TestHandbookNamesEveryCommand(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		if c.summary != "" && !regexp.MustCompile("\n\\| `heliograph "+c.name+"( \\w+)?` \\|").MatchString(topic(t, "commands")) {
			t.Errorf("the handbook's table of commands lacks %s", c.name)
		}
	}
}

// testsOfTheTree lists the names of all tests.
func testsOfTheTree(t *testing.T) map[string]bool {
	t.Helper()
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
	return exists
}

// Every promise has a figure and tests, and the tests that it names exist.
func TestPromisesAreTested(t *testing.T) {
	t.Parallel()
	exists := testsOfTheTree(t)
	_, table, _ := strings.Cut(topic(t, "promises"), "| | Promise | Figure | Held by |")
	table, _, _ = strings.Cut(table, "\n\n")
	promised := []string{}
	for row := range strings.Lines(table) {
		columns := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), " | ")
		if len(columns) != 4 {
			continue
		}
		name := strings.TrimSpace(columns[0])
		promised = append(promised, name)
		if figure := columns[2]; !regexp.MustCompile(`\d`).MatchString(figure) && figure != "no surface" {
			t.Errorf("%s has neither a figure nor no surface: %q", name, figure)
		}
		tests := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(columns[3], -1)
		if len(tests) == 0 && columns[2] != "no surface" {
			t.Errorf("%s names no test", name)
		}
		for _, test := range tests {
			if !exists[test[1]] {
				t.Errorf("%s names %s, which does not exist", name, test[1])
			}
		}
	}
	want := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12"}
	if diff := cmp.Diff(want, promised); diff != "" {
		t.Errorf("the promises (-want +topic):\n%s", diff)
	}
}

func TestHandbookNamesEveryDependency(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(topic(t, "dependencies"), "| Dependency | Why |")
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
				t.Errorf("%s imports %s, which the handbook's table of dependencies lacks", f.path, imported)
			}
		}
	}
	for module, is := range used {
		if !is {
			t.Errorf("the handbook names %s, which nothing imports", module)
		}
	}
}
