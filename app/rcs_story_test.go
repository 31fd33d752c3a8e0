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

// The handbook's own lines take a bot from its creation over the desk to what a
// person answers, in all three forms of events.
func TestHandbookRCSFromNothing(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	place, port := t.TempDir(), porttest.FreePort(t)
	sharedDev.at(t, place)
	blocks := regexp.MustCompile("(?s)\n```(?:python|sh)\n(.*?)\n```").FindAllStringSubmatch(topic(t, "rcs-from-nothing"), -1)
	if len(blocks) != 2 {
		t.Fatalf("the topic has %d blocks, want the receiver and the script", len(blocks))
	}
	here := func(text string) string { return strings.ReplaceAll(text, "9000", port) }
	if err := os.WriteFile(filepath.Join(place, "rcs.py"), []byte(here(blocks[0][1])), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-euc", here(blocks[1][1]))
	cmd.Dir, cmd.WaitDelay = place, time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the script ended with %v:\n%s%s", err, out, errs.String())
	}
	want := []string{
		`"code":200`, `"verificationStatus":"PENDING"`, "303", "303", "303", "303", "DEFAULT BOT_STATUS LAUNCHED", `"status":"PENDING"`, "DEFAULT TEMPLATE_STATUS APPROVED",
		`"code":202`, "DEFAULT MESSAGE_STATUS READ",
	}
	for _, events := range [][]string{
		{"DEFAULT SUGGESTION coming", "DEFAULT USER_MESSAGE Thank you."}, {"GOOGLE_RBM coming", "GOOGLE_RBM Thank you."}, {"MAAP coming", "MAAP Thank you."},
	} {
		want = append(want, `"code":200`, `"code":202`, `"code":202`, events[0]+" signature good", events[1]+" signature good")
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.Contains(got[i], want[i]) {
			t.Fatalf("line %d is not %q:\n%s", i+1, want[min(i, len(want)-1)], out)
		}
	}
	heard, err := os.ReadFile(filepath.Join(place, "events.txt"))
	if err != nil || bytes.Contains(heard, []byte("wrong")) {
		t.Errorf("the receiver printed %s %v", heard, err)
	}
}
