package main

import (
	"bufio"
	"bytes"
	"net"
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
	for _, program := range []string{"python3", "curl", "sh"} {
		if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") == "" {
			t.Skip("the README's lines need ", program)
		}
	}
	place := t.TempDir()
	_, stop := startDev(t, filepath.Join(place, ".data"))
	defer stop(syscall.SIGINT)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()

	// The one thing that differs: a port that is free here.
	receiver := exec.CommandContext(t.Context(), "python3", "-c", strings.Replace(block(t, "python"), "9000", port, 1))
	receiver.Dir = place
	said, err := receiver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := receiver.Start(); err != nil {
		t.Fatal(err)
	}
	defer receiver.Process.Kill() //nolint:errcheck // ends with the test at the latest
	send := exec.CommandContext(t.Context(), "sh", "-euc", strings.Replace(block(t, "sh"), "9000", port, 1))
	send.Dir = place
	out, err := send.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(`"message_status":"accepted"`)) {
		t.Fatalf("sending: %v\n%s", err, out)
	}
	// A callback that came before the receiver was ready comes again.
	defer time.AfterFunc(time.Minute, func() { receiver.Process.Kill() }).Stop() //nolint:errcheck // ends the loop below
	var got []string
	for lines := bufio.NewScanner(said); len(got) < 3 && lines.Scan(); {
		got = append(got, lines.Text())
	}
	slices.Sort(got)
	want := []string{"delivered signature good", "read signature good", "sent signature good"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the receiver printed (-want +got):\n%s", diff)
	}
}

func TestReadmeNamesEveryCommand(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		if !regexp.MustCompile("\n\\| `heliograph " + c.name + "( create)?` \\|").MatchString(readme(t)) {
			t.Errorf("the README's table of commands lacks %s", c.name)
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
