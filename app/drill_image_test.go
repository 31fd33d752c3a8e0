//go:build drill

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The image's own build line makes a program that runs where there is nothing
// but itself: no libraries, no shell, no files.
func TestDrillImageHoldsAProgramThatRunsAlone(t *testing.T) {
	t.Parallel()
	services, _ := compose(t)
	lines := services["web"].Build["dockerfile_inline"]
	build := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 go build .*) -o /heliograph \./app$`).FindStringSubmatch(lines)
	if build == nil {
		t.Fatalf("the image is not built as this test expects:\n%s", lines)
	}
	place := t.TempDir()
	program := filepath.Join(place, "heliograph")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", build[1]+" -o "+program+" .")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build[1], err, out)
	}
	run := exec.CommandContext(t.Context(), program, "help")
	if os.Geteuid() == 0 {
		run = exec.CommandContext(t.Context(), "chroot", "--userspec=10001:10001", place, "/heliograph", "help")
		if err := os.Chmod(place, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run.Env = []string{}
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "usage: heliograph") {
		t.Errorf("the program in an empty root: %v\n%s", err, out)
	}
}
