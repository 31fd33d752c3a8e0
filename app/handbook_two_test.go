//go:build judge

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/porttest"
)

// The handbook's own lines make one installation the upstream of another, and exchange
// templates, files, messages and a profile.
func TestHandbookTwoInstallations(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh", "base64", "cmp")
	place, port := t.TempDir(), porttest.FreePort(t)
	for _, name := range []string{".there", ".here"} {
		_, stop := startDev(t, filepath.Join(place, name))
		defer stop(syscall.SIGINT)
	}
	blocks := regexp.MustCompile("(?s)\n```(?:python|sh)\n(.*?)\n```").FindAllStringSubmatch(topic(t, "two-installations"), -1)
	if len(blocks) != 2 {
		t.Fatalf("the topic has %d blocks, want the receiver and the script", len(blocks))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here := func(text string) string { return strings.ReplaceAll(text, "9000", port) }
	for name, text := range map[string]string{
		"events.py": here(blocks[0][1]), "heliograph": "#!/bin/sh\n" + programVar + "=1 exec '" + self + "' \"$@\"\n",
	} {
		if err := os.WriteFile(filepath.Join(place, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-euc", here(blocks[1][1]))
	cmd.Dir, cmd.WaitDelay, cmd.Env = place, time.Second, append(os.Environ(), "PATH="+place+":"+os.Getenv("PATH"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		heard, _ := os.ReadFile(filepath.Join(place, "events.txt"))
		t.Fatalf("the script ended with %v:\n%s%s\n%s", err, out, errs.String(), heard)
	}
	want := []string{
		`"code":"200"`, `"code":"200"`, `"status":"PENDING"`, `"message_template_name":"lamp_ready"`,
		`"messages":[{"id":"`, `"status":"read"`, `"type":"text"`,
		`"messages":[{"id":"`, `"status":"read"`, `"messages":[{"id":"`, "The picture is the same on both sides.",
		`"messages":[{"id":"`, `"user_id":"IN.13491208655302740008"`, `"messages":[{"id":"`, `"status":"read"`,
		`"success":true`, `"about":"We light lamps"`,
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.Contains(got[i], want[i]) {
			t.Fatalf("line %d is not %q:\n%s%s", i+1, want[min(i, len(want)-1)], out, errs.String())
		}
	}
}
