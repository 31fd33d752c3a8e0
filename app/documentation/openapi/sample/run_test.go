package sample

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/runtest/judges"

	"github.com/google/go-cmp/cmp"
)

// trial is a choice of an endpoint with a sample that is run in every language.
type trial struct {
	name     string
	endpoint *model.Endpoint
	choice   int
	want     *received // nil: what the request says
}

// script is the sample of a trial in one language.
type script struct {
	trial
	Script string   `json:"script"` // name of the file
	Files  []string `json:"files"`  // files that it sends
	id     string
	text   string
	wanted received
}

// runner makes files of scripts and runs them all, with as few processes as it
// can. It returns what the programs complain of.
type runner struct {
	slug, extension string
	needs           []string // commands that must succeed
	wrap            func(s script) string
	run             func(dir string, scripts []script) ([]byte, error)
}

var runners = []runner{
	{"curl", ".sh", []string{"curl --version"}, func(s script) string { return s.text + " --silent --show-error >/dev/null\n" }, func(dir string, scripts []script) ([]byte, error) {
		return execute(dir, "sh", append([]string{"-c", `for f; do . "./$f" || { echo "$f failed"; failed=1; }; done; exit ${failed:-0}`, "sh"}, files(scripts)...)...)
	}},
	{"javascript", ".mjs", []string{"node --version"}, nil, func(dir string, _ []script) ([]byte, error) { return execute(dir, "node", driver(dir, "run.mjs")) }},
	{"nodejs", ".mjs", []string{"node --version"}, nil, func(dir string, _ []script) ([]byte, error) { return execute(dir, "node", driver(dir, "run.mjs")) }},
	{"python", ".py", []string{"python3 -c import\u00a0requests"}, nil, func(dir string, _ []script) ([]byte, error) { return execute(dir, "python3", driver(dir, "run.py")) }},
	{"java", "/Sample.java", []string{"javac -version", "java -version"}, func(s script) string { return "package " + s.id + ";\n" + s.text }, runJava},
	{"php", ".php", []string{"php --ri curl"}, nil, func(dir string, _ []script) ([]byte, error) { return execute(dir, "php", driver(dir, "run.php")) }},
	{"csharp", ".cs", []string{"mcs --version", "mono --version"}, func(s script) string { return "namespace " + s.id + " {\n" + s.text + "\n}\n" }, runCSharp},
	{"go", ".go", []string{"go version"}, func(s script) string {
		return strings.NewReplacer("func main() {", "func main_"+s.id+"() {", "func call() error", "func call_"+s.id+"() error", ":= call();", ":= call_"+s.id+"();").Replace(s.text)
	}, runGo},
}

func runJava(dir string, scripts []script) ([]byte, error) {
	args := append([]string{"-encoding", "UTF-8", "-Xlint:all", "-Werror", "-d", "out", driver(dir, "Run.java")}, files(scripts)...)
	if out, err := execute(dir, "javac", args...); err != nil {
		return out, err
	}
	return execute(dir, "java", append([]string{"-cp", "out", "Run"}, ids(scripts, ".Sample")...)...)
}

func runCSharp(dir string, scripts []script) ([]byte, error) {
	args := append([]string{"-langversion:7.2", "-warnaserror", "-codepage:utf8", "-r:System.Net.Http.dll", "-main:Run", "-out:run.exe", driver(dir, "Run.cs")}, files(scripts)...)
	if out, err := execute(dir, "mcs", args...); err != nil {
		return out, err
	}
	return execute(dir, "mono", append([]string{"run.exe"}, ids(scripts, ".Sample")...)...)
}

func runGo(dir string, scripts []script) ([]byte, error) {
	var calls strings.Builder
	for _, s := range scripts {
		fmt.Fprintf(&calls, "\t%q: call_%s,\n", s.id, s.id)
	}
	main := "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar calls = map[string]func() error{\n" + calls.String() + `}

func main() {
	os.Stdout = nil
	for name, call := range calls {
		if err := call(); err != nil {
			fmt.Fprintln(os.Stderr, name, err)
			defer os.Exit(1)
		}
	}
}
`
	for name, text := range map[string]string{"main.go": main, "go.mod": "module samples\n\ngo 1.21\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if out, err := execute(dir, "go", "build", "-o", "samples", "."); err != nil {
		return out, err
	}
	return execute(dir, "./samples")
}

// driver copies a program that runs scripts beside them.
func driver(dir, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
	}
	if err != nil {
		panic(err) // a file of this package is missing
	}
	return name
}

func files(scripts []script) []string {
	var list []string
	for _, s := range scripts {
		list = append(list, s.Script)
	}
	return list
}

func ids(scripts []script, suffix string) []string {
	var list []string
	for _, s := range scripts {
		list = append(list, s.id+suffix)
	}
	return list
}

// execute runs a program in a folder, with no proxy and no output but
// complaints.
func execute(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*", "GOFLAGS=", "GOWORK=off")
	return cmd.CombinedOutput()
}

// need skips a test if its tools are not installed, unless all must be. Without the tag
// judge, Go alone takes part.
func need(t *testing.T, commands []string) {
	t.Helper()
	for _, line := range commands {
		args := strings.Split(line, " ")
		if !judges.Run && args[0] != "go" {
			t.Skip("go test -tags judge runs " + args[0])
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "\u00a0", " ")
		}
		if err := exec.Command(args[0], args[1:]...).Run(); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s: %v; install it", strings.Join(args, " "), err)
			}
			t.Skipf("%s fails (%v): skipped", strings.Join(args, " "), err)
		}
	}
}

// fillable are the placeholders of an address: a call needs values for them.
var fillable = regexp.MustCompile(`<([A-Za-z0-9._-]+)>`)

// newScripts writes the samples of trials into files.
func newScripts(t *testing.T, dir string, r runner, server string, trials []trial) []script {
	t.Helper()
	var list []script
	for i, one := range trials {
		s := script{trial: one, id: fmt.Sprintf("s%03d", i)}
		s.Script = s.id + r.extension
		base := server + "/" + s.id
		request := newRequest(one.endpoint, base, Choices(one.endpoint)[one.choice])
		s.Files = append([]string{}, request.body.files()...)
		text, ok := Write(one.endpoint, base, r.slug, one.choice)
		if !ok {
			t.Fatalf("%s: no sample", one.name)
		}
		if r.slug == "go" {
			if tidy, err := format.Source([]byte(text)); err != nil || string(tidy) != text+"\n" {
				t.Errorf("%s is not as gofmt has it (%v):\n%s", one.name, err, text)
			}
		}
		s.text, s.wanted = text, promised(t, request, base)
		if one.want != nil {
			s.wanted = *one.want
		}
		for _, found := range fillable.FindAllStringSubmatch(request.url, -1) {
			s.text = strings.ReplaceAll(s.text, found[0], found[1])
			s.wanted = s.wanted.fill(found[0], found[1])
		}
		if r.wrap != nil {
			s.text = r.wrap(s)
		}
		write(t, filepath.Join(dir, s.Script), s.text)
		for _, name := range s.Files {
			write(t, filepath.Join(dir, name), everyByte)
		}
		list = append(list, s)
	}
	manifest, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "trials.json"), string(manifest))
	return list
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSamplesSendWhatTheyShow compiles and runs, in every language, a sample of
// each example of each published operation and of hostile ones, and holds what
// a server receives to what the request says.
func TestSamplesSendWhatTheyShow(t *testing.T) {
	t.Parallel()
	trials := append(publishedTrials(t), hostileTrials(t)...)
	for _, r := range runners {
		t.Run(r.slug, func(t *testing.T) {
			t.Parallel()
			need(t, r.needs)
			server, dir := newRecorder(t), t.TempDir()
			scripts := newScripts(t, dir, r, server.URL, trials)
			if out, err := r.run(dir, scripts); err != nil || len(out) > 0 {
				t.Errorf("%v: %.4000s", err, out)
			}
			server.Close()
			for _, s := range scripts {
				want := s.wanted
				if r.slug == "javascript" {
					want = want.withoutCookie()
				}
				if diff := cmp.Diff([]received{want}, server.calls[s.id]); diff != "" {
					t.Errorf("%s (-want +got):\n%s\n%s", s.name, diff, s.text)
				}
			}
		})
	}
}
