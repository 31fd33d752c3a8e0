package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

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
	needPrograms(t)
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

func TestReadmeNamesEveryCommand(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		if !regexp.MustCompile("\n\\| `heliograph " + c.name + "( \\w+)?` \\|").MatchString(readme(t)) {
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
