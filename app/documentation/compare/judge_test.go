package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// judged is the number of changes that oasdiff judges. Set
// HELIOGRAPH_JUDGED=300 for more than the tests of every day need.
func judged() int {
	if os.Getenv("HELIOGRAPH_JUDGED") != "" {
		return 300
	}
	return 60
}

// TestOasdiffAgrees compares yes or no to "is it breaking?" with oasdiff, on
// known changes. The disagreements, with the reason of each, are in
// testdata/disagreements.txt. One that is not there fails the test.
func TestOasdiffAgrees(t *testing.T) {
	t.Parallel()
	program := oasdiff(t)
	reasons := disagreements(t)
	agreed := 0
	found := map[string]int{}
	for i, s := range samples(t, judged()) {
		ids, err := judge(t, program, s)
		if err != nil {
			t.Errorf("%s: %s: %v", s.document, s.mutation.name, err)
			continue
		}
		_, breaking := kindsOf(report(t, s.root, s.after))
		if breaking == (len(ids) > 0) {
			agreed++
			continue
		}
		line := fmt.Sprintf("%s | ours %s | oasdiff %s", s.mutation.name, word(breaking), strings.Join(append([]string{word(len(ids) > 0)}, ids...), " "))
		found[line]++
		if reasons[line] == "" {
			t.Errorf("%d: %s %s: no reason is listed for:\n%s", i, s.document, s.mutation.pointer, line)
		}
	}
	t.Logf("%d of %d agreed, disagreements: %v", agreed, judged(), found)
}

func word(breaking bool) string {
	if breaking {
		return "breaking"
	}
	return "compatible"
}

// disagreements reads the reasons by disagreement. Each takes two lines.
func disagreements(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/disagreements.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	last := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "\t"):
			reasons[last] = strings.TrimSpace(line)
		case line != "" && !strings.HasPrefix(line, "#"):
			last = line
		}
	}
	return reasons
}

// judge returns what oasdiff finds breaking. It runs as a child with limits of
// time and memory, because some documents cost it minutes and gigabytes.
func judge(t *testing.T, program string, s sample) (ids []string, err error) {
	t.Helper()
	dir := t.TempDir()
	before, after := filepath.Join(dir, "before.json"), filepath.Join(dir, "after.json")
	for path, raw := range map[string][]byte{before: s.root.JSON(), after: s.after.JSON()} {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 4000000 && exec "$0" changelog "$1" "$2" --format json`, program, before, after)
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=500MiB")
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return nil, fmt.Errorf("oasdiff: %w: %s", err, exit.Stderr)
	}
	var changes []struct {
		ID    string `json:"id"`
		Level int    `json:"level"`
	}
	if len(strings.TrimSpace(string(out))) > 0 {
		if err := json.Unmarshal(out, &changes); err != nil {
			return nil, fmt.Errorf("reading what oasdiff says: %w", err)
		}
	}
	for _, c := range changes {
		if c.Level == 3 { // ERR
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// oasdiff returns the path of the program, built at the first use.
func oasdiff(t *testing.T) string {
	t.Helper()
	cache := filepath.Join(os.TempDir(), "heliograph-oasdiff.lock")
	if lock, err := os.Create(cache); err == nil {
		defer lock.Close() // unlocks
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	// With -n the go command builds the tool and prints where it is.
	cmd := exec.CommandContext(ctx, "go", "tool", "-n", "-modfile=.tools/go.mod", "oasdiff")
	cmd.Dir = filepath.Join("..", "..", "..")
	path, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		t.Fatalf("building oasdiff: %v: %s", err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(path))
}
