package main

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v4"

	"heliograph/app/config"
	"heliograph/app/porttest"
	"heliograph/db/dbtest"
)

// service is what a service of docker-compose.yml says that can be held
// against the program without Docker.
type service struct {
	Image       string                       `yaml:"image"`
	Build       map[string]string            `yaml:"build"`
	Command     []string                     `yaml:"command"`
	Environment map[string]string            `yaml:"environment"`
	DependsOn   map[string]map[string]string `yaml:"depends_on"`
	Healthcheck struct {
		Test []string `yaml:"test"`
	} `yaml:"healthcheck"`
	ReadOnly bool     `yaml:"read_only"`
	Tmpfs    []string `yaml:"tmpfs"`
	Volumes  []string `yaml:"volumes"`
	Ports    []string `yaml:"ports"`
	Expose   []string `yaml:"expose"`
	Grace    string   `yaml:"stop_grace_period"`
}

func compose(t *testing.T) (services map[string]service, volumes map[string]any) {
	t.Helper()
	text, err := os.ReadFile("../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]service `yaml:"services"`
		Volumes  map[string]any     `yaml:"volumes"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Services, file.Volumes
}

// What each of our services sets is read by the program and satisfies its own
// check; each begins after what it needs.
func TestComposeSetsWhatTheProgramReads(t *testing.T) {
	t.Parallel()
	services, _ := compose(t)
	for name, before := range map[string][]string{"migrate": {"postgres"}, "seed": {"migrate", "minio"}, "web": {"seed"}, "worker": {"migrate", "minio"}} {
		s, ok := services[name]
		if !ok || !slices.Equal(s.Command, []string{name}) {
			t.Errorf("the service %s runs %q", name, s.Command)
			continue
		}
		for _, dependency := range before {
			want := "service_healthy"
			if services[dependency].Build != nil {
				want = "service_completed_successfully"
			}
			if got := s.DependsOn[dependency]["condition"]; got != want {
				t.Errorf("%s waits for %s to be %q, want %q", name, dependency, got, want)
			}
		}
		environ := make([]string, 0, len(s.Environment))
		for variable, value := range s.Environment {
			if !readsVariable(variable) {
				t.Errorf("%s sets %s, which the program does not read", name, variable)
			}
			environ = append(environ, variable+"="+expand(value))
		}
		c, err := config.Load(environ, config.Everything)
		if err != nil {
			t.Errorf("%s does not start: %v", name, err)
			continue
		}
		checkDialled(t, services, name, c)
		if s.ReadOnly && !slices.Contains(s.Tmpfs, "/tmp") {
			t.Errorf("%s cannot write an upload to /tmp", name)
		}
	}
}

func readsVariable(name string) bool {
	return slices.ContainsFunc(reflect.VisibleFields(reflect.TypeFor[config.Config]()), func(f reflect.StructField) bool { return f.Tag.Get("env") == name })
}

// checkDialled holds the hosts that a service dials against the services that
// are there.
func checkDialled(t *testing.T, services map[string]service, name string, c *config.Config) {
	t.Helper()
	host, _, _ := strings.Cut(strings.SplitN(c.DatabaseURL, "@", 2)[1], ":")
	storage, _, err := net.SplitHostPort(c.StorageEndpoint)
	if err != nil {
		t.Errorf("%s: STORAGE_ENDPOINT is %q", name, c.StorageEndpoint)
	}
	for _, dialled := range []string{host, storage} {
		if _, ok := services[dialled]; !ok {
			t.Errorf("%s dials %s, which is no service", name, dialled)
		}
	}
}

// Images are pinned, volumes declared, what serves is watched at an address
// that it serves, and has time to drain.
func TestComposeKeepsItsServices(t *testing.T) {
	t.Parallel()
	services, volumes := compose(t)
	pinned := regexp.MustCompile(`^[a-z/]+:\D*\d[\w.-]*$`)
	for name, s := range services {
		if s.Build == nil && !pinned.MatchString(s.Image) {
			t.Errorf("%s has the image %q: pin its version", name, s.Image)
		}
		for _, v := range s.Volumes {
			if volume, _, _ := strings.Cut(v, ":"); !hasKey(volumes, volume) {
				t.Errorf("%s uses the volume %s, which is not declared", name, volume)
			}
		}
		if once := name == "migrate" || name == "seed"; once != (len(s.Healthcheck.Test) == 0) {
			t.Errorf("%s has the healthcheck %q", name, s.Healthcheck.Test)
		}
	}
	for name, address := range map[string]string{"web": ":" + services["web"].Expose[0], "worker": services["worker"].Environment["OPS_LISTEN"]} {
		_, port, _ := strings.Cut(address, ":")
		if test := strings.Join(services[name].Healthcheck.Test, " "); !strings.HasSuffix(test, "http://127.0.0.1:"+port+"/readyz") || services[name].Grace != "60s" {
			t.Errorf("%s is watched by %q and given %s to end", name, test, services[name].Grace)
		}
	}
}

func hasKey(m map[string]any, key string) bool {
	_, ok := m[key]
	return ok
}

// expand replaces ${NAME:-default} by its default and ${NAME:?…} by a key.
func expand(value string) string {
	value = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`).ReplaceAllString(value, "$1")
	return regexp.MustCompile(`\$\{\w+:\?[^}]*\}`).ReplaceAllString(value, "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
}

// The Procfile runs in a checkout as hosting platforms build it, in which the binary has
// the name that Go gives it.
func TestProcfileRuns(t *testing.T) {
	t.Parallel()
	runner, err := filepath.Abs("../.tools/node_modules/.bin/nf")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(runner); err != nil && os.Getenv("CI") == "" {
		t.Skip("npm ci --prefix .tools installs the runner")
	}
	place, port := t.TempDir(), porttest.FreePort(t)
	binary, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Target}}", "../app").Output()
	if err != nil {
		t.Fatalf("asking for the name of the binary: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(place, "bin", filepath.Base(strings.TrimSpace(string(binary))))
	if err := errors.Join(os.Mkdir(filepath.Dir(program), 0o700), os.WriteFile(program, []byte("#!/bin/sh\n"+programVar+"=1 exec '"+self+"' \"$@\"\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../Procfile")
	if err != nil {
		t.Fatal(err)
	}
	processes := map[string]string{}
	for line := range strings.Lines(string(text)) {
		kind, run, _ := strings.Cut(strings.TrimSpace(line), ": ")
		processes[kind] = run
	}
	if err := os.WriteFile(filepath.Join(place, "Procfile"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	var environ []string
	for _, setting := range settings(t, dbtest.URL(t)) {
		if !strings.HasPrefix(setting, "LISTEN=") {
			environ = append(environ, setting)
		}
	}
	release := exec.CommandContext(t.Context(), "sh", "-euc", processes["release"])
	release.Dir, release.Env = place, append(os.Environ(), environ...)
	if out, err := release.CombinedOutput(); err != nil {
		t.Fatalf("the release: %v\n%s", err, out)
	}
	var errs bytes.Buffer
	start := exec.Command(runner, "start", "web=1,worker=1", "--port", port) //nolint:noctx // ends by signal
	start.Dir, start.Env, start.Stdout, start.Stderr = place, release.Env, &errs, &errs
	start.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := start.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		syscall.Kill(-start.Process.Pid, syscall.SIGTERM) //nolint:errcheck // gone is what we want
		start.Wait()                                      //nolint:errcheck // stopped by a signal
	}()
	awaitPort(t, port, &errs)
	if got := status(t, "http://127.0.0.1:"+port+"/readyz"); got != http.StatusOK {
		t.Errorf("/readyz on PORT gives %d\n%s", got, &errs)
	}
	if len(processes) != 3 {
		t.Errorf("the Procfile has the processes %v", processes)
	}
}
