package main

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// needPrograms skips a test where what the lines of the README and the handbook call is missing.
func needPrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") == "" {
			t.Skip("the lines need ", program)
		}
	}
}

// runReceiver runs the README's receiver on a port until the test ends. heard
// waits a minute at most for n callbacks and returns what they say, sorted. A
// callback with a wrong signature says so.
func runReceiver(t *testing.T, place, port string) (heard func(n int) []string) {
	t.Helper()
	receiver := exec.CommandContext(t.Context(), "python3", "-c", strings.Replace(block(t, "python"), "9000", port, 1))
	receiver.Dir = place
	said, err := receiver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := receiver.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { receiver.Process.Kill() }) //nolint:errcheck // ends with the test at the latest
	return func(n int) (got []string) {
		defer time.AfterFunc(time.Minute, func() { receiver.Process.Kill() }).Stop() //nolint:errcheck // ends the loop below
		for lines := bufio.NewScanner(said); len(got) < n && lines.Scan(); {
			got = append(got, strings.TrimSuffix(lines.Text(), " signature good"))
		}
		slices.Sort(got)
		return got
	}
}
